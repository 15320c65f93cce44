"""Whether two questions ask for the same, so that one answer serves both.

Every word counts until a rule says otherwise. Both questions are brought into a plain form, and are
the same if the forms are equal, word by word. What the plain form leaves out or writes in one way:

- what is only polite ("Could you tell me …, please?"), articles, commas;
- contractions, numbers written as words, American spelling, inflection, a few sure synonyms;
- frames that ask for the same: "How can I …" and "What are the steps to …", "in what year" and
  "when", "how tall is" and "what is the height of", "what is … called" and "the name of …";
- the place of auxiliary verbs: "when was it built", "tell me when it was built";
- word order that exchanges no roles: a clause or preposition in front, "of" and the genitive, a
  passive with its agent, the two sides of "between".

What the order says stays: who does it is before the verb, and whom it is done to behind it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

from citeguard.facts.tables import irregular_forms
from citeguard.language import grammar, lexicon
from citeguard.language.grammar import BE, DO, HAVE, MODALS, PREPOSITIONS, irregular_verbs
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import Token, tokenize
from citeguard.quotes.equivalents import read_quantities
from citeguard.quotes.spellings import Language

_LONGEST = 1_000  # characters of a question that is read; longer ones are compared as they are
_LEAST_ENGLISH = 0.8  # share of English words in a question that begins like an English one
_MOST_FORMS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionMatch:
    """Whether two questions ask for the same; truthy if they do.

    Attributes:
        difference: What differs, as "asked / stored"; empty if the questions ask for the same.
    """

    difference: str = ""

    def __bool__(self) -> bool:
        """Return whether the questions ask for the same."""
        return not self.difference


def same_question(asked: str, stored: str) -> QuestionMatch:
    """Return whether two questions ask for the same, and what differs if they do not.

    Made to be right whenever it finds no difference; many paraphrases have one. Only English is
    paraphrased: in other languages the words must be the same, apart from case and punctuation.
    Neither question may rest on what was asked before. No model is called; about 0.3 ms for each
    new question, and less for those of the last calls.

    Args:
        asked: A question.
        stored: Another one. The order of the two makes no difference to whether they match.

    Returns:
        A `QuestionMatch`. Questions without a word match nothing.

    Examples:
        >>> bool(same_question("How can I turn on SSO, please?", "How do I enable SSO?"))
        True
        >>> same_question("Who acquired Google in 2015?", "Who did Google acquire in 2015?")
        QuestionMatch(difference='order of words: acquired Google / Google acquire')
        >>> same_question("What changed in version 3?", "What changed in version 2?").difference
        '3 / 2'
    """
    one, other = _form(asked), _form(stored)
    return QuestionMatch(difference=_difference(one, other))


# The plain form


class _Word(NamedTuple):
    """A word of a plain form.

    Attributes:
        text: In lower case, or as it is written where case makes another word.
        key: What is compared if the texts differ: the plain form, or that of its synonyms.
        past: Whether it is a past form or participle.
        clause: How many words that begin a clause are before it.
    """

    text: str
    key: str
    past: bool = False
    clause: int = 0


class _Form(NamedTuple):
    """A question in its plain form.

    Attributes:
        words: Its words in order, without its auxiliaries.
        auxiliaries: Forms of "be" and "have" and modal verbs in alphabetic order, and whether the
            main clause is denied.
        pasts: The clauses of the auxiliaries that are past forms, "did" among them.
        details: What may be left unsaid, but must not differ: whether "when" asks for a year or a
            date, whose something is, who "you" and "I" are, the tense of "What was it that …".
        owned: The places of words that have an owner before them: "key" of "the user's key", not of
            "the user key".
    """

    words: tuple[_Word, ...]
    auxiliaries: tuple[str, ...] = ()
    pasts: tuple[int, ...] = ()
    details: frozenset[tuple[str, str]] = frozenset()
    owned: frozenset[int] = frozenset()


def _difference(one: _Form, other: _Form) -> str:
    """Return what differs between two plain forms; empty if nothing does."""
    if not (one.words and other.words):
        return "no question / no question"
    pasts = [*one.pasts], [*other.pasts]
    if len(one.words) == len(other.words):
        for word, like in zip(one.words, other.words, strict=True):
            if word.text == like.text:
                continue
            if word.key != like.key:
                break
            pasts[0].extend([word.clause] * word.past)
            pasts[1].extend([like.clause] * like.past)
        else:
            return _small_difference(one, other, pasts)
    return _of_words(one, other)


def _small_difference(one: _Form, other: _Form, pasts: tuple[list[int], list[int]]) -> str:
    """Return what differs between two forms of the same words: tense, auxiliaries, owner."""
    if one.auxiliaries != other.auxiliaries:
        ones, others = Counter(one.auxiliaries), Counter(other.auxiliaries)
        return _shown((ones - others).elements(), (others - ones).elements())
    if sorted(pasts[0]) != sorted(pasts[1]):
        return "past / present" if len(pasts[0]) > len(pasts[1]) else "present / past"
    for kind in sorted({kind for kind, _ in one.details} & {kind for kind, _ in other.details}):
        ones, others = ({of for name, of in form.details if name == kind} for form in (one, other))
        if ones != others:
            return _shown(sorted(ones), sorted(others))
    if not (one.owned <= other.owned or other.owned <= one.owned):
        return "whose: " + _shown(_owned(one), _owned(other))
    return ""


def _owned(form: _Form) -> list[str]:
    return [form.words[i].text for i in sorted(form.owned)]


def _of_words(one: _Form, other: _Form) -> str:
    """Return the words that differ, or the first that are in another order."""
    keys = [[word.key for word in form.words] for form in (one, other)]
    ones, others = map(Counter, keys)
    if ones == others:
        blocks = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
        changed = [block for block in blocks if block[0] != "equal"]
        first, last = changed[0], changed[-1]
        return "order of words: " + _shown(
            (word.text for word in one.words[first[1] : last[2]]),
            (word.text for word in other.words[first[3] : last[4]]),
        )
    return _shown(
        (word.text for word in one.words if not others[word.key]),
        (word.text for word in other.words if not ones[word.key]),
    )


def _shown(asked: Iterable[str], stored: Iterable[str]) -> str:
    return f"{' '.join(asked) or '–'} / {' '.join(stored) or '–'}"


@lru_cache(maxsize=_MOST_FORMS)
def _form(question: str) -> _Form:
    tokens = [token for token in tokenize(question) if token.kind != "mark"]
    if len(question) > _LONGEST or not _is_english(question, tokens):
        words = tuple(_Word(_as_cased(token), _as_cased(token)) for token in tokens)
        return _Form(words)
    words = _without_politeness(" ".join(_written(question, tokens))).split()
    front, words = _split_front(words)
    return _Clause(_in_plain_frame(" ".join(words)).split(), front).form()


def _as_cased(token: Token) -> str:
    """Return a word in lower case, unless its case makes it an acronym: "US"."""
    is_acronym = token.text.isupper() and token.key in lexicon.english("acronyms")
    return token.text if is_acronym else token.key


def _is_english(question: str, tokens: Sequence[Token]) -> bool:
    if any(token.kind == "character" for token in tokens):
        return False
    found = lexicon.find_lexicon(question)
    if (found and found.code == "en") or Language(tokens, question, lambda: "").is_english:
        return True
    words = [token.key for token in tokens if token.kind == "word"]
    asks = bool(words) and words[0] in _QUESTION_WORDS | _FLOATING
    return asks and sum(map(is_english_word, words)) >= _LEAST_ENGLISH * len(words)


_PAUSE = re.compile(r"[,;:()\[\]–—]|[.!?…](?=\s|$)")
_SIGN = re.compile(r"\s[\"'“(]?(-{1,2}|[./~])$")
_BARE_CONTRACTIONS = {
    **{f"{verb}nt": (verb, "not") for verb in "do does did is are was were should would".split()},
    **{f"{verb}nt": (verb, "not") for verb in "could has have had".split()},
    **{f"{word}s": (word, "is") for word in "what how who where when why".split()},
    "cant": ("can", "not"), "wont": ("will", "not"),
}  # fmt: skip


def _written(question: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the words of a question, in full, and a comma for each pause."""
    read = read_quantities(question, tokens, "en")
    is_title = all(_has_capital(token) for token in read if token.kind == "word")
    end = 0
    for i, token in enumerate(read):
        gap = question[end : token.start]
        if end and _PAUSE.search(gap):
            yield ","
        end_before, end = end, max(end, token.end)
        if token.kind != "word":
            yield token.key
        elif sign := _SIGN.search(gap if end_before else f" {gap}"):  # "-v" is not "-V", nor "v"
            yield sign[1] + token.text
        elif token.key in ("'s", "'d"):
            yield _verb_in_full(token, [each.key for each in read[i + 1 : i + 2]])
        elif token.key in _BARE_CONTRACTIONS:
            yield from _BARE_CONTRACTIONS[token.key]
        elif token.text.isupper() and _as_cased(token) == token.text:
            yield token.text
        elif is_title or not end or i == 0:
            yield token.key
        else:
            yield token.text if token.text.lower() == token.key else token.key
    if _PAUSE.search(question[end:]):
        yield ","


