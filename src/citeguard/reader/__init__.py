"""The reader: a small cross-encoder that ships, and models of the user's own in its place."""
