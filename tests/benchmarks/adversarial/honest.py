"""Ways of quoting that change the wording and stay honest: elisions, brackets, edges, parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from random import Random

from .cases import Draft, Interval, whole
from .corpus import Text, listed, stands_once
from .markup import SURROUNDINGS

CRITICAL = listed(
    """not no never none nor neither without cannot nothing nobody nowhere hardly barely scarcely
    rarely seldom few little only just merely almost nearly about around approximately roughly up
    at least most more less fewer over under above below all every each any some many several both
    half if unless until except but however although though despite may might could would should
    must can will shall possibly probably likely perhaps maybe allegedly reportedly apparently
    alleged supposed suspected unlikely unable fail failed fails deny denied denies lack false
    wrong wrongly sometimes often usually generally partly mainly mostly largely said says claim
    claims claimed according believe believed suggest suggests suggested percent million billion
    thousand hundred against than too so-called non refuse refused refuses reject rejected rejects
    dismissed avoid avoided prevent prevents prevented doubt doubted doubtful dispute disputed stop
    stopped lacking absence absent free unknown unclear unaware impossible incorrect inactive"""
)
_POINTING_BACK = listed(
    """This That These Those It But However Yet Such None No Not Neither Nor Nothing Nobody Or And
    Contrary Instead Although While Though Unless If He She They Critics Wrong False Only Some
    Otherwise Never"""
)
_DENYING = re.compile(r"\b(?:false|untrue|wrong|myth|denie[sd]|incorrect|refute[sd]?|mistaken)\b")
PREPOSITIONS = listed("in of on at for from by with during through under near among into along")
OPENERS = listed("and which who was is were are has had to that as when where")
_NEGATOR = re.compile(r"\b(?:not|no|never|without|cannot|none|nor)\b|n['’]t\b", re.I)
_MARKS = (
    " ... ",
    " … ",
    " [...] ",
    " […] ",
    " . . . ",
    "... ",
    "… ",
    " (...) ",
    " [ ... ] ",
    "...",
    "…",
    " [. . .] ",
    " .... ",
    " … … ",
)


def is_plain(words: str) -> bool:
    """Tell whether words can be left out unmissed: no negation, number, name of doubt or name."""
    tokens = re.findall(r"[\w'’-]+", words)
    return all(
        t.lower() not in CRITICAL and "n't" not in t and "n’t" not in t and not t[0].isdigit()
        for t in tokens
    )


def fragment(draft: Draft, rng: Random, fewest: int = 6, most: int = 14) -> Draft | None:
    """Quote a part of a sentence, cut between two plain words that depend on no neighbour."""
    start, _ = draft.hull
    words = [(m.start() + start, m.end() + start) for m in re.finditer(r"\S+", draft.passage)]
    for _ in range(12):
        size = rng.randint(fewest, most)
        if len(words) < size + 3:
            return None
        first = rng.randint(1, len(words) - size - 1)
        part = whole(draft.text, words[first][0], words[first + size - 1][1])
        if _cuts_well(draft.text, words, first, first + size) and stands_once(
            part.quote, draft.text
        ):
            return part
    return None


def _cuts_well(text: str, words: list[Interval], first: int, last: int) -> bool:
    """Tell whether words first to last - 1 can be cut out without clipping a phrase that counts."""
    edges = [
        text[slice(*words[i])]
        for i in (first - 1, first, last - 1, *([last] if last < len(words) else []))
    ]
    return all(edge.isalpha() and edge.islower() and edge not in CRITICAL for edge in edges)


def elide_phrase(draft: Draft, rng: Random) -> Draft | None:
    """Leave a plain phrase of a sentence out and mark the place."""
    start, end = draft.hull
    words = [(m.start() + start, m.end() + start) for m in re.finditer(r"\S+", draft.passage)]
    if len(words) < 12:
        return None
    for _ in range(20):
        first = rng.randint(4, len(words) - 6)
        last = first + rng.randint(2, min(8, len(words) - first - 4))
        left_out = draft.text[words[first][0] : words[last - 1][1]]
        follower = draft.text[slice(*words[last])]
        spans = (start, words[first - 1][1]), (words[last][0], end)
        alone = all(stands_once(draft.text[slice(*span)], draft.text) for span in spans)
        if alone and _is_aside(left_out, follower) and is_plain(left_out):
            return _elided(draft, *spans, rng)
    return None


def _is_aside(left_out: str, follower: str) -> bool:
    """Tell whether a phrase begins with a preposition, and a new phrase follows it."""
    first = left_out.split()[0]
    return (
        first in PREPOSITIONS
        and follower in PREPOSITIONS | OPENERS
        and left_out.islower()
        and not re.search(r"[.!?:;\"“”()]", left_out)
    )


def _elided(draft: Draft, left: Interval, right: Interval, rng: Random) -> Draft:
    """Quote two intervals with a mark between them."""
    mark = rng.choice(_MARKS)
    quote = draft.text[slice(*left)] + mark + draft.text[slice(*right)]
    return Draft(draft.text, (left, right), quote, f"mark {mark!r}")


def elide_twice(draft: Draft, rng: Random) -> Draft | None:
    """Leave two plain phrases of a sentence out."""
    once = elide_phrase(draft, rng)
    if once is None:
        return None
    left, right = once.spans
    again = elide_phrase(whole(draft.text, *right), rng)
    if again is None:
        return None
    quote = draft.text[slice(*left)] + rng.choice(_MARKS[:5]) + again.quote
    return Draft(draft.text, (left, *again.spans), quote)


def adjoining(text: Text, index: int, count: int) -> list[Interval] | None:
    """Return `count` sentences that follow one another with nothing but a space between."""
    found = text.sentences[index : index + count]
    joined = len(found) == count and all(text.body[a[1] : b[0]] == " " for a, b in pairwise(found))
    return list(found) if joined else None


def elide_sentence(text: Text, index: int, rng: Random, *, negated: bool = False) -> Draft | None:
    """Leave out the sentence in the middle of three; a negated one must not speak of the others."""
    three = adjoining(text, index, 3)
    if three is None:
        return None
    middle = text.body[slice(*three[1])]
    if bool(_NEGATOR.search(middle)) != negated or _speaks_of_others(middle) or '"' in middle:
        return None
    draft = _elided(whole(text.body, three[0][0], three[2][1]), three[0], three[2], rng)
    return draft if not _speaks_of_others(text.body[slice(*three[2])]) else None


def _speaks_of_others(sentence: str) -> bool:
    """Tell whether a sentence begins by pointing back, and so may turn what stands before it."""
    return sentence.split()[0].strip('"“,') in _POINTING_BACK or bool(_DENYING.search(sentence))


def mark_edges(draft: Draft, rng: Random) -> Draft | None:
    """Begin or end a part of a sentence with an ellipsis."""
    part = fragment(draft, rng)
    if part is None:
        return None
    before = rng.choice(("...", "… ", "... ", "[...] ", ""))
    after = (
        rng.choice(("...", " …", " ...", " [...]", "…")) if not before or rng.random() < 0.5 else ""
    )
    return part.reworded(before + part.quote + after)


def bracket_case(draft: Draft, rng: Random) -> Draft | None:
    """Change the first letter's case in brackets, as editors do."""
    part = fragment(draft, rng) if rng.random() < 0.6 else draft
    if part is None or not re.match(r"[A-Za-z][a-z]* ", part.quote):
        return None
    return part.reworded(f"[{part.quote[0].swapcase()}]{part.quote[1:]}")


