"""False quotes whose every word is true: clipped, stitched, reordered, torn from their places."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from .cases import Draft, whole
from .corpus import Text, stands_once
from .honest import adjoining

Maker = Callable[[Draft, Random], Draft | None]
_MARKS = (" ... ", " … ", " [...] ", "... ", " […] ")
_SWALLOWED = re.compile(
    r"\b(?:(?:did|does|do|is|are|was|were|has|have|had|could|would|should|can|will) not"
    r"|(?:did|does|is|was|were|has|have|had|could|would)n['’]t"
    r"|cannot|never|no longer|not|without|hardly|unlikely to|failed to|refused to"
    r"|up to|at least|at most|less than|only|allegedly|reportedly|possibly|probably|almost|nearly"
    r"|may|might|could|rarely|partly|some of|most of|few of|alleged|unless|if)\b"
)


_PREFIX = re.compile(
    r"\b(?:non|un|anti|ex|pseudo|counter|semi|post|pre)-(?=[a-zA-Z]{4})"
    r"|\bun(?=able|likely|known|common|usual|certain|successful|official|related|clear|safe|armed)"
    r"|\bnon(?=profit|linear|human)|\bim(?=possible|mature|perfect)|\bil(?=legal|logical|licit)"
    r"|\bin(?=active|complete|correct|direct|effective|dependent|sufficient|visible|formal)"
    r"|\bdis(?=agree|approve|advantage|honest|continued|appear)|\bir(?=regular|relevant)"
    r"|\bab(?=normal)|\bmis(?=understood|led)"
)


def ellipsis_swallows(draft: Draft, rng: Random) -> Draft | None:
    """Leave out a negation or a qualifier, with up to three plain words, and mark the place."""
    found = [m for m in _SWALLOWED.finditer(draft.passage) if m.start() > 12 and not _is_idle(m)]
    rng.shuffle(found)
    for m in found:
        tail = re.match(r"((?: [a-z]+){0,3}) (?=[a-z]{2,} \S+ \S+)", draft.passage[m.end() :])
        if tail:
            after = m.end() + (tail.end() if rng.random() < 0.6 else 1)
            before = draft.passage[: m.start()].rstrip(" ,")
            quote = before + rng.choice(_MARKS) + draft.passage[after:]
            return draft.reworded(quote, f"swallowed {draft.passage[m.start() : after]!r}")
    return None


def _is_idle(m: re.Match[str]) -> bool:
    """Tell whether a negation says nothing by itself: "whether or not", "not only"."""
    return m.string[: m.start()].endswith("or ") or m.string[m.end() :].startswith(" only")


def _halves(words: str) -> tuple[str, str] | None:
    """Cut a sentence into two halves of five words or more."""
    tokens = words.split(" ")
    if len(tokens) < 11:
        return None
    middle = len(tokens) // 2
    return " ".join(tokens[:middle]), " ".join(tokens[middle:])


def segments_out_of_order(draft: Draft, rng: Random) -> Draft | None:
    """Quote the second half of a sentence, a mark, and the first half."""
    halves = _halves(draft.passage)
    if halves is None or not all(stands_once(half, draft.text) for half in halves):
        return None
    return draft.reworded(halves[1].rstrip(".") + rng.choice(_MARKS) + halves[0])


def clauses_reordered(draft: Draft, rng: Random) -> Draft | None:
    """Exchange what stands before and after a comma or a conjunction."""
    places = [
        m
        for m in re.finditer(r",? (?:and|but|while|because|when|which|who|that) |, ", draft.passage)
        if m.start() > 18 and len(draft.passage) - m.end() > 18
    ]
    if not places:
        return None
    m = rng.choice(places)
    first, second = draft.passage[: m.start()], draft.passage[m.end() :]
    second, stop = (second[:-1], second[-1]) if second[-1] in ".!?" else (second, "")
    first = first[0].lower() + first[1:] if first[1:2].islower() else first
    return draft.reworded(second[0].upper() + second[1:] + m.group() + first + stop)


def words_shuffled(draft: Draft, rng: Random) -> Draft | None:
    """Move a run of three to five words to another place in the sentence."""
    words = draft.passage.split(" ")
    if len(words) < 14:
        return None
    size, at = rng.randint(3, 5), rng.randint(1, 4)
    moved, rest = words[at : at + size], words[:at] + words[at + size :]
    to = rng.randint(at + 3, len(rest) - 1)
    return draft.reworded(" ".join([*rest[:to], *moved, *rest[to:]]))


def clipped_word(draft: Draft, rng: Random) -> Draft | None:
    """End or begin the quote inside a long word, three letters or more from its border."""
    words = list(re.finditer(r"\b[a-z]{8,}\b", draft.passage))
    at_end = [m for m in words if m.start() > 30]
    at_start = [m for m in words if len(draft.passage) - m.end() > 30]
    if at_end and (rng.random() < 0.5 or not at_start):
        m = rng.choice(at_end)
        return draft.reworded(draft.passage[: m.end() - rng.randint(3, 5)])
    if at_start:
        m = rng.choice(at_start)
        return draft.reworded(draft.passage[m.start() + rng.randint(3, 5) :])
    return None


def clipped_prefix(draft: Draft, rng: Random) -> Draft | None:
    """Begin the quote behind a prefix that denies or limits the word."""
    found = [m for m in _PREFIX.finditer(draft.passage) if len(draft.passage) - m.end() > 20]
    if not found:
        return None
    m = rng.choice(found)
    return draft.reworded(draft.passage[m.end() :], f"clipped {m.group()!r}")


def clipped_number_start(draft: Draft, rng: Random) -> Draft | None:
    """Begin the quote inside a number: after a digit, a separator, a point or a sign."""
    places = [
        m
        for m in re.finditer(r"(?<=\d)[,.]?(?=\d)|(?<=\s)[-−](?=\d)", draft.passage)
        if len(draft.passage) - m.end() > 12
    ]
    if not places:
        return None
    m = rng.choice(places)
    return draft.reworded(draft.passage[m.end() :])


def clipped_number_end(draft: Draft, rng: Random) -> Draft | None:
    """End the quote inside a number: before a digit, a separator, a point, %, or a magnitude."""
    places = [
        m
        for m in re.finditer(
            r"(?<=\d)[,.]?(?=\d)|(?<=\d)(?=%|(?:st|nd|rd|th|s|km|mg|am|pm)\b)", draft.passage
        )
        if m.start() > 15
    ]
    if not places:
        return None
    m = rng.choice(places)
    return draft.reworded(draft.passage[: m.start()])


def clipped_magnitude(draft: Draft, rng: Random) -> Draft | None:
    """End the quote between a number and the word that makes it large or a share."""
    places = [
        m
        for m in re.finditer(
            r"(?<=\d)(?= (?:million|billion|trillion|thousand|percent|per cent)\b)", draft.passage
        )
        if m.start() > 12
    ]
    return draft.reworded(draft.passage[: rng.choice(places).start()]) if places else None


def lost_line(draft: Draft, rng: Random) -> Draft | None:
    """Wrap the passage into lines and leave one whole line out of the quote."""
    words = draft.passage.split(" ")
    size = rng.randint(2, 7)
    lines = [" ".join(words[i : i + size]) for i in range(0, len(words), size)]
    if len(lines) < 4:
        return None
    gone = rng.randint(1, len(lines) - 2)
    start, end = draft.hull
    wrapped = draft.edit_source([(start, end, "\n".join(lines))])
    return wrapped.reworded(
        " ".join(lines[:gone] + lines[gone + 1 :]), f"lost line {lines[gone]!r}"
    )


_ASIDES = (
    "only for adults",
    "not for children",
    "in mice",
    "if funds allow",
    "except in winter",
    "according to its owner",
    "for a trial period",
    "without a prescription",
    "on weekdays only",
    "as the defence claimed",
    "under certain conditions",
    "in theory",
    "subject to approval",
    "until further notice",
)


def lost_aside(draft: Draft, rng: Random) -> Draft | None:
    """Put a qualifying phrase on a line of its own in the source, as a page head might stand."""
    spaces = [m.start() for m in re.finditer(r"(?<=[a-z]) (?=[a-z])", draft.passage)][2:-2]
    if not spaces:
        return None
    start, _ = draft.hull
    at = start + rng.choice(spaces)
    gap, aside = rng.choice(("\n", "\n\n", "\n", " ")), rng.choice(_ASIDES)
    return draft.edit_source([(at, at + 1, f"{gap}{aside}{gap}")], f"lost {aside!r}")


def stitched_halves(text: Text, index: int, rng: Random) -> Draft | None:
    """Join the first half of a sentence and the second half of a later one, without a mark."""
    if index + 1 >= len(text.sentences):
        return None
    later = rng.randint(index + 1, len(text.sentences) - 1)
    first, second = _halves(text.sentence(index)), _halves(text.sentence(later))
    if first is None or second is None:
        return None
    return whole(text.body, *text.sentences[index]).reworded(f"{first[0]} {second[1]}")


def sentence_skipped(text: Text, index: int, rng: Random) -> Draft | None:
    """Join the first and the last of three sentences, without a mark."""
    three = adjoining(text, index, 3)
    if three is None:
        return None
    body = text.body
    return whole(body, three[0][0], three[2][1]).reworded(
        f"{body[slice(*three[0])]} {body[slice(*three[2])]}"
    )


def sentences_reversed(text: Text, index: int, rng: Random) -> Draft | None:
    """Quote two neighbouring sentences, the second first."""
    two = adjoining(text, index, 2)
    if two is None:
        return None
    return whole(text.body, two[0][0], two[1][1]).reworded(
        f"{text.body[slice(*two[1])]} {text.body[slice(*two[0])]}"
    )


BY_SENTENCE: dict[str, Maker] = {
    "ellipsis_swallows": ellipsis_swallows,
    "ellipsis_out_of_order": segments_out_of_order,
    "clauses_reordered": clauses_reordered,
    "words_moved": words_shuffled,
    "clipped_word": clipped_word,
    "clipped_prefix": clipped_prefix,
    "clipped_number_start": clipped_number_start,
    "clipped_number_end": clipped_number_end,
    "clipped_magnitude": clipped_magnitude,
    "lost_line": lost_line,
    "lost_aside": lost_aside,
}

BY_TEXT: dict[str, Callable[[Text, int, Random], Draft | None]] = {
    "stitched_halves": stitched_halves,
    "sentence_skipped": sentence_skipped,
    "sentences_reversed": sentences_reversed,
}
