"""What is reported of an export: `ExportSummary`, its warnings, and the dataset card."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, cast

from citeguard.datasets.export.formats import Form, Rendering
from citeguard.datasets.export.splits import Shares, Split, name_of
from citeguard.errors import CiteguardError, check_text
from citeguard.language.excerpts import counted_as, shown
from citeguard.validation.policy import DEFAULT_POLICY, Policy

# OpenAI's guide to supervised fine-tuning, and the limit that `openai.files.create` documents.
_FEWEST = 10
_LARGEST = 512 * 1024 * 1024
_OPENAI: tuple[Form, ...] = ("chat", "preference")
# How far a split may be from its share without a warning.
_TOLERANCE = 0.1

_SHOWN = 300
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_JUDGES = ("support", "alignment", "retriever")
_SIZES = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")


class FilterCounts(Protocol):
    """What a card says about the filter that the samples came through: a `FilterSummary`, say."""

    @property
    def read(self) -> int:
        """How many samples were read."""
        ...

    @property
    def kept(self) -> int:
        """How many passed."""
        ...

    @property
    def rejected(self) -> int:
        """How many had an error."""
        ...

    @property
    def undecided(self) -> int:
        """How many no judge could decide."""
        ...

    @property
    def codes(self) -> Mapping[str, int]:
        """How many samples had each error code."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFacts:
    """The size of a split.

    Attributes:
        samples: How many samples it has.
        documents: How many different documents these were checked against.
        bytes: The size of its file.
    """

    samples: int
    documents: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSummary:
    """How many samples were read, by outcome; `read` is the sum of the next three counts.

    Attributes:
        folder: Where they were written to.
        read: The number of samples.
        exported: How many were written.
        refused: How many were not, because of an error.
        undecided: How many were not, because no judge could decide.
        codes: The number of samples with each error code, in descending order.
        examples: The first message of each code.
        splits: The size of each split; empty ones are omitted.
        groups: How many groups of samples there are that share no document.
        duplicates: How many of the exported samples equal an earlier one.
        longest: The longest sample in characters, with all its messages.
        fingerprint: A digest of the samples and their splits; the card has it, too.
        warnings: What you should know before you train with it.
    """

    folder: Path
    read: int = 0
    exported: int = 0
    refused: int = 0
    undecided: int = 0
    codes: Mapping[str, int] = field(default_factory=dict[str, int])
    examples: Mapping[str, str] = field(default_factory=dict[str, str])
    splits: Mapping[Split, SplitFacts] = field(default_factory=dict[Split, SplitFacts])
    groups: int = 0
    duplicates: int = 0
    longest: int = 0
    fingerprint: str = ""
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the counts on one line, and a line for each split, code and warning."""
        counts = (
            f"{self.read:,} read: {self.exported:,} exported, {self.refused:,} refused, "
            f"{self.undecided:,} undecided"
        )
        splits = [
            f"  {split}: {counted_as(facts.samples, 'sample')}, "
            f"{counted_as(facts.documents, 'document')}"
            for split, facts in self.splits.items()
        ]
        codes = [f"  {code}: {count:,}" for code, count in self.codes.items()]
        return "\n".join([counts, *splits, *codes, *(f"  ! {each}" for each in self.warnings)])


class NothingExportedError(CiteguardError):
    """No sample could be exported, and nothing was written.

    Attributes:
        summary: The counts, and why.
    """

    def __init__(self, summary: ExportSummary) -> None:
        codes = ", ".join(f"{code} {count:,}" for code, count in summary.codes.items())
        message = f"none of {summary.read:,} samples could be exported ({codes})"
        super().__init__(message if summary.read else "there are no samples to export")
        self.summary = summary


def warnings_of(
    summary: ExportSummary, shares: Shares, form: Form, *, shared: int
) -> Iterator[str]:
    """Yield the warnings, most serious first; `shared` documents are in several splits."""
    yield from _group_warnings(summary, shares, shared)
    if form in _OPENAI:
        if summary.splits["train"].samples < _FEWEST:
            yield f"train has fewer than {_FEWEST} samples, the fewest that OpenAI accepts."
        for split, facts in summary.splits.items():
            if facts.bytes > _LARGEST:
                yield f"{split} has more than 512 MB, the most that OpenAI accepts."
    for split, facts in summary.splits.items():
        share = facts.samples / summary.exported
        if split != "train" and abs(share - shares.of(split)) > _TOLERANCE:
            yield (
                f"{split} has {100 * share:.0f} % of the samples instead of "
                f"{100 * shares.of(split):.0f} %, as groups are not divided."
            )
    if summary.duplicates:
        yield f"{summary.duplicates:,} of the samples are the same as an earlier one."


def _group_warnings(summary: ExportSummary, shares: Shares, shared: int) -> Iterator[str]:
    if shared:
        documents = "1 document is" if shared == 1 else f"{shared:,} documents are"
        yield f"{documents} in more than one split, as the given groups allow it."
    splits: tuple[Split, ...] = ("validation", "test")
    missing = [each for each in splits if shares.of(each) > 0 and each not in summary.splits]
    if missing and summary.groups == 1:
        yield (
            "All samples belong to one group, which is not divided, so all are in train. Let each "
            "name the sources that it is about, or its group (group, --group-field)."
        )
    elif missing:
        yield f"There are too few groups of samples to fill {' and '.join(missing)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What the card says that an export cannot know.

    Attributes:
        title: Its heading; by default the name of the folder.
        license: The licence of the data, as the hub names it ("cc-by-4.0"). Only you know it: it
            depends on the licences of the sources, and the card says so if none is given.
        filtered: The summary of the filter that the samples came through.

    Raises:
        CiteguardError: a title or a licence that is not a string.
    """

    title: str | None = None
    license: str | None = None
    filtered: FilterCounts | None = None

    def __post_init__(self) -> None:
        """Reject now what would fail after all samples have been written."""
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
    """Return the card in Markdown, as the hub and `datasets` of Hugging Face read it.

    The same samples and settings give the same card.
    """
    title = _escaped(summary.folder.name if card.title is None else card.title)
    folder = json.dumps(shown(summary.folder.name, _SHOWN), ensure_ascii=False)
    sizes = [
        (split, f"{facts.samples:,}", f"{facts.documents:,}", f"{facts.bytes:,}")
        for split, facts in summary.splits.items()
    ]
    counts = [
        ("read", f"{summary.read:,}"),
        ("exported", f"{summary.exported:,}"),
        ("refused", f"{summary.refused:,}"),
        ("undecided", f"{summary.undecided:,}"),
        ("the same as an earlier one", f"{summary.duplicates:,}"),
        *_code_rows(summary.codes),
    ]
    settings = [
        ("fingerprint", summary.fingerprint),
        *_settings(rendering, shares, policy, group),
    ]
    warnings = "\n".join(f"- {_escaped(each)}" for each in summary.warnings)
    parts = [
        _front_matter(summary, card),
        f"# {title}",
        _about(rendering),
        _table(("split", "samples", "documents", "bytes"), sizes),
        "No document is in more than one split."
        if group is None
        else f"The splits are by groups ({_escaped(group)}), not by documents.",
        f"```python\nfrom datasets import load_dataset\n\ndataset = load_dataset({folder})\n```",
        *(["## Before you train with it", warnings] if warnings else []),
        "## How many samples were exported",
        _table(("", "samples"), counts),
        *_filter(card.filtered),
        "## Settings",
        _table(("setting", "value"), settings),
        "## Licence",
        "Not stated; it depends on the licences of the sources."
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
    # Without a value that changes, `datasets` would serve an earlier export from its cache.
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
    contents = {
        "chat": "messages, the last of which is the answer",
        "completion": "a prompt and its completion",
        "preference": "a prompt, the preferred answer, and the one that was rejected before it",
        "chosen-rejected": "a prompt, the chosen answer, and the one that was rejected before it",
    }[rendering.form]
    prompt = {
        "instruction": "The prompt has the question and the sources to answer it from.",
        "simple": "The prompt has the question and no sources.",
    }[rendering.prompt]
    return (
        f"Each sample has {contents}. {prompt} citeguard has checked the quotes of every answer "
        "against the sources, and written them as they appear there."
    )


def _filter(counts: FilterCounts | None) -> list[str]:
    if counts is None:
        return []
    rows = [
        (name, f"{getattr(counts, name):,}") for name in ("read", "kept", "rejected", "undecided")
    ]
    table = _table(("", "samples"), [*rows, *_code_rows(counts.codes)])
    return ["## The filter that they came through", table]


def _code_rows(codes: Mapping[str, int]) -> list[tuple[str, str]]:
    return [(f"with {_escaped(code)}", f"{count:,}") for code, count in codes.items()]


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
        "policy": ", ".join(_changed_rules(policy or DEFAULT_POLICY)) or "default",
        "validation, test": f"{shares.validation}, {shares.test}",
        "seed": shares.seed,
        "group": "documents" if group is None else group,
        "citeguard": version("pydantic-citeguard"),
    }
    return [(name, _escaped(str(value))) for name, value in settings.items()]


def _changed_rules(policy: Policy) -> Iterator[str]:
    for each in fields(policy):
        value = getattr(policy, each.name)
        if value != getattr(DEFAULT_POLICY, each.name):
            # Of judges only the types: their settings may hold keys and addresses.
            text = _type_names(value) if each.name in _JUDGES else repr(value)
            yield f"{each.name}={text}"


def _type_names(judges: Any) -> str:
    listed = cast("tuple[Any, ...]", judges) if isinstance(judges, tuple) else (judges,)
    return "+".join(type(judge).__name__ for judge in listed)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _escaped(text: str) -> str:
    """Return a text that Markdown renders literally, on one line."""
    return _MARKUP.sub(r"\\\1", shown(text, _SHOWN))


def _quoted(text: str) -> str:
    """Return a text as YAML and JSON quote it, on one line."""
    return json.dumps(shown(text, _SHOWN), ensure_ascii=False)
