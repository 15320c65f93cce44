"""Filtering a dataset into files: workers, outputs, progress, and resuming after a stop."""
