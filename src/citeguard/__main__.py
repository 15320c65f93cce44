"""`python -m citeguard` is the command."""

from citeguard.cli import main

main()
