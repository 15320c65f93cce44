"""Finds a quote in a plain text, and judges which of its differences change the meaning."""
