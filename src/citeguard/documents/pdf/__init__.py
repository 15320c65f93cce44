"""PDF files: read as documents, and drawn as pictures of their pages."""
