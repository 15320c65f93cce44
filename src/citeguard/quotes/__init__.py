"""Quotes in plain text: canonical text, approximate search, aligned edits, and what they change."""
