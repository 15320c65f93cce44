"""Which words of a text are not checkable, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeguard.auditing.claims.claim import SetAside
from citeguard.auditing.claims.closings import has_no_answer, is_closing, names_sources
from citeguard.auditing.claims.framing import is_stated
from citeguard.auditing.claims.imperatives import is_imperative
from citeguard.auditing.claims.units import Unit
from citeguard.auditing.claims.word_list import FINITE, NOUNS
from citeguard.auditing.claims.words import Word
from citeguard.language.spelling import is_english_word

_I = re.IGNORECASE
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
_INTRODUCTION = re.compile(
    r"(?:.{0,120}[,:]\s*)?(?:here(?:['’]s| is| are)|below (?:is|are)|the following (?:is|are)"
    r"|these (?:are|include)|they are)\b.{0,160}"
    r"|.{0,200}\b(?:as follows|the following(?: \w+){0,4}|are|is|include|includes|including"
    r"|such as|these(?: \w+){0,3}|by|to|that|in|for|you (?:can|should|need to|will need(?: to)?"
    r"|must|may))\s*"
    # Without a comma and figures: "In 2019, Acme grew, the report says:" tells something.
    r"|[^,\d]{0,60}\b(?:says?|said|states?|reads?|writes?|reports?|notes?|explains?|shows?)\s*",
    _I | re.DOTALL,
)
_FIRMLY = r"(?:(?:really|truly|strongly|personally|firmly|do|would|also|still)\s)*"
_OPINION = re.compile(
    r"(?:(?:but|and|so|well|personally|honestly|frankly|overall),?\s)*"
    rf"(?:(?:i|we)\s{_FIRMLY}(?:think|believe|feel|guess|suppose|love|like|hate|prefer|enjoy|doubt"
    r"|hope|wish|agree|disagree)\b"
    # What "we" find, suggest or consider are results, as papers tell them.
    rf"|i\s{_FIRMLY}(?:recommend|suggest|consider|find)\b)"
    r"|(?:.{0,30}[,.]\s)?\bin (?:my|our) (?:humble |personal |honest )?"
    r"(?:opinion|view|experience)\b"
    r"|\b(?:my|our) (?:opinion|view|guess|favou?rite)\b|(?:personally|honestly|frankly|imo|imho)\b",
    _I,
)
_EVALUATION = re.compile(
    r"\b(?:is|are|was|were|looks?|tastes?|sounds?|feels?|['’]s|['’]re)\s"
    r"(?:(?:so|very|really|truly|just|simply|absolutely|by far|quite|such an?|an?|the|always"
    r"|incredibly|totally|one of the)\s){0,3}"
    r"(?:best|worst|greatest|beautiful|delicious|amazing|awesome|wonderful|fantastic|terrible"
    r"|horrible|awful|boring|ugly|lovely|gorgeous|tasty|yummy|fun|nicest|coolest|great|nice|cool"
    r"|perfect|disgusting|stunning|brilliant|superb|magnificent|marvellous|marvelous|excellent"
    r"|better|worse)"
    r"(?:\s(?:ever|food|thing|things|idea|way|choice|place|in the world|of all|movie|film|book))?"
    r"[\s.!?)]*\Z",
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
_LABEL = NOUNS - {"QUOTE"} | frozenset("JJ CC IN DT PRP$ POS . , ! BRACKET".split())
_TITLED = NOUNS | frozenset("JJ VB VBG VBN RB JJR JJS".split())
_LONGEST_COMMAND = 6  # words, its stop among them
_LONGEST_LABEL, _LONGEST_NOTE = 7, 30  # words of a label, and characters of a bracket in it
_HAS_LETTERS = re.compile(r"[^\W\d_]")
_URL = re.compile(r"(?:\w{1,12}:)?(?:\W*(?:https?://|www\.)\S+)+\W*")
_FOREIGN = re.compile(r"(?![\u0250-\u036f])[^\W\d_\u0000-\u024f]")  # letters that are not Latin


def set_aside(unit: Unit, words: Sequence[Word]) -> SetAside | None:
    """Return why the words of a unit are not checkable; `None` if they are.

    Args:
        unit: A sentence, or what stands in its place.
        words: Its words.
    """
    plain = " ".join(unit.plain.split())
    if unit.form in ("code", "heading"):
        return unit.form
    if _URL.fullmatch(plain) or not _HAS_LETTERS.search(plain):
        return "no claim"
    if has_no_answer(plain) or names_sources(plain, words, in_list=unit.form in ("item", "row")):
        return "no claim"
    if _is_question(plain, words):
        return "question"
    # With a figure in it, a courtesy or an opinion says something that can be checked.
    has_figure = any(word.tag == "CD" for word in words)
    if is_closing(plain) or (not has_figure and _GREETING.fullmatch(plain)):
        return "greeting"
    if plain.endswith((":", "：")) and _is_introduction(plain, words):
        return "no claim"
    if _is_instruction(plain, words):
        return "instruction"
    if not has_figure and _is_opinion(plain):
        return "opinion"
    if _is_title(unit, plain, words):
        return "heading"
    return "no claim" if _is_fragment(unit, plain, words) else None


def _is_question(plain: str, words: Sequence[Word]) -> bool:
    """Tell whether words end in a question that is not another one's, as 'He asked "Why?"'."""
    is_quoting = len(words) > 1 and words[-1].tag == "QUOTE"
    if is_stated(plain, words):
        return False
    return not is_quoting and plain.rstrip("\"'”’) ").endswith(("?", "？", "؟"))


