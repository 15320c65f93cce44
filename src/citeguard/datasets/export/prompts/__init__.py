"""The system messages of exported samples, as data: what to answer from, and in what form."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from citeguard.judges.prompts import Prompt


@cache
def system_message(prompt: str, answer: str) -> Prompt:
    """Return the message for a prompt, "instruction" or "simple", and a form of answers.

    `{schema}` in it is to be replaced by the schema of the answers.

    Examples:
        >>> print(system_message("simple", "plain").instructions)
        You answer questions from what you know.
        <BLANKLINE>
        Reply in sentences, without citations.
    """
    parts = [_read(prompt), _read(answer)]
    return Prompt(
        version="+".join(version for version, _ in parts),
        instructions="\n\n".join(text for _, text in parts),
    )


def _read(name: str) -> tuple[str, str]:
    text = files("citeguard.datasets.export.prompts").joinpath(f"{name}.md").read_text("utf-8")
    version, _, instructions = text.partition("\n\n")
    return version.removeprefix("version: "), instructions.strip()
