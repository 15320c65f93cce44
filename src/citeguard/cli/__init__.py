"""The command `citeguard`. Each of its commands is a module of the same name."""

from citeguard.cli.start import main

__all__ = ["main"]
