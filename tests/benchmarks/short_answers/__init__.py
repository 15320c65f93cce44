"""How often short answers are rightly told from wrong ones, on public questions."""
