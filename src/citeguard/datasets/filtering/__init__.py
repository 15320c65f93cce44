"""Running a filter over a dataset: workers, outputs, a record to resume from, and progress."""