def _has_capital(token: Token) -> bool:
    return token.text[0].isupper()


def _verb_in_full(token: Token, after: Sequence[str]) -> str:
    """Return the verb of a contraction; of two, the likelier."""
    written = token.text.lower()
    if written in ("is", "has", "had", "would"):
        return written
    if token.key == "'d":
        return "would"
    return "has" if after and after[0] in ("been", "got", "had") else "is"


# Frames. All patterns are fixed, and no part of a question becomes one.

_QUESTION_WORDS = frozenset("who whom whose what which when where why how".split())
_ASKS = "(?:who|whom|whose|what|which|when|where|why|how)"
_ASKS_WITHIN = rf"(?=(?:\w+ )?{_ASKS}\b|if\b|whether\b)"
_ASKS_NEXT = (
    rf"(?=(?:(?:but|so|and|please) )?(?:{_ASKS}|if|whether|is|are|do|does|did|can|could|would|will"
    r"|was|were|i|we)\b)"
)
_ME = "(?: to me| me| us)?"
_POLITE_BEFORE = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"please ",
        r"(?:hi|hello|hey|good (?:morning|day|afternoon|evening)|thanks|thank you|ok|okay|well|so|and|but"
        rf"|also|sorry|excuse me)(?: (?:there|all|everyone|team))? (?:, ?|{_ASKS_NEXT})",
        r"(?:just )?(?:a )?(?:quick |simple )?question , ?",
        rf"(?:just )?wondering ,? ?{_ASKS_NEXT}",
        r"(?:i|we) need (?:some )?help(?: with)? ?, ?",
        r", ?",
        rf"(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody)(?: please| kindly)?"
        rf" (?:tell|explain|show|remind|help|let|say){_ME}(?: know| understand| find out)? {_ASKS_WITHIN}",
        rf"(?:do|does) (?:you|anyone|anybody|someone|somebody)(?: happen to)? know {_ASKS_WITHIN}",
        rf"(?:any|no) idea {_ASKS_WITHIN}",
        rf"(?:i|we) (?:would like|'d like|want|need|wish) to (?:know|find out|ask|learn|understand) {_ASKS_WITHIN}",
        rf"(?:i|we) (?:am|are|was|were) (?:just )?(?:wondering|curious|trying to (?:find out|understand)) {_ASKS_WITHIN}",
        rf"(?:i|we) (?:do not|can not) (?:know|understand|find out|figure out) {_ASKS_WITHIN}",
        r"(?:may|can|could) (?:i|we) (?:please )?ask ?,? ",
        rf"(?:tell|show|remind){_ME} {_ASKS_WITHIN}",
        rf"(?:explain|describe|say)(?: to me)? {_ASKS_WITHIN}",
        rf"let me know {_ASKS_WITHIN}",
    )
]
_POLITE_AFTER = re.compile(
    r"(?: ,)*(?: please| , (?i:please|pls|(?:many )?thanks|thank you|cheers)(?: in advance)?)?(?: ,)*$"
)

