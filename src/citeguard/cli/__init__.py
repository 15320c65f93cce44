"""The command `citeguard`: what a shell runs. Each command stands in a module of its name."""

from citeguard.cli.running import main

__all__ = ["main"]
