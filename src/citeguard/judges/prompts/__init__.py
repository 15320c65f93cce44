"""Prompts of language models as judges: a `Prompt` for each type of question."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.language.excerpts import escape_line_breaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The instructions to a language model that judges; the data follows in its own message.

    The data is one JSON document, in which a text cannot end its own string, between two lines that
    carry a mark. The mark is a digest of the data, so that no text in it can forge such a line.

    Attributes:
        version: Names the instructions, for the keys of cached verdicts. (They have a digest of
            the instructions, too, in case the version is not changed with them.)
        instructions: The system message; `{mark}` in it is replaced by the mark.

    Raises:
        CiteguardError: Blank instructions, or a blank version.
    """

    version: str
    instructions: str

    def __post_init__(self) -> None:
        """Reject a blank prompt."""
        for name in ("version", "instructions"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise CiteguardError(f"Prompt({name}=...) must be a str, and not blank")

    @property
    def identity(self) -> str:
        """The version, and a digest of the instructions."""
        return f"{self.version}#{_digest(self.instructions)}"

    def messages(self, data: Any) -> list[dict[str, str]]:
        """Render the instructions and the data, which must be JSON-like."""
        text = escape_line_breaks(json.dumps(data, ensure_ascii=False, indent=1))
        # A lone surrogate, which cannot be sent, becomes its JSON escape.
        text = text.encode("utf-8", "backslashreplace").decode()
        # A source cannot imitate the marks: it would need the digest of data that it is part of.
        mark = _digest(text)
        return [
            # Not by `format`, as instructions may have other braces.
            {"role": "system", "content": self.instructions.replace("{mark}", mark)},
            {"role": "user", "content": f"[{mark} data]\n{text}\n[{mark} end of data]"},
        ]


@cache
def read_prompt(name: str, package: str = "citeguard.judges.prompts") -> Prompt:
    """Return a prompt that comes with citeguard, such as "support", by the name of its file."""
    text = files(package).joinpath(f"{name}.md").read_text("utf-8")
    version, _, instructions = text.partition("\n\n")
    return Prompt(version=version.removeprefix("version: "), instructions=instructions.strip())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12]
