"""Chinese, Japanese, German and Arabic: their own typography, and their own small words that count.

The Chinese texts are those of citecheck; the others were written for this benchmark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from .cases import Candidates, Case, Draft, Place, disjoint, whole
from .corpus import rows, stands_once
from .foreign_changes import (
    ARABIC_CHANGES,
    CHINESE_CHANGES,
    GERMAN_CHANGES,
    JAPANESE_CHANGES,
)
from .foreign_noise import ARABIC_NOISES, CJK_NOISES, GERMAN_NOISES
from .languages_texts import ARABIC, GERMAN, JAPANESE
from .noise import Noise


def chinese_drafts(folder: Path) -> list[Draft]:
    """Read sentences of Chinese texts, one or two of each, every one standing once in its text."""
    drafts: list[Draft] = []
    for row in rows(folder, "citecheck"):
        body = max((c["text"] for c in row["context"]), key=len)[:1500]
        found = [
            m
            for m in re.finditer(
                r"(?<=[。！？\n])[^。！？\n\[\s”」』）)，][^。！？\n\[]{14,70}[。！？]", body
            )
            if stands_once(m.group()[2:-2], body)
        ]
        drafts += [whole(body, *m.span()) for m in found[:2]]
    return drafts


def written_drafts(texts: tuple[str, ...], stops: str) -> list[Draft]:
    """Draft every sentence of texts written here."""
    pattern = re.compile(rf"[^{stops}\s][^{stops}]*[{stops}][“”»」]?")
    return [whole(body, *m.span()) for body in texts for m in pattern.finditer(body)]


def _case(category: str, draft: Draft, *, accept: bool, number: int) -> Case:
    """Make a case of a draft, its source named every second time."""
    expected = (tuple(Place("q1", *span) for span in draft.spans),) if accept else ()
    return Case(
        category=category,
        accept=accept,
        sources={"q1": draft.text},
        quote=draft.quote,
        source_id="q1" if number % 2 else None,
        expected=expected,
        note=draft.note,
    )


def _noisy_cases(
    language: str, drafts: list[Draft], noises: dict[str, Noise], limit: int
) -> Iterator[Case]:
    """Apply every noise of a language to its sentences; and quote them as they stand."""
    for name, noise in noises.items():
        made = 0
        for number, draft in enumerate(Random(name).sample(drafts, len(drafts)) * 2):
            rng = Random(f"{language}{name}{number}")
            changed = noise.on(rng.choice(noise.sides), draft, rng)
            if changed and made < limit:
                made += 1
                yield _case(f"{language}_{name}", changed, accept=True, number=number)
    for number, draft in enumerate(drafts[:limit]):
        yield _case(f"{language}_exact", draft, accept=True, number=number)


def _changed_cases(
    language: str, drafts: list[Draft], changes: dict[str, Candidates], limit: int
) -> Iterator[Case]:
    """Make every change of meaning of a language, in the quote or in the source."""
    for name, change in changes.items():
        made, seen = 0, set[tuple[str, str]]()
        for number, draft in enumerate(Random(name).sample(drafts, len(drafts)) * 3):
            case = _changed(f"{language}_not_{name}", change, draft, number)
            if case and made < limit and (key := (case.quote, case.sources["q1"])) not in seen:
                seen.add(key)
                made += 1
                yield case


def _changed(category: str, change: Candidates, draft: Draft, number: int) -> Case | None:
    """Make one change of meaning, if the sentence allows it and the text has no such words."""
    rng = Random(f"{category}{number}")
    edits = [e for e in disjoint(change(draft.quote, rng)) if draft.quote[e[0] : e[1]] != e[2]]
    if not edits:
        return None
    start, end, new = edit = rng.choice(edits)
    altered = draft.edit_quote([edit], f"{draft.quote[start:end]!r} -> {new!r}")
    if rng.random() < 0.35:
        moved = (start + draft.hull[0], end + draft.hull[0], new)
        altered = draft.edit_source([moved], f"{draft.quote[start:end]!r} -> {new!r} in the source")
    if unicodedata.normalize("NFKC", altered.quote) in unicodedata.normalize("NFKC", altered.text):
        return None
    return _case(category, altered, accept=False, number=number)


def language_cases(folder: Path, limit: int) -> Iterator[Case]:
    """Make the cases of all four languages."""
    languages: tuple[
        tuple[str, Callable[[], list[Draft]], dict[str, Noise], dict[str, Candidates]], ...
    ] = (
        ("zh", lambda: chinese_drafts(folder), CJK_NOISES, CHINESE_CHANGES),
        ("ja", lambda: written_drafts(JAPANESE, "。"), CJK_NOISES, JAPANESE_CHANGES),
        ("de", lambda: written_drafts(GERMAN, ".!?"), GERMAN_NOISES, GERMAN_CHANGES),
        ("ar", lambda: written_drafts(ARABIC, ".؟"), ARABIC_NOISES, ARABIC_CHANGES),
    )
    for name, drafts, noises, changes in languages:
        sentences = drafts()
        yield from _noisy_cases(name, sentences, noises, limit)
        yield from _changed_cases(name, sentences, changes, limit)
