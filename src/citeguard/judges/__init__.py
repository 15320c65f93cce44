"""The judges: who can be asked whether evidence bears a statement out, and how they are asked."""
