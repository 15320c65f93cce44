"""Writing samples to train with: a JSONL file for each split, split by source, and a card."""