_BE_FORM = "(is|are|was|were)"
_GENERIC = "(?:i|you|we|one|1|someone|somebody|a person|a user|people|users)"
_MEASURES = {
    "tall|high": "height", "old": "age", "long": "length", "wide": "width", "deep": "depth",
    "heavy": "weight", "big|large": "size", "fast": "speed", "expensive": "cost",
}  # fmt: skip
_AGENTS = {
    "author|writer": "wrote", "founder": "founded", "inventor": "invented",
    "discoverer": "discovered", "composer": "composed", "creator": "created", "painter": "painted",
    "singer": "sang",
}  # fmt: skip
_FRAMES = [
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        # Emphasis
        (rf"\b({_ASKS}) (?:exactly|precisely|actually|on earth)\b", r"\1"),
        (rf"^(.*\b{_ASKS}\b.*) (?:exactly|precisely)$", r"\1"),
        # "Tell me the …", and no verb at all
        (r"^(?:tell me|name|list|give me|identify|state) (?=(?:the|some|all|\d+)\b)", "what is "),
        (r"^(?:define|definition of) ", "what is "),
        (r"^(?=(?:the )?\w+ (?:of|between) (?!.*\b(?:is|are|was|were|do|does|did|can|will)\b))", "what is "),
        # Clefts
        (rf"^(who|what|which) {_BE_FORM} it (?:that|who|which) ", r"copula:\2 \1 "),
        (rf"^(?:who|what|which) {_BE_FORM} the ((?:\w+ ){{1,2}})(?:that|who) (?!{_BE_FORM} )", r"copula:\1 which \2"),
        # How to
        (r"\b(how|where) do (you) (?:go about )?(?!.*\b(?:my|me|our|us)\b)", r"subject:\2 \1 to "),
        (r"\b(how|where) (?:do|can|could|would) (i|we) (?:go about )?", r"subject:i \1 to "),
        (rf"\b(how|where) (?:can|could|would|does) {_GENERIC} (?:go about )?(?!.*\b(?:my|me|our|us)\b)", r"\1 to "),
        (r"^how (?:i|one) (?:can |could |would )?", "how to "),
        (r"^what (?:is|are) (?:the|a) (?:steps?|ways?|procedure|process|method)(?: needed| required)? (?:to|for|of) ", "how to "),
        (rf"^what (?:do|must|should) {_GENERIC}(?: need to| have to)? do to ", "how to "),
        (rf"^what steps (?:do|must|should) {_GENERIC}(?: need to| have to)? take to ", "how to "),
        (rf"^is (?:there )?(?:a|any) way (?:for {_GENERIC} )?(?:to|of) ", "can i "),
        (r"^is it possible (?:for (?:me|us) )?to ", "can i "),
        (r"^(?:am|are) (?:i|we) able to ", "can i "),
        (r"\b(?:am|are) (i|we|you|they) unable to ", r"can \1 not "),
        (r"^(who|which \w+|what \w+) (?:is|are) (?:allowed|permitted|able) to ", r"\1 can "),
        # When, where, who, why
        (r"\b(?:in |during |at |on )?(?:what|which) (year|date|day)\b(?! of)", r"when:\1"),
        (r"^what (is|was) the (date|year) of ", r"when:\2 \1 "),
        (r"\b(?:in|at) (?:what|which) (?:place|location)\b", "where"),
        (rf"^what {_BE_FORM} the location of ", r"where \1 "),
        (r"\b(?:what|which) person\b", "who"),
        (r"^(?:for what reason|how come) ", "why "),
        (rf"^what {_BE_FORM} the reason (?:that |why )?(?!for\b|of\b)", r"copula:\1 why "),
        (r"^(when\S*) did (.+) (?:take place|happen|occur)\b", r"\1 was \2"),
        (r"^(when\S*) do(?:es)? (.+) (?:take place|happen|occur)\b", r"\1 is \2"),
        # Names and meanings
        (rf"^what {_BE_FORM} (?!called\b|named\b)(.+) (?:called|named)( ,.*)?$", r"what \1 the name of \2\3"),
        (r"^what (?:do|does) (.+) mean\b", r"what is the meaning of \1"),
        (rf"^what {_BE_FORM} meant by ", r"what \1 the meaning of "),
        (rf"^what {_BE_FORM} the definition of ", r"what \1 "),
        (r"^how (?:do|does) (.+ and .+) differ$", r"what is the difference between \1"),
        # Measures
        *((rf"^how (?:{words}) {_BE_FORM} (?!there\b)", rf"what \1 the {noun} of ")
          for words, noun in _MEASURES.items()),
        (r"^(?:how much|what) do(?:es)? (.+) cost\b", r"what is the cost of \1"),
        (r"^(?:how much|what) did (.+) cost\b", r"what was the cost of \1"),
        (rf"^what {_BE_FORM} the price of ", r"what \1 the cost of "),
        (r"\bhow much time\b|\bfor how long\b", "how long"),
        (r"\bhow frequently\b", "how often"),
        (r"\b(?:what|which) number of\b", "how many"),
        (rf"^what {_BE_FORM} the (?:total )?number of (.+)$", r"how many \2 \1 there"),
        # Agents
        *((rf"^who {_BE_FORM} the (?:{words}) of ", f"who {verb} ")
          for words, verb in _AGENTS.items()),
        # Where something is
        (r"\b(is|are|was|were) there\b", r"\1"),
        (r"\b(is|are|was|were) (?:located|situated)(?= (?:in|at|on|near|between|within|under)\b|$)", r"\1"),
        (r"^(where (?:is|are|was|were) .+) (?:located|situated)\b", r"\1"),
        (r"\b(?:type|sort)(s?) of\b", r"kind\1 of"),
        (r"\bname for\b", "name of"),
        (r"\ba (few|little|lot|bit)\b", r"a_\1"),
        (r"((?:\d+|how many|how much) \w+) an? (?=(?:second|minute|hour|day|week|month|year)\b)", r"\1 per "),
        (r"\bused for (?=\w+ing\b)", "used to "),
        (r"\bthe us\b", "the usa"),
    )
]  # fmt: skip


