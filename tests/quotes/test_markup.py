"""Markup, escapes and garbled encodings on either side: read where they parse, and only there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from citeguard.language.encodings import recoded

from citeguard.language.markup import find_noise, noise_between
from quotes.tables import misjudged


def read_pairs(name: str) -> list[tuple[str, str]]:
    """Return pairs of a source and a quote."""
    lines = Path(__file__).with_name(f"markup_{name}.jsonl").read_text(encoding="utf-8")
    return [(source, quote) for source, quote in map(json.loads, lines.splitlines())]


def test_a_reader_sees_the_same_text() -> None:
    same = read_pairs("same")
    assert misjudged(same=same, changed=read_pairs("changed")) == []
    assert misjudged(same=[(source, source) for source, _ in same]) == []


@pytest.mark.parametrize(
    "text",
    [
        *("{{" * 20_000, "{{small|" * 8_000, "{{formatnum:" * 8_000 + "}}" * 8_000, "}}" * 20_000),
        *("<ref>" * 10_000, "<!--" * 10_000, "<b '" * 10_000, "<rt></" * 10_000),
        *("\\footnote{" * 5_000, "\\'e" * 10_000, '\\"a' * 10_000, "\\cite[" * 8_000),
        *("$a_" * 10_000, "=\n" * 20_000, "a =\n" * 10_000, "=E9" * 10_000, "~a" * 20_000),
        *("<x " * 10_000, "<x a='b' " * 5_000, "</x><y>" * 5_000, "<y>\n" * 10_000, "[b]" * 10_000),
        *("\\fB" * 10_000, ".IP 1 " * 8_000, "\n.B" * 10_000, "@code{" * 8_000, "== a" * 10_000),
        *("xref:a[" * 8_000, "<<a, " * 10_000, "$n/" * 10_000, '\\n"a":"' * 8_000),
        *("\x1b]" * 20_000, "漢字（" * 10_000, "《" * 20_000, "![a](" * 10_000, "1--" * 10_000),
    ],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_finishes_on_openings_that_never_close(text: str) -> None:
    end = 0
    for noise in find_noise(text):
        assert end <= noise.start < noise.end <= len(text)
        end = noise.end


def test_what_is_around_an_interval_shows_what_its_signs_are() -> None:
    text = "We print {{nowrap|more than 5}} pages."
    start = text.index("than")
    (noise,) = noise_between(text, start, len(text))
    assert text[start + noise.start : start + noise.end] == "}}"


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("plain words", "plain words in ASCII"),
        ("déjà vu", "It was déjà vu again."),
        ("schön", "It is schon late."),
        ("日本", "nothing like it"),
    ],
)
def test_a_quote_in_the_encoding_of_its_source_has_no_other(quote: str, source: str) -> None:
    assert [*recoded(quote, source)] == []
