"""How a text is made wrong, a module for each kind: `find_*` yields ways, the best ones first."""
