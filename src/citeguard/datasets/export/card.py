"""The card of an exported dataset, as Hugging Face's hub and `datasets` read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.metadata import version
from typing import Any, cast

from citeguard.datasets.export.folder import name_of
from citeguard.datasets.export.rendering import Rendering
from citeguard.datasets.export.splits import Shares
from citeguard.datasets.export.summary import ExportSummary, FilterCounts
from citeguard.errors import check_text
from citeguard.language.excerpts import shown
from citeguard.validation.policy import DEFAULT_POLICY, Policy

_SHOWN = 300
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_WORKERS = ("support", "alignment", "retriever")
_SIZES = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What the card says that an export cannot know.

    Attributes:
        title: Its heading; the name of the folder when absent.
        license: The licence of the data, as the hub names it ("cc-by-4.0"). It is yours to know:
            the sources' licences decide, and the card says so where none is given.
        filtered: What came of the filter that the samples went through, for its counts.

    Raises:
        CiteguardError: a title or a licence that is no text.
    """

    title: str | None = None
    license: str | None = None
    filtered: FilterCounts | None = None

    def __post_init__(self) -> None:
        """Refuse at once what would fail when all samples have been written."""
        check_text("Card(title=...)", self.title)
        check_text("Card(license=...)", self.license)


def card_of(
    summary: ExportSummary,
    card: Card,
    *,
    rendering: Rendering,
    shares: Shares,
    policy: Policy | None,
    group: str | None,
) -> str:
    """Return the card in Markdown; the same for the same samples and settings."""
    title = _escaped(summary.folder.name if card.title is None else card.title)
    settings = [
        ("fingerprint", summary.fingerprint),
        *_settings(rendering, shares, policy, group),
    ]
    parts = [
        _front_matter(summary, card),
        f"# {title}",
        _about(rendering),
        _table(("split", "samples", "documents", "bytes"), _split_rows(summary)),
        "No document of one split stands in another."
        if group is None
        else f"The splits are by groups ({_escaped(group)}), not by documents.",
        _loading(summary),
        *_list_of("Before you train with it", summary.warnings),
        "## What became of the samples",
        _table(("", "samples"), [*_outcomes(summary), *_reasons(summary.codes)]),
        *_filter(card.filtered),
        "## Settings",
        _table(("setting", "value"), settings),
        "## Licence",
        "Not stated; the licences of the sources decide."
        if card.license is None
        else _escaped(card.license),
    ]
    return "\n\n".join(parts) + "\n"


def _front_matter(summary: ExportSummary, card: Card) -> str:
    lines = ["---", *([] if card.license is None else [f"license: {_quoted(card.license)}"])]
    if card.title is not None:
        lines.append(f"pretty_name: {_quoted(card.title)}")
    lines += ["size_categories:", f"- {_size_category(summary.exported)}"]
    lines += ["tags:", "- citations", "- citeguard"]
    # Without a mark that changes, `datasets` would serve an earlier export from its cache.
    mark = _quoted(f"export {summary.fingerprint}")
    lines += ["configs:", "- config_name: default", f"  description: {mark}", "  data_files:"]
    for split in summary.splits:
        lines += [f"  - split: {split}", f"    path: {name_of(split)}"]
    return "\n".join([*lines, "---"])


def _size_category(count: int) -> str:
    place = sum(count >= 10 ** (3 + power) for power in range(len(_SIZES)))
    if place == 0:
        return f"n<{_SIZES[0]}"
    if place == len(_SIZES):
        return f"n>{_SIZES[-1]}"
    return f"{_SIZES[place - 1]}<n<{_SIZES[place]}"


def _about(rendering: Rendering) -> str:
    held = {
        "chat": "messages, the last of which is the answer",
        "completion": "a prompt and its completion",
        "preference": "a prompt, the answer preferred, and the one that was rejected before it",
        "chosen-rejected": "a prompt, the answer chosen, and the one that was rejected before it",
    }[rendering.form]
    asked = {
        "instruction": "The prompt has the question and the sources to answer it from.",
        "simple": "The prompt has the question and no sources.",
    }[rendering.prompt]
    return (
        f"Each sample has {held}. {asked} citeguard has checked the quotes of every answer against "
        "the sources, and written them as they stand there."
    )


def _loading(summary: ExportSummary) -> str:
    folder = json.dumps(shown(summary.folder.name, _SHOWN), ensure_ascii=False)
    return f"```python\nfrom datasets import load_dataset\n\ndataset = load_dataset({folder})\n```"


def _split_rows(summary: ExportSummary) -> list[tuple[str, ...]]:
    return [
        (split, f"{facts.samples:,}", f"{facts.documents:,}", f"{facts.bytes:,}")
        for split, facts in summary.splits.items()
    ]


def _outcomes(summary: ExportSummary) -> list[tuple[str, str]]:
    return [
        ("read", f"{summary.read:,}"),
        ("exported", f"{summary.exported:,}"),
        ("refused", f"{summary.refused:,}"),
        ("undecided", f"{summary.undecided:,}"),
        ("the same as an earlier one", f"{summary.duplicates:,}"),
    ]


def _reasons(codes: Mapping[str, int]) -> list[tuple[str, str]]:
    return [(f"with {_escaped(code)}", f"{count:,}") for code, count in codes.items()]


def _filter(counts: FilterCounts | None) -> list[str]:
    if counts is None:
        return []
    rows = [
        (name, f"{getattr(counts, name):,}") for name in ("read", "kept", "rejected", "undecided")
    ]
    table = _table(("", "samples"), [*rows, *_reasons(counts.codes)])
    return ["## What a filter made of them before", table]


def _list_of(heading: str, items: Sequence[str]) -> list[str]:
    return [f"## {heading}", "\n".join(f"- {_escaped(item)}" for item in items)] if items else []


def _settings(
    rendering: Rendering, shares: Shares, policy: Policy | None, group: str | None
) -> list[tuple[str, str]]:
    system = rendering.instructions
    settings = {
        "form": rendering.form,
        "prompt": rendering.prompt,
        "answer": rendering.answer,
        "system message": "none" if system is None else system.identity,
        "model": getattr(rendering.model, "__name__", str(rendering.model)),
        "policy": ", ".join(_rules(policy or DEFAULT_POLICY)) or "default",
        "validation, test": f"{shares.validation}, {shares.test}",
        "seed": shares.seed,
        "group": "documents" if group is None else group,
        "citeguard": version("pydantic-citeguard"),
    }
    return [(name, _escaped(str(value))) for name, value in settings.items()]


def _rules(policy: Policy) -> Iterator[str]:
    """Say what differs from the default policy; of judges only the kinds, not whom they call."""
    for field in fields(policy):
        value = getattr(policy, field.name)
        if value != getattr(DEFAULT_POLICY, field.name):
            yield f"{field.name}={_kinds(value) if field.name in _WORKERS else repr(value)}"


def _kinds(workers: Any) -> str:
    listed = cast("tuple[Any, ...]", workers) if isinstance(workers, tuple) else (workers,)
    return "+".join(type(worker).__name__ for worker in listed)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _MARKUP.sub(r"\\\1", shown(text, _SHOWN))


def _quoted(text: str) -> str:
    """Return a text as YAML and JSON quote it, on one line."""
    return json.dumps(shown(text, _SHOWN), ensure_ascii=False)
