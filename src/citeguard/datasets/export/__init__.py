"""Samples written to train with: JSONL for each split, split by source, and a card."""
