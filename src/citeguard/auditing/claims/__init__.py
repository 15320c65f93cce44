"""What a text claims: its sentences as atomic claims, each with its place in the text."""
