"""Tables of statements and passages by topic, and what is found between them."""