def _is_introduction(plain: str, words: Sequence[Word]) -> bool:
    if not any(word.tag in FINITE for word in words):
        return True
    return _INTRODUCTION.fullmatch(plain.rstrip(":： ")) is not None


def _is_instruction(plain: str, words: Sequence[Word]) -> bool:
    """Tell whether the reader is asked to do what no source tells of.

    Of the sentences of RAGTruth that are labelled wrong, 13 in 100 are commands of how-to answers:
    "Roast the steaks for about 20 minutes". Only those are set aside that speak to the reader of
    the answer, and short ones without a number or a name, in which hardly anything could be wrong.
    """
    if _NOTE.match(plain):
        return False
    if _ADDRESSED.match(plain):
        return True
    is_bare = not any(word.tag in ("CD", "NNP", "QUOTE", "BRACKET") for word in words[1:])
    return is_bare and len(words) <= _LONGEST_COMMAND and is_imperative(words)


def _is_opinion(plain: str) -> bool:
    return _OPINION.match(plain) is not None or _EVALUATION.search(plain) is not None


def _is_title(unit: Unit, plain: str, words: Sequence[Word]) -> bool:
    """Tell whether a line without a verb or a stop is written with capitals, as a title is."""
    if unit.form != "paragraph" or (not plain[-1].isalnum() and plain[-1] != ")"):
        return False
    if any(word.tag in FINITE for word in words) or is_imperative(words):
        return False
    own = [word.text for word in words if word.tag in _TITLED and word.text[:1].isalpha()]
    return len(own) > 1 and all(text[0].isupper() for text in own) and ":" not in plain


def _is_fragment(unit: Unit, plain: str, words: Sequence[Word]) -> bool:
    """Tell whether words say nothing: a bare name or label outside a list.

    Only of English, whose verbs are known.
    """
    if unit.form in ("item", "row") or _FOREIGN.search(plain) or len(words) > _LONGEST_LABEL:
        return False
    if is_imperative(words) or any(len(word.text) > _LONGEST_NOTE for word in words):
        return False
    own = [word for word in words if word.text[0].isalnum()]
    if not all(is_english_word(word.key) for word in own if word.text[0].islower()):
        return False
    return all(word.tag in _LABEL for word in words) or len(own) == 1