def _without_politeness(text: str) -> str:
    """Return the words of a question without what is only polite around it."""
    before, whole = None, text
    while before != text:
        before = text
        for pattern in _POLITE_BEFORE:
            text = text[match.end() :] if (match := pattern.match(text)) else text
    if text != whole:
        text = re.sub(r"^(?:if|whether) ", "", text)
    return _POLITE_AFTER.sub("", text)


def _in_plain_frame(text: str) -> str:
    """Return the words of a question in the frames above."""
    for pattern, written in _FRAMES:
        text = pattern.sub(written, text, count=1)
    return text


# Word order

_ARTICLES = frozenset("a an the that".split())
_OWNERS = {"my": "my", "our": "my", "your": "your"}
_NOT_AUXILIARY = frozenset(("'s", "'re", "'m", "'ve", "'d", "'ll", "ca", "wo", "having"))
_FLOATING = (BE | DO | MODALS) - _NOT_AUXILIARY - {"cannot"}
_PAST = frozenset("did was were had".split())
_SAME_BE = dict.fromkeys(BE, "be")
_FRONTED = PREPOSITIONS | frozenset("when if while once because according soon although".split())
_STRANDED = frozenset(
    "in on at by for from with as of about to into through against like between among under over".split()
)
_CLAUSES = frozenset("who which that if when because whether while unless whose where".split())
_OWNS = "'s"
_DETAILS = ("when", "copula", "subject")
_NOT_MAIN = _CLAUSES | frozenset("to and or but before after until since".split())
_PARTICLES = frozenset("on off up down out in back away".split())
_WITH_PARTICLE = frozenset(
    "turn switch set log sign back shut take pick put bring roll start boot fill look lock".split()
)


