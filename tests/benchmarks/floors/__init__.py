"""Accuracy floors: figures on frozen samples that no change may lower."""
