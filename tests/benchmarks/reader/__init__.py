"""What the reader that ships is trained on, and how good it is on what it has never read."""
