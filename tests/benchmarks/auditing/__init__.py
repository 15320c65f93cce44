"""How often audits find what is wrong in a text, and how fast."""
