"""Verbatim quotes whose own sentence denies them, and some that nothing denies."""

from __future__ import annotations

from random import Random

from .cases import Draft, whole
from .corpus import Text, TextMaker, listed

_DENIALS = (
    "It is false that {}.",
    "It is not true that {}.",
    "It is a myth that {}.",
    "It is simply untrue that {}.",
    "It is wrong to say that {}.",
    "It is not the case that {}.",
    "It is incorrect that {}.",
    "The claim that {} is false.",
    "The belief that {} is a myth.",
    "The statement that {} is untrue.",
    "Contrary to popular belief, it is not true that {}.",
    "The idea that {} is simply wrong.",
    "It isn't true that {}.",
    "It's false that {}.",
    "It is a misconception that {}.",
    "The rumour that {} is false.",
    "That {} is not true.",
    "The assertion that {} has been disproved.",
    "It was never the case that {}.",
    "It would be a mistake to say that {}.",
)
_DOUBTS = (
    "There is no evidence that {}.",
    "The spokesman denied that {}.",
    "Nobody seriously believes that {}.",
    "The court rejected the claim that {}.",
    "No study has shown that {}.",
    "Critics wrongly assume that {}.",
    "The author disputes the claim that {}.",
    "The ministry denies that {}.",
    "It does not follow that {}.",
    "The report found no proof that {}.",
    "Experts have refuted the notion that {}.",
    "The company has dismissed claims that {}.",
)


def framed(frames: tuple[str, ...]) -> TextMaker:
    """Make a maker that puts a sentence into another that denies it, and quotes it whole."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        words = text.sentence(index)
        if (
            not words.endswith(".")
            or any(mark in words[:-1] for mark in '.!?:;"“”')
            or not words[1:2].islower()
        ):
            return None
        if words.split()[0] not in _SMALL:
            return None
        inner = words[0].lower() + words[1:-1]
        frame = rng.choice(frames)
        at, end = text.sentences[index]
        start = at + frame.index("{")
        body = text.body[:at] + frame.format(inner) + text.body[end:]
        return whole(body, start, start + len(inner))

    return make


_SMALL = listed(
    """The A An In He She We At On For By During As Most Many Some All Each After When While Its His
    Her Their There One Two Other Both"""
)


def denied_before(text: Text, index: int, rng: Random) -> Draft | None:
    """Let the sentence before deny something else; the quoted one stands for itself."""
    words = text.sentence(index)
    lower = words.lower()
    if any(
        token in lower
        for token in (
            "n't",
            "n’t",
            " not ",
            "false",
            "myth",
            "wrong",
            "deni",
            "no ",
            "never",
            "untrue",
            "disput",
            "claim",
            "reject",
            "incorrect",
            "contrary",
            "allege",
            "mis",
            "refut",
            "dismiss",
            "doubt",
            "fail",
            "nor",
            "without",
            "nobody",
            "hardly",
            "unlikely",
            "if ",
        )
    ):
        return None
    before = rng.choice(
        (
            "That is false. ",
            "It is not true that the moon is hollow. ",
            "The mayor denied everything. ",
            "This claim is a myth. ",
            "",
        )
    )
    at, end = text.sentences[index]
    body = text.body[:at] + before + text.body[at:]
    return whole(body, at + len(before), end + len(before))


def flag_makers() -> dict[str, tuple[TextMaker, bool]]:
    """Return the makers of quotes whose sentence denies them, and whether `denied` is wanted."""
    return {
        "flag_false": (framed(_DENIALS), True),
        "flag_doubt": (framed(_DOUBTS), True),
        "flag_none": (denied_before, False),
    }
