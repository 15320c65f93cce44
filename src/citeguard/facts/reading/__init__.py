"""What one text says: its words, numbers, names, denials and clauses."""
