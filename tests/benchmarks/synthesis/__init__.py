"""The benchmark of synthesis: how many wrong texts can be made, and how many the checks catch."""
