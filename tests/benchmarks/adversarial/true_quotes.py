"""The makers of true quotes: one for each category."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from . import typography
from .cases import (
    Draft,
    whole,
)
from .corpus import Corpus, Text, TextMaker
from .damage import damages
from .false_quotes import altered_draft
from .gather import of_sentence, sentence_or_part, verbatim
from .honest import HONEST, adjoining, elide_sentence, long
from .layout import LAYOUTS
from .markup import (
    MARKUP,
    author_mark,
    footnote_mark,
    heading,
    numeric_mark,
    wiki_mark,
)
from .negation import NEGATION
from .noise import Noise
from .quantities import NUMBERS
from .typography import TYPOGRAPHY

DraftMaker = Callable[[Draft, Random], Draft | None]


def noisy(noise: Noise) -> TextMaker:
    """Make a maker that applies a noise to either side."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft = sentence_or_part(text.draft(index), rng)
        return noise.on(rng.choice(noise.sides), draft, rng)

    return make


def cased(change: Callable[[str], str]) -> TextMaker:
    """Make a maker that changes the case of every letter of one side."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft = sentence_or_part(text.draft(index), rng)
        if not typography.keeps_meaning_in_any_case(draft):
            return None
        if rng.random() < 0.5:
            return typography.passage_case(change)(draft)
        return draft.reworded(change(draft.quote), "quote side")

    return make


def first_letter_cased(text: Text, index: int, rng: Random) -> Draft | None:
    """Quote a sentence or a part with the first letter in the other case."""
    draft = sentence_or_part(text.draft(index), rng)
    return (
        draft.edit_quote(typography.first_letter(draft.quote, rng))
        if draft.quote[1:2].islower()
        else None
    )


def headed(text: Text, index: int, rng: Random) -> Draft | None:
    """Put a Markdown mark before the sentence, in the quote or on a line of the source."""
    draft = text.draft(index)
    mark = heading("", rng)[0][2]
    if rng.random() < 0.5 and not mark[0].isdigit():
        return draft.reworded(mark + draft.quote)
    start, end = draft.hull
    return draft.edit_source([(start, start, f"\n\n{mark}"), (end, end, "\n\n")])


def between_sentences(marks: tuple[str, ...]) -> TextMaker:
    """Make a maker of quotes of two sentences or more, with a mark between them in the source."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        several = adjoining(text, index, rng.choice((2, 2, 3)))
        if several is None:
            return None
        draft = whole(text.body, several[0][0], several[-1][1])
        mark = rng.choice(marks)
        return draft.edit_source([(span[0] - 1, span[0], mark) for span in several[1:]], repr(mark))

    return make


def mark_before_stop(text: Text, index: int, rng: Random) -> Draft | None:
    """Put a citation mark before the sentence's full stop; the span may hold it or not."""
    draft = text.draft(index)
    start, end = draft.hull
    letters = re.search(r"[a-z]{3}\.$", draft.quote)
    if letters is None:
        return None
    write = rng.choice((numeric_mark, footnote_mark, author_mark, wiki_mark))
    mark = write(letters, rng)
    marked = draft.edit_source([(end - 1, end - 1, mark)], mark)
    return replace(marked, others=((start, end - 1),))


def as_models_write(text: Text, index: int, rng: Random) -> Draft | None:
    """Quote cleanly what the source gives wrapped and marked; other first letter, other end."""
    draft: Draft | None = text.draft(index)
    for noise in (MARKUP["mark_numeric"], TYPOGRAPHY["ws_wrap"]):
        draft = draft and noise.on_source(draft, rng)
    if draft is None or not draft.quote[1:2].islower() or not draft.quote[-2:-1].isalpha():
        return None
    quote = draft.quote[0].lower() + draft.quote[1:].replace("’", "'").replace("“", '"').replace(
        "”", '"'
    )
    ends = (
        quote[:-1],
        quote[:-1] + "...",
        quote[:-1] + ",",
        f'"{quote}"',
        "..." + quote,
        quote[:-1] + ".",
    )
    return draft.reworded(rng.choice(ends))


def detokenised(corpus: Corpus) -> TextMaker:
    """Make a maker whose source has treebank spacing and whose quote has ordinary spacing."""
    smooth = [
        (r" ([,.;:?!])", r"\1"),
        (r"\( ", "("),
        (r" \)", ")"),
        (r" ('s|'re|'ve|'ll|n't)\b", r"\1"),
        (r"`` ", '"'),
        (r" ''", '"'),
        (r" - ", "-"),
        (r" ' ", "' "),
    ]

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        tokenised = corpus.tokenised[rng.randrange(len(corpus.tokenised))].body
        ends = [m.end() for m in re.finditer(r" \.(?= [A-Z]| *$)", tokenised)]
        spans = [
            (a + 1, b)
            for a, b in zip([-1, *ends], ends, strict=False)
            if b - a > 60 and " , " in tokenised[a + 1 : b] and "[" not in tokenised[a + 1 : b]
        ]
        if not spans:
            return None
        draft = whole(tokenised, *rng.choice(spans))
        quote = draft.quote
        for pattern, new in smooth:
            quote = re.sub(pattern, new, quote)
        return draft.reworded(quote)

    return make


def sentences_joined(text: Text, index: int, rng: Random) -> Draft | None:
    """Lose the space between two sentences of the source."""
    draft = long(text, index, rng)
    if draft is None:
        return None
    start, _ = draft.hull
    gaps = [
        (m.start() + start, m.end() + start, "")
        for m in re.finditer(r"(?<=[a-z]\.) (?=[A-Z][a-z])", draft.passage)
    ]
    return draft.edit_source(gaps) if gaps else None


