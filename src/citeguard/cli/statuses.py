"""What the command exits with, so that a script can tell a bad answer from a broken set-up."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """What a command returns, and the process exits with.

    The first four are the command's own words; the others are what a shell tells of a program that
    a signal has ended.
    """

    PASSED = 0
    """All is good."""
    FAILED = 1
    """Something that was checked is not good."""
    COULD_NOT_RUN = 2
    """Nothing is known: arguments, files or the set-up are wrong; stderr says why in one line."""
    UNDECIDED = 3
    """Nothing failed, but of something it could not be told."""
    INTERRUPTED = 130
    """SIGINT, as Ctrl-C sends it."""
    READER_LEFT = 141
    """SIGPIPE, as in `citeguard … | head -n 1`."""
