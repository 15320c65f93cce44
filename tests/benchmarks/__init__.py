"""Measurements, each a package run as `python -m tests.benchmarks.NAME`."""
