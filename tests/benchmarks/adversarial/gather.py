"""Gather the cases made from natural sentences: every category its own seeded walk of the corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from . import typography
from .cases import Candidates, Case, Draft, Place, disjoint, shifted, whole
from .corpus import Corpus, Text, TextMaker
from .damage import damages
from .honest import HONEST, elide_sentence, fragment, long
from .layout import LAYOUTS
from .markup import MARKUP, heading
from .meaning import NEGATION, NUMBERS, WORDS_OF_DEGREE, ContentWords
from .noise import Noise
from .structure import BY_SENTENCE, BY_TEXT
from .typography import TYPOGRAPHY

DraftMaker = Callable[[Draft, Random], Draft | None]

_IDS = ("s{}", "doc-{}", "{}", "report_{}.pdf", "https://example.org/{}", "Kapitel {}", "chunk{}")
_CUT_ALLOWED = ("clipped_", "flag_")


def squashed(text: str) -> str:
    """Fold case and whitespace."""
    return " ".join(text.casefold().split())


class Gatherer:
    """Turns makers of drafts into cases: sources around them, ids, and a check that they are sound."""

    def __init__(self, corpus: Corpus, limit: int) -> None:
        self.corpus = corpus
        self.limit = limit

    def drafts(self, category: str, maker: TextMaker, most: int | None = None) -> Iterator[Draft]:
        """Make up to the limit of drafts, from as many different texts as possible."""
        made = 0
        for number, (text, index) in enumerate(self.corpus.shuffled(category)):
            if made >= (most or self.limit):
                return
            draft = maker(text, index, Random(f"{category}/{number}"))
            if draft is not None:
                made += 1
                yield draft

    def cases(
        self, category: str, maker: TextMaker, *, accept: bool, denied: bool | None = None
    ) -> Iterator[Case]:
        """Make the cases of one category, unsound ones left out."""
        made = 0
        for number, draft in enumerate(self.drafts(category, maker, self.limit * 2)):
            case = self.case(
                category, draft, Random(f"{category}:{number}"), accept=accept, denied=denied
            )
            if made < self.limit and is_sound(case):
                made += 1
                yield case

    def case(
        self, category: str, draft: Draft, rng: Random, *, accept: bool, denied: bool | None = None
    ) -> Case:
        """Put a draft's text among none to two others, and name it or not."""
        form = rng.choice(_IDS)
        others = [t.body for t in rng.sample(self.corpus.natural, rng.choice((0, 0, 1, 2))) if t.body[:80] not in draft.text and squashed(draft.quote) not in squashed(t.body)]  # fmt: skip
        at = rng.randint(0, len(others))
        bodies = [*others[:at], draft.text, *others[at:]]
        sources = {form.format(number): body for number, body in enumerate(bodies, 1)}
        own = form.format(at + 1)
        alternatives = [draft.spans, *([other] for other in draft.others)]
        expected = tuple(tuple(Place(own, *span) for span in spans) for spans in alternatives)
        return Case(
            category=category,
            accept=accept,
            sources=sources,
            quote=draft.quote,
            source_id=own if rng.random() < 0.5 else None,
            expected=expected if accept else (),
            denied=denied,
            note=draft.note,
        )

    def accepted(self) -> Iterator[Case]:
        """Make every case of a true quote with harmless noise."""
        for category, maker in accepted_makers(self.corpus).items():
            yield from self.cases(category, maker, accept=True)

    def refused(self) -> Iterator[Case]:
        """Make every case of a changed quote."""
        for category, maker in refused_makers(self.corpus).items():
            yield from self.cases(category, maker, accept=False)


def is_sound(case: Case) -> bool:
    """Tell whether the right verdict is beyond doubt.

    An accepted case must have its place; a refused quote must stand in no source by another way.
    """
    if case.accept:
        return bool(case.expected) and bool(case.quote.strip())
    if case.category.startswith(_CUT_ALLOWED):
        return True
    return not any(squashed(case.quote) in squashed(body) for body in case.sources.values())


def of_sentence(maker: DraftMaker) -> TextMaker:
    """Make a maker that is given a verbatim draft of the sentence."""
    return lambda text, index, rng: maker(text.draft(index), rng)


def sentence_or_part(draft: Draft, rng: Random) -> Draft:
    """Quote a whole sentence, mostly, or a part of one."""
    return (fragment(draft, rng, 7, 16) if rng.random() < 0.3 else None) or draft


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
    if rng.random() < 0.5:
        return draft.reworded(mark + draft.quote)
    start, end = draft.hull
    two_lines = draft.edit_source([(start, start, f"\n\n{mark}"), (end, end, "\n\n")])
    return two_lines


def verbatim(text: Text, index: int, rng: Random) -> Draft | None:
    """Quote a sentence or a part as it stands."""
    return sentence_or_part(text.draft(index), rng)


