"""Question-answer pairs."""
