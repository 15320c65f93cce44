"""Which sentences are not checkable, and what a claim is about: `set_aside`, `kind_of`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeguard.auditing.claims.claim import ClaimKind, SetAside
from citeguard.auditing.claims.units import TextUnit
from citeguard.auditing.claims.words import (
    SentenceWord,
    has_finite_verb,
    is_command,
    is_finite,
    is_participle,
)
from citeguard.language.grammar import AUXILIARIES, BE, DETERMINERS, HAVE, PREPOSITIONS
from citeguard.language.lexicon import union
from citeguard.language.quantities import MONTH_NAMES, WEEKDAYS
from citeguard.language.spelling import is_english_word

_I = re.IGNORECASE

# Courtesies, and what an answer says about itself.

_GREETING = re.compile(
    r"(?:(?:hello|hi|hey|greetings|welcome|good (?:morning|afternoon|evening)|dear \w+)\b"
    r"[^.?]{0,40}"
    r"|(?:thanks|thank you)\b.{0,80}"
    r"|you(?:['’]re| are) welcome\b.{0,60}"
    r"|(?:sure|certainly|of course|absolutely|great|okay|ok|no problem|got it|alright)"
    r"(?:[!.,:\s]|\Z)(?:.{0,20}\b(?:here|i|let|below|happy|glad|that|the following)\b.{0,160})?"
    r"|(?:i )?hope (?:this|that|it|you|these)\b.{0,120}"
    r"|(?:i['’]m|i am|i would be|i['’]d be)? ?(?:happy|glad|sorry|afraid)\b.{0,160}"
    r"|(?:i )?(?:apologi[sz]e|apologies)\b.{0,160}"
    r"|as an ai\b.{0,200}"
    r"|here(?:['’]s| is| are) (?:what (?:i|we) \w+|(?:an?|the|your|my|some) (?:\w+ )?(?:summary"
    r"|overview|answers?|breakdown|list|response|explanation|comparison|rundown|details)\b.{0,160})"
    r"|(?:good luck|enjoy|cheers|bon app[eé]tit|best regards|kind regards|sincerely|congratulations"
    r"|have a (?:nice|great|good)\b.{0,30})\W*"
    r")[.!:?\s]*",
    _I,
)
# Nothing with a figure: "feel free to call 555-1234" can be wrong.
_I_CAN = r"i(?:['’]d| can| could| would|['’]ll| will) (?:also |then |certainly |gladly |happily )?"
_CLOSING = re.compile(
    r"if (?:you|there|anything)\b[^.?\d]{0,120}?,? (?:(?:please|just|then|also|simply) )*"
    r"(?:(?:feel free|let me know|ask away|i(?:['’]m|['’]d| am| can| could| would|['’]ll| will))\b"
    r"\D{0,160}|(?:ask|reach out)(?: (?:me|to me|again|away))?\W*)"
    rf"|{_I_CAN}(?:help|assist)\b(?: you)?(?: further| (?:with|if|by) (?:any|more|other|further"
    r"|your|anything|additional|you)\b\D{0,160})\W*"
    rf"|{_I_CAN}[a-z]\D{{0,120}} if you(?:['’]d like| like| want| wish| need)\b\D{{0,160}}"
    r"|i(?:['’]m| am) here (?:to help|if you|for you|for any)\b.{0,80}"
    r"|(?:disclaimer\W+)?(?:please note that )?(?:this|the above|it|the foregoing)(?: (?:answer"
    r"|response|information|summary|text|content|message))?(?: (?:is|are|should|does|must|may))"
    r"(?: not|n['’]t)[^.\d]{0,60}?\b(?:legal|medical|financial|professional|tax|investment)"
    r"(?: (?:or|and) \w+)? advice\b.{0,160}"
    r"|(?:disclaimer\W+)?i(?:['’]m| am) not an? (?:lawyer|attorney|doctor|physician|financial"
    r" advis[eo]r|(?:medical|legal|financial) (?:professional|expert))\b.{0,160}",
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
    r"(?:references?|citations?|bibliography|works cited|further reading|sources?)\s?:", _I
)
# What is left of a pointer to a page without its link: "For more information, see this page".
_POINTER = re.compile(
    r"\W*(?:for (?:more|further|additional|full) (?:information|details?|reading|background)"
    r"(?: (?:on|about) (?:this|that|it))?,? )?"
    r"(?:(?:please |also )?(?:see|visit|check out|refer to|read)|cf|via|more|details?|sources?"
    r"|links?|full (?:text|report|study|article)|available)"
    r"(?: (?:also|here|this|it|the|full|more|on|at|from|in|for|and|page|article|post|link|report"
    r"|study|website|site|source|text|details|information|above|below))*\W*",
    _I,
)
_INTRODUCTION = re.compile(
    r"(?:.{0,120}[,:]\s*)?(?:here(?:['’]s| is| are)|below (?:is|are)|the following (?:is|are)"
    r"|these (?:are|include)|they are)\b.{0,160}"
    r"|.{0,200}\b(?:as follows|the following(?: \w+){0,4}|are|is|include|includes|including"
    r"|such as|these(?: \w+){0,3}|by|to|that|in|for|you (?:can|should|need to|will need(?: to)?"
    r"|must|may))\s*"
    # With a comma or figures it claims something: "In 2019, Acme grew, the report says:".
    r"|[^,\d]{0,60}\b(?:says?|said|states?|reads?|writes?|reports?|notes?|explains?|shows?)\s*",
    _I | re.DOTALL,
)

# Opinions and instructions.

_FIRMLY = r"(?:(?:really|truly|strongly|personally|firmly|do|would|also|still)\s)*"
_OPINION = re.compile(
    r"(?:(?:but|and|so|well|personally|honestly|frankly|overall),?\s)*"
    rf"(?:(?:i|we)\s{_FIRMLY}(?:think|believe|feel|guess|suppose|love|like|hate|prefer|enjoy|doubt"
    r"|hope|wish|agree|disagree)\b"
    # What "we" find, suggest or consider are results, as papers report them.
    rf"|i\s{_FIRMLY}(?:recommend|suggest|consider|find)\b)"
    r"|(?:.{0,30}[,.]\s)?\bin (?:my|our) (?:humble |personal |honest )?"
    r"(?:opinion|view|experience)\b"
    r"|\b(?:my|our) (?:opinion|view|guess|favou?rite)\b|(?:personally|honestly|frankly|imo|imho)\b",
    _I,
)
# "What a great company", "How lovely!", without a verb: not "What a driver earns is secret".
_EXCLAMATION = re.compile(r"what an?\s[^\d,;:?]{1,40}|how \w+\s?!+", _I)
# "Hamburgers are the best!": of what, and by which measure, is not said.
_RATING = re.compile(
    r"[^\d,;:?]{1,60}\b(?:is|are|was|were)\s(?:(?:simply|just|really|truly|absolutely|by far)\s)*"
    r"the (?:best|worst|greatest|coolest|nicest)\W*",
    _I,
)
_ADDRESSED = re.compile(
    r"(?:please|kindly|let me know|feel free|do(?:n['’]t| not) (?:hesitate|worry|forget)|stay tuned"
    r"|contact (?:us|me)\b|click (?:here|below|on the link)|see (?:below|above)\b|read on"
    r"|ask (?:me|us|away)|tell me|try it|check (?:it|this) out|give it a try|keep in mind\W*\Z"
    r"|remember[:!,]?\W*\Z|subscribe|sign up)\b",
    _I,
)
_NOTE = re.compile(
    r"please (?:note|be aware|keep in mind|remember|bear in mind)\b"
    r"|(?:do |also )?(?:note|be aware|keep in mind|remember|bear in mind)(?: that\b|,)"
    r"|(?:do not|don['’]t) forget that\b",
    _I,
)

_LONGEST_COMMAND = 6  # words, its stop among them
_HAS_LETTERS = re.compile(r"[^\W\d_]")
_URL = re.compile(r"(?:\w{1,12}:)?(?:\W*(?:https?://|www\.)\S+)+\W*")
_QUOTES = "\"'“”‘’«» "


def set_aside(unit: TextUnit, words: Sequence[SentenceWord]) -> SetAside | None:
    """Return why the words of a unit are not checkable; `None` if they are.

    Args:
        unit: A sentence, heading, row or block of code.
        words: Its words.
    """
    plain = " ".join(unit.plain.split())
    if unit.form in ("code", "heading"):
        return unit.form
    if not _HAS_LETTERS.search(plain) or _URL.fullmatch(plain) or _POINTER.fullmatch(plain):
        return "no claim"
    # Not what the sources do not say: "The documents do not mention the CEO".
    if _NO_ANSWER.fullmatch(plain.strip(_QUOTES)) or _names_sources(unit, plain, words):
        return "no claim"
    if _is_question(plain, words):
        return "question"
    # With a figure in it, a courtesy or an opinion says something that can be checked.
    has_figure = any(word.kind == "number" for word in words)
    if _CLOSING.fullmatch(plain) or (not has_figure and _GREETING.fullmatch(plain)):
        return "greeting"
    if plain.endswith((":", "：")) and (
        not has_finite_verb(words) or _INTRODUCTION.fullmatch(plain.rstrip(":： "))
    ):
        return "no claim"
    if _is_instruction(plain, words):
        return "instruction"
    exclaims = _EXCLAMATION.fullmatch(plain) and not has_finite_verb(words)
    rates = _OPINION.match(plain) or _RATING.fullmatch(plain)
    if not has_figure and (exclaims or rates):
        return "opinion"
    if _is_title(unit, plain, words):
        return "heading"
    is_word = sum(word.kind in ("word", "number") for word in words) == len(plain.split()) == 1
    return "no claim" if is_word and plain.isascii() and unit.form == "paragraph" else None


def _names_sources(unit: TextUnit, plain: str, words: Sequence[SentenceWord]) -> bool:
    """Return whether a sentence lists what an answer is from, as "Sources: the report"."""
    # In a list, "Sources: fish, eggs" may be the sources of a vitamin.
    listed = unit.form == "paragraph" and "%" not in plain and _SOURCES.match(plain.lstrip("([*_ "))
    return bool(listed) and not has_finite_verb(words)


def _is_question(plain: str, words: Sequence[SentenceWord]) -> bool:
    """Return whether words end in a question of the text itself, unlike 'He asked "Why?"'."""
    is_quoting = len(words) > 1 and words[-1].kind == "quotation"
    return not is_quoting and plain.rstrip("\"'”’) ").endswith(("?", "？", "؟"))


def _is_instruction(plain: str, words: Sequence[SentenceWord]) -> bool:
    """Return whether the reader is asked to do something that no source is about.

    13 of 100 sentences of RAGTruth that are labelled wrong are commands of how-to answers: "Roast
    the steaks for about 20 minutes". So only commands to the reader of the answer are set aside,
    and short ones without a number or a name, in which hardly anything could be wrong.
    """
    if _NOTE.match(plain):
        return False
    if _ADDRESSED.match(plain):
        return True
    bare = not any(
        word.kind in ("number", "quotation", "bracket") or word.capital for word in words[1:]
    )
    return bare and len(words) <= _LONGEST_COMMAND and is_command(words)


def _is_title(unit: TextUnit, plain: str, words: Sequence[SentenceWord]) -> bool:
    """Return whether a line without a verb or a stop is written with capitals, as a title is."""
    if unit.form != "paragraph" or (not plain[-1].isalnum() and plain[-1] != ")"):
        return False
    if ":" in plain or has_finite_verb(words):
        return False
    small = DETERMINERS | PREPOSITIONS | {"and", "or", "but", "'s"}
    own = [word for word in words if word.kind == "word" and word.key not in small]
    return len(own) > 1 and all(word.capital for word in own)


_TIMES = frozenset((*MONTH_NAMES, *WEEKDAYS)) - {"may"}
# Not numbers by themselves: "one of them", "the second", "a quarter of a mile".
_LOOSE = frozenset("one first second third half quarter once single double 一".split())
_BEFORE_MAY = frozenset("in of since until by".split())


def kind_of(words: Sequence[SentenceWord]) -> ClaimKind:
    """Return what a claim is about, by its words; the first kind that fits."""
    if any(_is_number(words, at) for at in range(len(words))):
        return "numerical"
    if any(word.kind == "quotation" for word in words):
        return "quote"
    named = any(word.capital and (at or _is_name(word)) for at, word in enumerate(words))
    if not named:
        return "other"
    return "event" if _has_event(words) else "entity"


def _is_name(word: SentenceWord) -> bool:
    """Return whether a capitalised word at the start of a sentence is not an English word."""
    return not is_english_word(word.key) and word.key not in AUXILIARIES | DETERMINERS


def _is_number(words: Sequence[SentenceWord], at: int) -> bool:
    word = words[at]
    if any(map(str.isdigit, word.text)):
        return True
    if word.text == "May":  # "in May", "May 5"
        around = words[max(0, at - 1) : at + 2]
        return any(each.key in _BEFORE_MAY or each.kind == "number" for each in around)
    is_time = word.key in _TIMES and word.text[0].isupper()
    return word.key == "%" or (word.key in union("numbers") and word.key not in _LOOSE) or is_time


def _has_event(words: Sequence[SentenceWord]) -> bool:
    """Return whether a verb says that something is done or happens."""
    return any(
        (is_finite(words, at) and word.key not in AUXILIARIES)
        or (at and is_participle(word.key) and words[at - 1].key in BE | HAVE)
        for at, word in enumerate(words)
    )
