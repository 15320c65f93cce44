"""Measures how questions are answered from documents."""
