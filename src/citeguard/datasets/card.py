"""What is reported of an export: `ExportSummary`, its warnings, and the dataset card."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from citeguard.datasets.formats import Form, Rendering
from citeguard.datasets.outputs import FilterSummary
from citeguard.datasets.splits import Shares, Split
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as, shown
from citeguard.validation.policy import DEFAULT_POLICY, Policy

_FEWEST = 10  # OpenAI's guide to supervised fine-tuning
_SHOWN = 300
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_ESCAPED = r"\\\1"
_COUNTS = ("read", "kept", "rejected", "undecided", "codes", "duplicates")
_CONTENTS: dict[Form, str] = {
    "chat": "messages, the last of which is the answer",
    "completion": "a prompt and its completion",
    "preference": "a prompt, the preferred answer, and the one that was rejected before it",
    "chosen-rejected": "a prompt, the chosen answer, and the one that was rejected before it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFacts:
    """How many samples a split has, and how many different documents these were checked against."""

    samples: int
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSummary(FilterSummary):
    """How many samples were read and written, by outcome, and what to know of the result.

    Attributes:
        folder: Where they were written to.
        splits: The size of each split; empty ones are omitted.
        groups: How many groups of samples there are that share no document.
        duplicates: How many of the kept samples equal an earlier one.
        longest: The longest sample in characters, with all its messages.
        fingerprint: A digest of the samples and their splits; the card has it, too.
        warnings: What you should know before you train with it.
    """

    folder: Path
    splits: Mapping[Split, SplitFacts] = field(default_factory=dict[Split, SplitFacts])
    groups: int = 0
    duplicates: int = 0
    longest: int = 0
    fingerprint: str = ""
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the counts on one line, and a line for each split, code and warning."""
        counts, *codes = FilterSummary.__str__(self).splitlines()
        splits = (
            f"  {split}: {counted_as(facts.samples, 'sample')}, "
            f"{counted_as(facts.documents, 'document')}"
            for split, facts in self.splits.items()
        )
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
    if shared:
        documents = "1 document is" if shared == 1 else f"{shared:,} documents are"
        yield f"{documents} in more than one split, as the given groups allow it."
    wanted: dict[Split, float] = {"validation": shares.validation, "test": shares.test}
    missing = [split for split in wanted if wanted[split] > 0 and split not in summary.splits]
    if missing and summary.groups == 1:
        yield (
            "All samples share sources, and such a group is not divided: all are in train. Give "
            "each only the sources that it is about, or name its group (group, --group-field)."
        )
    elif missing:
        yield f"There are too few groups of samples to fill {' and '.join(missing)}."
    if form in ("chat", "preference") and summary.splits["train"].samples < _FEWEST:
        yield f"train has fewer than {_FEWEST} samples, the fewest that OpenAI accepts."
    if summary.duplicates:
        yield f"{summary.duplicates:,} of the samples are the same as an earlier one."


def card_of(
    summary: ExportSummary,
    *,
    license: str | None,
    rendering: Rendering,
    shares: Shares,
    policy: Policy | None,
    group: str | None,
) -> str:
    """Return the card in Markdown, as the hub and `datasets` of Hugging Face read it.

    The same samples and settings give the same card.
    """
    sources = "the sources to answer it from" if rendering.prompt == "instruction" else "no sources"
    system = rendering.instructions
    facts: dict[str, Any] = {
        "samples": {name: getattr(summary, name) for name in _COUNTS},
        "splits": {split: asdict(each) for split, each in summary.splits.items()},
        "settings": {
            "fingerprint": summary.fingerprint,
            "form": rendering.form,
            "prompt": rendering.prompt,
            "answer": rendering.answer,
            "system message": None if system is None else system.identity,
            "model": getattr(rendering.model, "__name__", str(rendering.model)),
            "policy": dict(_changed_rules(policy or DEFAULT_POLICY)),
            **asdict(shares),
            "group": group,
            "citeguard": version("pydantic-citeguard"),
        },
    }
    # No text can close the block, or render as Markdown.
    block = json.dumps(facts, ensure_ascii=False, indent=2).replace("`", "\\u0060")
    splits = "No document is in more than one split."
    parts = [
        _front_matter(summary, license),
        f"# {_MARKUP.sub(_ESCAPED, shown(summary.folder.name, _SHOWN))}",
        f"Each sample has {_CONTENTS[rendering.form]}. The prompt has the question and {sources}. "
        "citeguard has checked the quotes of every answer against the sources, and written them as "
        "they appear there.",
        splits if group is None else "The splits are by groups, not by documents.",
    ]
    if summary.warnings:
        warnings = "\n".join(f"- {each}" for each in summary.warnings)
        parts += ["## Before you train with it", warnings]
    parts += ["## How it was made", f"```json\n{block}\n```"]
    return "\n\n".join(parts) + "\n"


def _front_matter(summary: ExportSummary, license: str | None) -> str:
    # JSON is YAML, too, and stays on one line.
    def quoted(text: str) -> str:
        return json.dumps(shown(text, _SHOWN), ensure_ascii=False)

    return "\n".join(
        [
            "---",
            *([] if license is None else [f"license: {quoted(license)}"]),
            *("tags:", "- citations", "- citeguard"),
            *("configs:", "- config_name: default"),
            # Without a value that changes, `datasets` would serve an earlier export from its cache.
            f"  description: {quoted(f'export {summary.fingerprint}')}",
            "  data_files:",
            *(f"  - split: {split}\n    path: {split}.jsonl" for split in summary.splits),
            "---",
        ]
    )


def _changed_rules(policy: Policy) -> Iterator[tuple[str, str]]:
    for each in fields(policy):
        value = getattr(policy, each.name)
        if value == getattr(DEFAULT_POLICY, each.name):
            continue
        # Of judges only the types: their settings may hold keys and addresses.
        if each.name in ("support", "alignment", "retriever"):
            judges = cast("tuple[Any, ...]", value if isinstance(value, tuple) else (value,))
            yield each.name, "+".join(type(judge).__name__ for judge in judges)
        else:
            yield each.name, repr(value)