@cache
def _participles() -> frozenset[str]:
    return frozenset(verb.participle for verb in irregular_verbs())


def _is_article(word: str, after: str) -> bool:
    """Return whether a word is an article, and not the letter of "vitamin A"."""
    if word not in _ARTICLES:
        return False
    return word != "a" or not (after in PREPOSITIONS or after in _FLOATING or after in ("", "and"))


def _asks_at(lows: Sequence[str], i: int) -> bool:
    """Return whether a question begins at a place: "who", "to whom", "is"."""
    words = lows[i : i + 2]
    if not words:
        return False
    if words[0] in _QUESTION_WORDS or words[0] in _FLOATING:
        return True
    return words[0] in PREPOSITIONS and words[-1] in _QUESTION_WORDS


def _split_front(words: list[str]) -> tuple[list[str], list[str]]:
    """Return a clause or preposition in front of a question, and the question: "In 1998, who …"."""
    lows = [word.lower() for word in words]
    if not lows or lows[0] not in _FRONTED or (lows[0] != "when" and _asks_at(lows, 0)):
        return [], words
    commas = [i for i, low in enumerate(lows) if low == ","]
    for i in commas:
        if (_asks_at(lows, i + 1) and lows[i + 1] != "when") or len(commas) == 1:
            return words[:i], words[i + 1 :]
    if lows[0] in PREPOSITIONS and not commas:
        i = next((i for i in range(2, len(lows)) if lows[i] in _QUESTION_WORDS), 0)
        i -= int(i > 2 and lows[i - 1] in PREPOSITIONS)
        if i > 1:
            return words[:i], words[i:]
    return [], words