def detokenised(corpus: Corpus) -> TextMaker:
    """Make a maker whose source has treebank spacing and whose quote has ordinary spacing."""
    smooth = [(r" ([,.;:?!])", r"\1"), (r"\( ", "("), (r" \)", ")"), (r" ('s|'re|'ve|'ll|n't)\b", r"\1"), (r"`` ", '"'), (r" ''", '"'), (r" - ", "-"), (r" ' ", "' ")]  # fmt: skip

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        tokenised = corpus.tokenised[rng.randrange(len(corpus.tokenised))].body
        ends = [m.end() for m in re.finditer(r" \.(?= [A-Z]| *$)", tokenised)]
        spans = [(a + 1, b) for a, b in zip([-1, *ends], ends, strict=False) if b - a > 60 and " , " in tokenised[a + 1 : b]]  # fmt: skip
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
    gaps = [(m.start() + start, m.end() + start, "") for m in re.finditer(r"(?<=[a-z]\.) (?=[A-Z][a-z])", draft.passage)]  # fmt: skip
    return draft.edit_source(gaps) if gaps else None


def combined(pool: list[Noise | DraftMaker], count: int) -> TextMaker:
    """Make a maker that applies several noises one after the other, each to a side that allows it."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft: Draft | None = text.draft(index)
        for noise in rng.sample(pool, count):
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
    copy = TYPOGRAPHY[rng.choice(("ws_wrap", "soft_hyphen", "hyphen_break"))].on_source(whole(draft.quote, 0, len(draft.quote)), rng)  # fmt: skip
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


def altered_draft(change: Candidates, draft: Draft, rng: Random, *, forward: bool) -> Draft | None:
    """Make one change of meaning in the quote (forward), or in the source."""
    edits = [
        edit
        for edit in disjoint(change(draft.quote, rng))
        if draft.quote[edit[0] : edit[1]] != edit[2]
    ]
    if not edits:
        return None
    start, end, new = edit = rng.choice(edits)
    note = f"{draft.quote[start:end]!r} -> {new!r}" + ("" if forward else " in the source")
    if forward:
        return draft.edit_quote([edit], note)
    return draft.edit_source(shifted([edit], draft.hull[0]), note)


def altered(change: Candidates, *, both: bool) -> TextMaker:
    """Make a maker that makes a change of meaning on one side."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        return altered_draft(
            change, text.draft(index), rng, forward=not both or rng.random() < 0.65
        )

    return make


def altered_and_noisy(changes: list[Candidates], noises: list[Noise | DraftMaker]) -> TextMaker:
    """Make a maker that makes a change of meaning in the quote and a noise in the source."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft = altered_draft(rng.choice(changes), text.draft(index), rng, forward=True)
        noise = rng.choice(noises)
        if draft is None:
            return None
        return noise.on_source(draft, rng) if isinstance(noise, Noise) else noise(draft, rng)

    return make


def of_planted(maker: TextMaker) -> TextMaker:
    """Make a maker that adds a noise to the source of another maker's drafts."""
    names = ("ws_wrap", "ws_gaps", "space_glyphs", "soft_hyphen", "hyphen_break")

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft = maker(text, index, rng)
        return draft and TYPOGRAPHY[rng.choice(names)].on_source(draft, rng)

    return make


def accepted_makers(corpus: Corpus) -> dict[str, TextMaker]:
    """Return the maker of each category of true quotes."""
    damaged = damages(corpus)
    source_noises: list[Noise | DraftMaker] = [TYPOGRAPHY[n] for n in ("ws_wrap", "ws_gaps", "space_glyphs", "soft_hyphen", "hyphen_break", "ligatures", "glyph_apostrophe")]  # fmt: skip
    source_noises += [LAYOUTS["page_head_blank_lines"], LAYOUTS["page_form_feed"], MARKUP["mark_numeric"], MARKUP["md_emphasis"], MARKUP["html_tags"]]  # fmt: skip
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
        "combined_two": combined(source_noises, 2),
        "combined_three": combined(source_noises, 3),
    }


def refused_makers(corpus: Corpus) -> dict[str, TextMaker]:
    """Return the maker of each category of changed quotes."""
    words = ContentWords(corpus).table()
    one_way = (
        "negation_not_gained",
        "negation_nt_gained",
        "negation_never_gained",
        "bracketed_meaning",
    )
    changes = {**NEGATION, **NUMBERS, **WORDS_OF_DEGREE, **words}
    strong = [*NEGATION.values(), *NUMBERS.values(), WORDS_OF_DEGREE["quantifier"], WORDS_OF_DEGREE["hedge_lost"], words["word_swapped"], words["name_swapped"]]  # fmt: skip
    noises: list[Noise | DraftMaker] = [TYPOGRAPHY[n] for n in ("ws_wrap", "ws_gaps", "soft_hyphen", "hyphen_break", "ligatures")]  # fmt: skip
    noises += [
        MARKUP["mark_numeric"],
        MARKUP["md_emphasis"],
        MARKUP["html_tags"],
        *LAYOUTS.values(),
    ]
    return {
        **{name: altered(change, both=name not in one_way) for name, change in changes.items()},
        **{name: of_sentence(maker) for name, maker in BY_SENTENCE.items()},
        **BY_TEXT,
        "noise_and_change": altered_and_noisy(strong, noises),
        "noise_and_negation": altered_and_noisy(list(NEGATION.values()), noises),
    }
