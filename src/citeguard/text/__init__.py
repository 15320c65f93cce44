"""The ground floor: canonical text, approximate search, aligned edits, and what they mean."""
