"""What alignment proves: the same words, or another fact in the same place."""
