"""How quickly datasets are filtered, with one process and several, and in how much memory."""
