"""The command `citeguard`. A module has one command, or a few that share their options."""

from citeguard.cli.start import main

__all__ = ["main"]