class _Clause:
    """The words of a question while they are brought into one order."""

    def __init__(self, words: list[str], front: Sequence[str]) -> None:
        self._words = words
        self._front = front
        self._details: set[tuple[str, str]] = set()

    def form(self) -> _Form:
        """Return the plain form."""
        self._read_details()
        self._put_question_first()
        self._put_particles()
        self._put_preposition_first()
        self._words = [word for word in self._words if word != ","]
        self._make_active()
        self._words += self._front
        self._sort_pairs()
        self._put_owners_first()
        auxiliaries, pasts = self._take_auxiliaries()
        kept: list[str] = []
        for word, after in pairwise([*self._words, ""]):
            if owner := _OWNERS.get(word.lower()):
                self._details.add((f"owner of {_plain(after.lower())}", owner))
            elif not _is_article(word, after.lower()):
                kept.append(word)
        owned, words = _keyed(kept)
        if ("copula", "was") in self._details and not (pasts or any(w.past for w in words)):
            auxiliaries = (*auxiliaries, "was")  # "What was the reason that it fails?"
        return _Form(words, auxiliaries, pasts, frozenset(self._details), owned)

    def _lows(self) -> list[str]:
        return [word.lower() for word in self._words]

    def _read_details(self) -> None:
        """Take what the frames have marked as a detail from the words."""
        words: list[str] = []
        for word in self._words:
            kind, _, value = word.partition(":")
            if kind not in _DETAILS or not value:
                words.append(word)
            elif kind == "when":
                words.append("when")
                self._details.add((kind, "date" if value == "day" else value))
            else:
                tense = {"are": "is", "were": "was"}
                self._details.add((kind, tense.get(value.lower(), value.lower())))
        self._words = words

    def _put_question_first(self) -> None:
        """Move what asks to the front: "It was built when", "They took how many teams to …"."""
        lows = self._lows()
        if not lows or _asks_at(lows, 0):
            return
        places = [i for i, low in enumerate(lows) if low in _QUESTION_WORDS]
        if len(places) != 1:
            return
        first = places[0]
        end = first + 1
        if lows[first] in ("what", "which", "how", "whose"):
            while end < len(lows) and not self._ends_phrase(lows, end):
                end += 1
        first -= int(lows[first - 1] in PREPOSITIONS)
        self._words = self._words[first:end] + self._words[:first] + self._words[end:]

    @staticmethod
    def _ends_phrase(lows: Sequence[str], i: int) -> bool:
        if lows[i] == "of" and lows[i - 1] in ("kind", "type", "sort", "kinds", "types"):
            return False
        return lows[i] in PREPOSITIONS or lows[i] in _FLOATING or lows[i] == ","

    def _put_particles(self) -> None:
        """Move a particle to its verb: "turn it on" is "turn on it"."""
        lows = self._lows()
        for i in range(len(lows) - 1, 1, -1):
            ends = i + 1 == len(lows) or lows[i + 1] in PREPOSITIONS or lows[i + 1] == ","
            if lows[i] in _PARTICLES and ends:
                verbs = [k for k in range(i - 1) if _plain(lows[k]) in _WITH_PARTICLE]
                if verbs and not any(low in PREPOSITIONS for low in lows[verbs[-1] : i]):
                    self._words.insert(verbs[-1] + 1, self._words.pop(i))
                    return

    def _put_preposition_first(self) -> None:
        """Move a preposition from the end to the words that ask: "What is it used for?"."""
        lows = self._lows()
        end = lows.index(",") if "," in lows else len(lows)
        if end < 3 or lows[0] not in ("what", "which", "who", "whom", "whose", "how", "where"):
            return
        is_how = lows[0] == "how" and lows[1] not in ("many", "much")
        if lows[end - 1] in _STRANDED and not is_how:
            self._words.insert(0, self._words.pop(end - 1))

    def _make_active(self) -> None:
        """Write a passive with its agent as an active: "built by Ann" is "Ann built"."""
        lows = self._lows()
        verb = self._passive_verb(lows)
        be = next((i for i in range(verb) if lows[i] in BE - {"being"}), -1)
        if verb < 0 or be < 0:
            return
        tense = {"was": ["did"], "were": ["did"]}.get(lows[be], [])
        done = _plain(lows[verb])
        if lows[0] == "by":
            first = next(i for i in range(1, be + 1) if lows[i] in _FLOATING)
            modal = self._words[first:be][:1]
            subject = [*self._words[first + 1 : be], *self._words[be + 1 : verb]]
            agent = ["who" if low == "whom" else low for low in lows[1:first]]
            self._words = [*agent, *modal, *tense, done, *subject, *self._words[verb + 1 :]]
            return
        by = lows.index("by", verb)
        ends = (i for i in range(by + 1, len(lows)) if lows[i] in PREPOSITIONS | _CLAUSES)
        end = next(ends, len(lows))
        if end == by + 1 or lows[by + 1].endswith("ing") or lows[by + 1][0].isdigit():
            return
        agent, subject = self._words[by + 1 : end], self._words[be + 1 : verb]
        rest = [*self._words[verb + 1 : by], *self._words[end:]]
        self._words = [*self._words[:be], *tense, *agent, done, *subject, *rest]

    def _passive_verb(self, lows: Sequence[str]) -> int:
        """Return the place of the participle of a main clause with "by", -1 if there is none."""
        by = next((i for i, low in enumerate(lows) if low == "by"), -1)
        be = next((i for i, low in enumerate(lows) if low in BE), -1)
        if by < 0 or be < 0 or (by < be and not (by == 0 and lows[1] in _QUESTION_WORDS)):
            return -1
        last = by if by else len(lows)
        found = [i for i in range(be + 1, last) if _is_participle(self._words[i])]
        verb = -1 if not found else found[-1] if by else found[0]
        return -1 if any(low in _CLAUSES for low in lows[2 : max(verb, by)]) else verb

    def _sort_pairs(self) -> None:
        """Put the two sides of "between" in alphabetic order, and two single words with "and"."""
        lows = self._lows()
        for i, low in enumerate(lows):
            if low == "between":
                end = next(
                    (
                        k
                        for k in range(i + 1, len(lows))
                        if lows[k] in PREPOSITIONS or lows[k] in _FLOATING
                    ),
                    len(lows),
                )
                ands = [k for k in range(i + 1, end) if lows[k] == "and"]
                if len(ands) == 1:
                    self._sort_sides(i + 1, ands[0], end)
        lows = self._lows()
        for i in range(2, len(lows) - 1):
            before = (
                lows[i - 2] in _ARTICLES or lows[i - 2] in _FLOATING or lows[i - 2] in PREPOSITIONS
            )
            is_last = i + 2 == len(lows)
            if lows[i] in ("and", "or") and is_last and (before or _is_subject_before(lows, i - 1)):
                self._sort_sides(i - 1, i, i + 2)

    def _sort_sides(self, start: int, joint: int, end: int) -> None:
        sides = [self._words[start:joint], self._words[joint + 1 : end]]
        sides.sort(key=lambda side: [w.lower() for w in side if w.lower() not in _ARTICLES])
        self._words[start:end] = [*sides[0], self._words[joint], *sides[1]]

    def _put_owners_first(self) -> None:
        """Write "the name of the king" as "the king's name", and a genitive without its ending."""
        for place in range(len(self._words) - 1, 0, -1):
            if self._words[place].lower() == "of":
                self._put_owner_first(place)
        words: list[str] = []
        for word in self._words:
            is_genitive = len(word) > 2 and word.lower().endswith(("'s", "’s"))
            words += [word[:-2], _OWNS] if is_genitive else [word]
        self._words = words

    def _put_owner_first(self, place: int) -> None:
        lows = self._lows()
        end = next(
            (
                i
                for i in range(place + 1, len(lows))
                if lows[i] in PREPOSITIONS or lows[i] in _FLOATING or lows[i] in _CLAUSES
                or lows[i] in HAVE or (i > place + 1 and lows[i] in _ARTICLES) or (i > place + 1 and _is_participle(self._words[i], sure=True))
            ),
            len(lows),
        )  # fmt: skip
        if end == place + 1:
            return
        start = place - 1
        for i in range(place - 1, -1, -1):
            if lows[i] in PREPOSITIONS or lows[i] in _FLOATING or lows[i] in _QUESTION_WORDS:
                break
            if lows[i] in _ARTICLES:
                start = i + 1
                break
        if lows[start] in _QUESTION_WORDS or lows[start] in _FLOATING or start == place:
            return
        owner, owned = self._words[place + 1 : end], self._words[start:place]
        self._words[start:end] = [*owner, _OWNS, *owned]

    def _take_auxiliaries(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Remove auxiliary verbs, and return them with the number of their clause.

        Also the clauses of those that are past forms. A "not" of the main clause counts as one.
        """
        lows = self._lows()
        first = next(
            (i for i, low in enumerate(lows) if low in _FLOATING or low in HAVE), len(lows)
        )
        inner = next((i for i in range(1, len(lows)) if lows[i] in _NOT_MAIN), len(lows))
        found: list[str] = []
        kept: list[str] = []
        pasts: list[int] = []
        clause = 0
        for i, low in enumerate(lows):
            clause += int(i > 0 and low in _CLAUSES)
            is_have = low in HAVE and any(_is_participle(w) for w in self._words[i + 1 :])
            if low in _FLOATING or is_have:
                pasts += [clause] * (low in _PAST)
                if low not in DO:
                    found.append(f"{'have' if is_have else _SAME_BE.get(low, low)} {clause or ''}")
            elif (
                low == "not"
                and first < i < inner
                and "not" not in found
                and not self._is_of_noun(i)
            ):
                found.append("not")
                if i > first + 1:
                    self._details.add(("denied", _plain(lows[i + 1]) if i + 1 < len(lows) else ""))
            else:
                kept.append(self._words[i])
        self._words = kept
        return tuple(sorted(found)), tuple(pasts)

    def _is_of_noun(self, place: int) -> bool:
        """Return whether a "not" denies what a noun does: "users not paying"."""
        return "".join(self._words[place + 1 : place + 2]).endswith("ing")


def _is_subject_before(lows: Sequence[str], i: int) -> bool:
    """Return whether two words with "and" are verbs at the end: "start and end"."""
    return i > 2 and any(low in DO for low in lows[:i])


def _is_participle(word: str, *, sure: bool = False) -> bool:
    """Return whether a word in small letters may be a participle; `sure`: and no other form."""
    if not word.islower() or not word.isalpha() or (sure and word == _plain(word)):
        return False
    return word in _participles() or (word.endswith("ed") and _plain(word) != word)


# Words


def _keyed(words: Sequence[str]) -> tuple[frozenset[int], tuple[_Word, ...]]:
    """Return the places of words with an owner, and the words, with phrases of the table as one."""
    lows = [_text(word) for word in words]
    plain = [_plain(low) if word.islower() else low for word, low in zip(words, lows, strict=True)]
    table, i = _synonyms(), 0
    found: list[_Word] = []
    clause = 0
    owned: set[int] = set()
    while i < len(words):
        if words[i] == _OWNS:
            owned.add(len(found))
            i += 1
            continue
        width, key, is_written = next(
            (
                (width, table[phrase], phrase == tuple(lows[i : i + width]))
                for width in range(min(_LONGEST_PHRASE, len(words) - i), 0, -1)
                for phrase in (tuple(lows[i : i + width]), tuple(plain[i : i + width]))
                if phrase in table and (width > 1 or words[i].islower() or words[i] == "US")
            ),
            (1, plain[i], False),
        )
        past = not is_written and any(
            lows[k] != plain[k] and _is_past(lows[k]) for k in range(i, i + width)
        )
        clause += int(i > 0 and lows[i] in _CLAUSES)
        found.append(_Word(" ".join(lows[i : i + width]), key, past, clause))
        i += width
    return frozenset(owned), tuple(found)


_LONGEST_PHRASE = 4


def _text(word: str) -> str:
    """Return a word in lower case, unless it is an acronym or a flag."""
    is_acronym = word.isupper() and word.lower() in lexicon.english("acronyms")
    if is_acronym or word.startswith(("-", ".", "/", "~")):
        return {"US": "usa"}.get(word, word)
    return {"which": "what"}.get(word.lower(), word.lower())


@cache
def _synonyms() -> dict[tuple[str, ...], str]:
    text = resources.files("citeguard.library").joinpath("data/synonyms.txt").read_text("utf-8")
    rows = (line.split(", ") for line in text.splitlines() if line and not line.startswith("#"))
    return {tuple(phrase.split()): row[0] for row in rows for phrase in row}


_ENDINGS = [
    ("ies", ("y",)), ("es", ("", "e")), ("s", ("",)),
    ("ied", ("y",)), ("ed", ("e", "")), ("ing", ("e", "")),
]  # fmt: skip
_NO_FORMS = frozenset(
    "news means evening morning during nothing something anything everything being thing king ring"
    " spring string bring sing wing need feed seed speed hundred red bed series species always this"
    " its his us is as was has does less unless across plus physics politics mathematics economics"
    " gas bus lens meeting".split()
)
_DOUBLED = re.compile(r"(.*[aeiou])([bdfgklmnprtvz])\2\Z")


@lru_cache(maxsize=_MOST_FORMS)
def _plain(word: str) -> str:
    """Return the plain form of a word in small letters: "city" of "cities", "run" of "running"."""
    if word in _NO_FORMS or len(word) < 3:
        return word
    word = word.removesuffix("'s")
    if word.endswith("ings") and word[:-1] not in _NO_FORMS:
        word = word[:-1]  # "buildings"
    if word in irregular_forms():
        return irregular_forms()[word]
    for ending, replacements in _ENDINGS:
        if not word.endswith(ending) or word.endswith(("ss", "eed")):
            continue
        start = word.removesuffix(ending)
        if ending in ("ed", "ing") and (doubled := _DOUBLED.match(start)):
            single = doubled[1] + doubled[2]
            if is_english_word(single) and not is_english_word(start):
                return single
        for replacement in replacements:
            if len(start + replacement) > 2 and is_english_word(start + replacement):
                return start + replacement
    return word


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in _past_forms()


@cache
def _past_forms() -> frozenset[str]:
    return frozenset(form for verb in irregular_verbs() for form in (verb.past, verb.participle))
