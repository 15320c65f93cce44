"""What somebody should know of an export before training with it."""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.datasets.export.rendering import Form
from citeguard.datasets.export.splits import Shares, Split
from citeguard.datasets.export.summary import ExportSummary

# OpenAI's guide to supervised fine-tuning, and the limit that `openai.files.create` documents.
_FEWEST = 10
_LARGEST = 512 * 1024 * 1024
_OPENAI: tuple[Form, ...] = ("chat", "preference")
_OFF = 0.1


def warnings_of(
    summary: ExportSummary, shares: Shares, form: Form, *, shared: int
) -> tuple[str, ...]:
    """Return the warnings, most serious first; `shared` documents stand in several splits."""
    return (
        *_of_groups(summary, shares, shared),
        *_of_size(summary, form),
        *_of_shares(summary, shares),
        *_of_duplicates(summary),
    )


def _of_groups(summary: ExportSummary, shares: Shares, shared: int) -> Iterator[str]:
    if shared:
        stand = "1 document stands" if shared == 1 else f"{shared:,} documents stand"
        yield f"{stand} in more than one split, as the groups given allow it."
    asked = [split for split in ("validation", "test") if shares.of(split) > 0]
    missing = [split for split in asked if split not in summary.splits]
    if not missing:
        return
    if summary.groups == 1:
        yield (
            "All samples belong to one group, which is not divided, so all are in train. Let each "
            "name the sources that it is about, or its group (group, --group-field)."
        )
    else:
        yield f"There are too few groups of samples to fill {' and '.join(missing)}."


def _of_size(summary: ExportSummary, form: Form) -> Iterator[str]:
    if form not in _OPENAI:
        return
    train = summary.splits["train"]
    if train.samples < _FEWEST:
        yield f"train has fewer than {_FEWEST} samples, the fewest that OpenAI takes."
    for split, facts in summary.splits.items():
        if facts.bytes > _LARGEST:
            yield f"{split} has more than 512 MB, the most that OpenAI takes."


def _of_shares(summary: ExportSummary, shares: Shares) -> Iterator[str]:
    splits: tuple[Split, ...] = ("validation", "test")
    for split in splits:
        if (facts := summary.splits.get(split)) is None:
            continue
        share = facts.samples / summary.exported
        if abs(share - shares.of(split)) > _OFF:
            yield (
                f"{split} has {100 * share:.0f} % of the samples instead of "
                f"{100 * shares.of(split):.0f} %, as groups are not divided."
            )


def _of_duplicates(summary: ExportSummary) -> Iterator[str]:
    if summary.duplicates:
        yield f"{summary.duplicates:,} of the samples are the same as an earlier one."