_PRONOUNS = {
    "he": ("the president", "the author", "Mr. Brandt"),
    "she": ("the minister", "the author", "Ms. Okafor"),
    "they": ("the residents", "the authors", "the researchers"),
    "it": ("the company", "the report", "the building"),
    "him": ("the president", "the author"),
    "them": ("the residents", "the patients"),
    "his": ("the author's", "the president's"),
    "their": ("the residents'", "the authors'"),
    "its": ("the company's", "the city's"),
}


def bracket_pronoun(draft: Draft, rng: Random) -> Draft | None:
    """Put a noun in brackets for a pronoun, or after it."""
    found = list(
        re.finditer(
            r"(?<=[a-z,] )(?:he|she|they|it|him|them|his|their|its)(?= [a-z])", draft.passage
        )
    )
    if not found:
        return None
    m = rng.choice(found)
    noun = rng.choice(_PRONOUNS[m.group()])
    after = m.group() in ("he", "she", "they", "it", "him", "them") and rng.random() < 0.5
    new = f"{m.group()} [{noun}]" if after else f"[{noun}]"
    return draft.edit_quote([(*m.span(), new)], new)


def bracket_comment(draft: Draft, rng: Random) -> Draft | None:
    """Put [sic] or another editor's word after a word."""
    words = list(re.finditer(r"(?<=[a-z]{4})(?= [a-z])", draft.passage))
    if not words:
        return None
    at = rng.choice(words).start()
    return draft.edit_quote(
        [
            (
                at,
                at,
                rng.choice((" [sic]", "[sic]", " [sic!]", " [emphasis added]", " [italics mine]")),
            )
        ]
    )


def surrounded(draft: Draft, rng: Random) -> Draft | None:
    """Put quotation marks or another frame around the quote."""
    part = fragment(draft, rng) if rng.random() < 0.5 else draft
    if part is None:
        return None
    left, right = rng.choice(SURROUNDINGS)
    return part.reworded(left + part.quote + right, f"{left} {right}")


def end_changed(draft: Draft, rng: Random) -> Draft | None:
    """End the quote with another mark."""
    return (
        draft.reworded(
            draft.quote[:-1] + rng.choice((",", ";", ":", "…", "...", " .", "。", ".)", '."'))
        )
        if draft.quote.endswith(".")
        else None
    )


def end_added(draft: Draft, rng: Random) -> Draft | None:
    """End a part of a sentence with a mark that is not there."""
    part = fragment(draft, rng)
    return part and part.reworded(part.quote + rng.choice((".", ",", ";", ":", " .", "!", ".”")))


def end_dropped(draft: Draft, rng: Random) -> Draft | None:
    """Leave the sentence's last mark out."""
    start, end = draft.hull
    return whole(draft.text, start, end - 1) if draft.quote[-2:-1].isalpha() else None


def short(draft: Draft, rng: Random) -> Draft | None:
    """Quote two to four words that stand once in the text."""
    part = fragment(draft, rng, 2, 4)
    if part is None or len(part.quote) < 9 or part.text.lower().count(part.quote.lower()) != 1:
        return None
    return part


def long(text: Text, index: int, rng: Random) -> Draft | None:
    """Quote three to six sentences."""
    several = adjoining(text, index, rng.randint(3, 6)) or adjoining(text, index, 3)
    return whole(text.body, several[0][0], several[-1][1]) if several else None


HONEST: dict[str, Callable[[Draft, Random], Draft | None]] = {
    "elide_phrase": elide_phrase,
    "elide_twice": elide_twice,
    "elide_edges": mark_edges,
    "bracket_case": bracket_case,
    "bracket_pronoun": bracket_pronoun,
    "bracket_comment": bracket_comment,
    "surrounding_marks": surrounded,
    "end_changed": end_changed,
    "end_added": end_added,
    "end_dropped": end_dropped,
    "part_short": short,
    "part_fragment": fragment,
}
