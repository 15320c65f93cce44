"""What stands in files: bytes, text in UTF-8, JSON; each refusal names the file and the reason."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from citeguard.errors import CiteguardError


def read_bytes(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        CiteguardError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise CiteguardError(f"{path}: {reason(error)}") from error


def read_text(path: Path) -> str:
    """Return a file's text, without a byte-order mark.

    Raises:
        CiteguardError: the file cannot be read, or is not UTF-8.
    """
    return decode(read_bytes(path), str(path))


def decode(content: bytes, name: str) -> str:
    """Return UTF-8 bytes as text, without a byte-order mark.

    Raises:
        CiteguardError: they are not UTF-8; the message starts with `name`.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CiteguardError(
            f"{name}: not UTF-8: {error.reason} at byte {error.start:,}; save it as UTF-8"
        ) from error


def parse_json(text: str, name: str) -> Any:
    """Return what a JSON text says. An object that has a key twice is refused, not cut down.

    Raises:
        CiteguardError: it is not JSON; the message starts with `name`.
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise CiteguardError(f"{name}: not JSON that can be read: nested too deeply") from error
    except ValueError as error:
        raise CiteguardError(f"{name}: not JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    parsed = dict(pairs)
    if len(parsed) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {key!r} stands twice in one object")
    return parsed


def reason(error: OSError) -> str:
    """Return why a file or folder could not be read, as a message goes on after its name."""
    return (error.strerror or type(error).__name__).lower()