def combined(pool: list[Noise | DraftMaker], count: int) -> TextMaker:
    """Make a maker that applies several noises of a pool, one after the other, in its order."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft: Draft | None = text.draft(index)
        for noise in sorted(rng.sample(pool, count), key=pool.index):
            if draft is None:
                return None
            draft = (
                noise.on(noise.sides[0], draft, rng)
                if isinstance(noise, Noise)
                else noise(draft, rng)
            )
        return draft

    return make


def long_noisy(noise: Noise) -> TextMaker:
    """Make a maker of quotes of several sentences from a source with a noise."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft = long(text, index, rng)
        return draft and noise.on_source(draft, rng)

    return make


def elided_noisy(text: Text, index: int, rng: Random) -> Draft | None:
    """Quote an elided sentence of a wrapped source."""
    draft = HONEST["elide_phrase"](text.draft(index), rng)
    return draft and TYPOGRAPHY["ws_wrap"].on_source(draft, rng)


def repeated(text: Text, index: int, rng: Random) -> Draft | None:
    """Let the sentence stand a second time, at the text's end: either place is right."""
    draft = text.draft(index)
    added = rng.choice(("\n\nSummary\n\n", "\n\n", " "))
    start = len(draft.text) + len(added)
    body = draft.text + added + draft.quote
    return Draft(body, draft.spans, draft.quote, others=((start, start + len(draft.quote)),))


def repeated_noisy(text: Text, index: int, rng: Random) -> Draft | None:
    """Let a noisy copy stand before the clean one: the clean one is the better place."""
    draft = text.draft(index)
    copy = TYPOGRAPHY[rng.choice(("ws_wrap", "soft_hyphen", "hyphen_break"))].on_source(
        whole(draft.quote, 0, len(draft.quote)), rng
    )
    if copy is None:
        return None
    head = copy.text + "\n\n"
    return whole(head + draft.text, draft.hull[0] + len(head), draft.hull[1] + len(head))


def repeated_altered(corpus: Corpus) -> TextMaker:
    """Make a maker with a copy before it that says another thing: only the true place is right."""
    changes = list({**NUMBERS, **NEGATION}.values())

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft = text.draft(index)
        altered = altered_draft(rng.choice(changes), draft, rng, forward=True)
        if altered is None:
            return None
        head = altered.quote + "\n\n"
        moved = whole(head + draft.text, draft.hull[0] + len(head), draft.hull[1] + len(head))
        return TYPOGRAPHY["ws_wrap"].on_source(moved, rng) if rng.random() < 0.5 else moved

    return make


def accepted_makers(corpus: Corpus) -> dict[str, TextMaker]:
    """Return the maker of each category of true quotes."""
    damaged = damages(corpus)
    source_noises: list[Noise | DraftMaker] = [
        TYPOGRAPHY[n]
        for n in (
            "ws_wrap",
            "ws_gaps",
            "space_glyphs",
            "soft_hyphen",
            "hyphen_break",
            "ligatures",
            "glyph_apostrophe",
        )
    ]
    source_noises += [
        MARKUP["mark_numeric"],
        MARKUP["md_emphasis"],
        MARKUP["html_tags"],
        LAYOUTS["page_head_blank_lines"],
        LAYOUTS["page_form_feed"],
    ]
    return {
        "exact": verbatim,
        "case_upper": cased(str.upper),
        "case_lower": cased(str.lower),
        "case_title": cased(lambda s: re.sub(r"\b[a-z]", lambda m: m.group().upper(), s)),
        "case_first_letter": first_letter_cased,
        **{name: noisy(noise) for name, noise in TYPOGRAPHY.items()},
        "ws_detokenised": detokenised(corpus),
        "ws_lost_between_sentences": sentences_joined,
        **{name: noisy(noise) for name, noise in MARKUP.items()},
        "md_heading_or_item": headed,
        **{name: of_sentence(maker) for name, maker in LAYOUTS.items()},
        **{name: noisy(noise) for name, noise in damaged.items()},
        **{name: of_sentence(maker) for name, maker in HONEST.items()},
        "elide_sentence": elide_sentence,
        "elide_unrelated_negation": lambda t, i, r: elide_sentence(t, i, r, negated=True),
        "elide_wrapped": elided_noisy,
        "part_long": long,
        "part_long_wrapped": long_noisy(TYPOGRAPHY["ws_wrap"]),
        "part_long_marks": long_noisy(MARKUP["mark_numeric"]),
        "part_long_hyphens": long_noisy(TYPOGRAPHY["hyphen_break"]),
        "repeated": repeated,
        "repeated_noisy": repeated_noisy,
        "repeated_altered": repeated_altered(corpus),
        "html_paragraphs": between_sentences(
            (
                "</p>\n<p>",
                "</p><p>",
                "<br><br>",
                "</li>\n<li>",
                " <p>",
                '</div>\n<div class="text">',
            )
        ),
        "md_list_items": between_sentences(("\n- ", "\n* ", "\n+ ", "\n\n• ", "\n> ", "\n\n")),
        "mark_before_stop": mark_before_stop,
        "combined_as_models_write": as_models_write,
        "contested_not_sign_hyphen": noisy(
            Noise(
                lambda t, r: [(a, b, "¬\n") for a, b, _ in typography.breakable(t, r)],
                0.3,
                sides=("source",),
            )
        ),
        "combined_two": combined(source_noises, 2),
        "combined_three": combined(source_noises, 3),
    }
