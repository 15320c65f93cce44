"""What a text cites: its marks, the sources that they name, and what is wrong with them."""
