"""Samples measured: their citations, and the verdicts on them against labels."""
