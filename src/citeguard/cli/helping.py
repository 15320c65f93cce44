"""How `--help` of a command is laid out: examples as they are written, and options in groups."""

from __future__ import annotations

import inspect
from typing import Any

from typer.core import TyperCommand

_AS_IT_IS = "\b\n"  # what Click takes for a paragraph that is not to be wrapped


class TeachingCommand(TyperCommand):
    """A command whose help shows indented paragraphs as they are, and options in groups.

    An option names its group as its `rich_help_panel`.
    """

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the command is for."""
        paragraphs = inspect.cleandoc(self.help or "").split("\n\n")
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(map(_kept, paragraphs)))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, each group under its name, in the order of the first."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            is_argument = param.param_type_name == "argument"
            group = "Arguments" if is_argument else getattr(param, "rich_help_panel", None)
            if (record := param.get_help_record(ctx)) is not None:
                groups.setdefault(group or "Options", []).append(record)
        for name, records in groups.items():
            with formatter.section(name):
                formatter.write_dl(records)


def _kept(paragraph: str) -> str:
    return f"{_AS_IT_IS}{paragraph}" if paragraph.startswith(" ") else paragraph
