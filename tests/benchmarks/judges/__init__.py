"""The benchmark of judges: wall time, stalled event loops, and what reaches the language model."""
