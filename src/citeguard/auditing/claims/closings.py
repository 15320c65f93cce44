"""What an answer says of itself: offers and disclaimers, that it knows nothing, its sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeguard.auditing.claims.word_list import FINITE
from citeguard.auditing.claims.words import Word

_I = re.IGNORECASE
_QUOTES = "\"'“”‘’«» "
# Nothing with a figure: "feel free to call 555-1234" can be wrong.
_REST = r"[^\d]{0,160}"
_OFFER = (
    rf"(?:(?:please|just|then|also|simply) )*(?:(?:feel free|let me know|ask away"
    rf"|i(?:['’]ll| will| am|['’]m|['’]d| would) (?:also )?(?:be )?(?:here|happy|glad)\b){_REST}"
    r"|(?:ask|reach out)(?: (?:me|to me|again|away))?\W*)"
)
_WISH = (
    r"if (?:you(?:['’]d| would)? (?:also |still )?(?:have|need|want|like|prefer|wish|require)"
    r"|there(?:['’]s| is| are))\b"
)
_CAN = r"i(?:['’]d| can| could| would|['’]ll| will) (?:also |then |certainly |gladly |happily )?"
_CLOSING = re.compile(
    rf"(?:{_WISH}[^.?\d]{{0,120}}?,? (?:{_OFFER}|{_CAN}[a-z]{_REST})"
    rf"|if (?:you(?:['’]d like| like| want| wish)|anything)\b[^.?\d]{{0,80}}, {_OFFER}"
    rf"|{_CAN}(?:help|assist)\b(?: you)?(?: further| (?:with|if|by) (?:any|more|other|further|your"
    rf"|anything|additional|you)\b{_REST})\W*"
    rf"|{_CAN}[a-z][^\d]{{0,120}} if you(?:['’]d like| like| want| wish| need)\b{_REST}"
    r"|i(?:['’]m| am) here (?:to help|if you|for you|for any)\b.{0,80}"
    r"|(?:disclaimer\W+)?(?:please note that )?(?:this|the above|it|the foregoing)(?: (?:answer"
    r"|response|information|summary|text|content|message))?(?: (?:is|are|should|does|must|may))"
    r"(?: not|n['’]t)[^.\d]{0,60}?\b(?:legal|medical|financial|professional|tax|investment)"
    r"(?: (?:or|and) \w+)? advice\b.{0,160}"
    r"|(?:disclaimer\W+)?i(?:['’]m| am) not an? (?:lawyer|attorney|doctor|physician|financial"
    r" advis[eo]r|(?:medical|legal|financial) (?:professional|expert))\b.{0,160})",
    _I,
)
_ENOUGH = r"(?:enough|sufficient|adequate|the necessary|the required)"
_KNOWN = r"(?:information|context|details|knowledge)"  # not "evidence", which studies lack
_TEXTS = r"(?:passages?|texts?|context|sources?|documents?|articles?|excerpts?|information)"
_NO_ANSWER = re.compile(
    r"(?:(?:unfortunately|sorry|i['’]m sorry|i am sorry|based on [^,]{1,60}),? (?:but )?)?"
    r"(?:(?:i['’]m |i am )?(?:unable|not able) to"
    r" (?:answer\b.{0,120}|(?:provide|find|determine)\b[^,]{0,120})"
    r"|it is (?:not possible|impossible) to answer\b.{0,120}"
    r"|(?:i )?(?:cannot|can['’]t|can not|could not|couldn['’]t) (?:answer|find|provide|determine)"
    r"\b[^,]{0,120}"
    rf"|i (?:do not|don['’]t) have (?:{_ENOUGH}|any|access to)\b.{{0,30}}\b{_KNOWN}\b.{{0,120}}"
    r"|i (?:do not|don['’]t) know\b(?: the answer\b.{0,80})?"
    rf"|(?:there (?:is|was|are)(?: not|n['’]t)|(?:the|these|this)(?: \w+)? {_TEXTS}"
    r" (?:do|does|did)(?: not|n['’]t) (?:provide|contain|have|include|give|offer))"
    rf" {_ENOUGH}\b.{{0,20}}\b{_KNOWN}\b.{{0,60}}"
    r"\bto (?:answer|respond|determine|provide)\b.{0,120}"
    rf"|(?:not enough|insufficient) {_KNOWN}\b(?: to .{{0,80}})?"
    r"|the answer(?: to .{1,60})? (?:is|was|can)(?: not|n['’]t|not) (?:be )?(?:in|found|given"
    r"|provided|stated|available|contained)\b.{0,80}"
    r"|no (?:answer|relevant information)(?: (?:was|is|could be))?(?: (?:found|given|available))?)"
    r"[.!\s]*",
    _I,
)
_SOURCES = re.compile(
    r"(?:references?|citations?|bibliography|works cited|further reading|(?P<loose>sources?))\s?:",
    _I,
)


def is_closing(plain: str) -> bool:
    """Tell whether a sentence offers more help, or says that it is no advice.

    Examples:
        >>> is_closing("If you need more details, let me know!")
        True
    """
    return _CLOSING.fullmatch(plain) is not None


def has_no_answer(plain: str) -> bool:
    """Tell whether a sentence says that there is no answer; not what the sources do not say.

    Examples:
        >>> has_no_answer("I don't have enough information to answer.")
        True
        >>> has_no_answer("The documents do not mention the CEO.")
        False
    """
    return _NO_ANSWER.fullmatch(plain.strip(_QUOTES)) is not None


def names_sources(plain: str, words: Sequence[Word], *, in_list: bool) -> bool:
    """Tell whether a sentence lists what an answer is from, as "Sources: the report".

    In a list, "Sources: fish, eggs" may tell where a vitamin is from.
    """
    found = _SOURCES.match(plain)
    if found is None or (found["loose"] and (in_list or "%" in plain)):
        return False
    return not any(word.tag in FINITE for word in words)
