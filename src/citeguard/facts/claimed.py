"""Whether what one text denies is what another one claims, or is only near it.

"They did not stop" does not deny "if they stop", "how to stop" or "those who stop".
"""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.facts.reading.denials import FORMS_OF_BE, denials
from citeguard.facts.reading.tables import root
from citeguard.facts.reading.words import STOP, Reading

_CONDITIONS = frozenset("if until till".split())
_LONGEST_CONDITION = 16  # words
_RELATIVE = frozenset("who which whose where".split())
_CLAUSE = 6  # words of a relative clause that tell what it says
_REACH = 4  # words before one that tell how it is meant
# Before "to": what follows is advised or aimed at, and need not be done.
_AIMS = frozenset(
    map(root, "how step way careful carefully need order important learn try fail".split())
)
_WITHOUT = frozenset(map(root, "lose fight seek demand deny campaign".split()))
_GERUND_VERBS = FORMS_OF_BE | frozenset("can may could might will would leads causes".split())
_LONGEST_SUBJECT = 8  # words


def are_of_two_claims(denying: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether a word that one text denies is claimed of nothing that it denies it of.

    Args:
        denying: The text that denies the word.
        i: The place of the word there.
        other: The text that does not.
        j: Its place there.
    """
    return (
        _is_condition(denying, i) != _is_condition(other, j)
        or _is_aim(other, j)
        or _is_without(other, j)
        or _is_subject(denying, denials(denying).negator[i])
        or _has_clause(denying, i, other)
    )


def _is_condition(reading: Reading, i: int) -> bool:
    """Tell whether a word stands in a clause with "if" or "until", and not in its main clause."""
    return any(reading.words[k].key in _CONDITIONS for k in _before(reading, i)) and not (
        _is_after_condition(reading, i)
    )


def _before(reading: Reading, i: int) -> Iterator[int]:
    """Yield the places before a word in its sentence, the nearest first."""
    for k in range(i, max(-1, i - _LONGEST_CONDITION), -1):
        yield k
        if reading.words[k].gap == STOP:
            return


def _is_after_condition(reading: Reading, i: int) -> bool:
    """Tell whether a comma parts a word from the "if" before it, and none follows."""
    parted = False
    for k in _before(reading, i):
        if reading.words[k].key in _CONDITIONS:
            break
        parted = parted or bool(reading.words[k].gap)
    return parted and not _has_comma_after(reading, i)


def _has_comma_after(reading: Reading, i: int) -> bool:
    after = (word.gap for word in reading.words[i + 1 : i + 1 + _LONGEST_CONDITION])
    return next((gap for gap in after if gap), STOP) < STOP


def _is_aim(reading: Reading, j: int) -> bool:
    """Tell whether a verb is only advised or aimed at: "how to stop", "careful to stop"."""
    before = reading.words[max(0, j - _REACH) : j]
    place = next((k for k, word in enumerate(before) if word.key == "to"), 0)
    return place > 0 and before[place - 1].stem in _AIMS


def _is_without(reading: Reading, j: int) -> bool:
    """Tell whether a thing is lost or sought: "lost their rights"."""
    before = range(j - 1, max(-1, j - 1 - _REACH), -1)
    return any(reading.words[k].stem in _WITHOUT for k in before) and not any(
        reading.words[k].gap for k in range(max(0, j - 1), j + 1)
    )


def _is_subject(reading: Reading, negator: int) -> bool:
    """Tell whether what is denied is the subject: "not sleeping is bad"."""
    words, after = reading.words, negator + 1
    if not words[negator].gap or not words[after].key.endswith("ing"):
        return False
    for word in words[after + 1 : after + 1 + _LONGEST_SUBJECT]:
        if word.gap:
            return False
        if word.key in _GERUND_VERBS:
            return True
    return False


def _has_clause(reading: Reading, i: int, other: Reading) -> bool:
    """Tell whether the other text says of a thing what a relative clause says of it here."""
    after = reading.words[i + 1 : i + 2 + _CLAUSE]
    if not after or after[0].key not in _RELATIVE:
        return False
    return any(word.content and word.stem in other.places for word in after[1:])
