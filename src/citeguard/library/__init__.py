"""Ask your own documents: what is in them, what answers a question, and what does not."""
