"""The speed and memory benchmark: citeguard and its peers, measured in turns in one process."""
