"""The content words, names and numbers of a sentence, as `GroundingVerifier` compares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from citeguard.facts.negation import denials
from citeguard.facts.reading import Reading
from citeguard.facts.reading import Word as ReadWord
from citeguard.language.citations import pattern
from citeguard.language.grammar import DENIALS
from citeguard.language.numbers import Number
from citeguard.language.terms import FUNCTION_WORDS

# Words with which an answer refers to its sources or itself; the sources need not support them.
_FRAMING = frozenset(
    (
        "passage passages article articles summary summarize summarized summarizes text document"
        " documents source sources according mention mentions mentioned mentioning provided given"
        " based following answer question questions overall conclusion however therefore thus"
        " additionally furthermore moreover hence states stated noted notes explains describes"
        " discusses information context brief word words include includes including included"
        " specifically example instance author argues suggests"
        " suggesting concludes highlights emphasizes adds explained discussed described"
    ).split()
)
_NUMBERED = frozenset("passage passages article articles document documents source sources".split())
_SAYING = frozenset(
    (
        "mention mentions mentioned state states stated say says said specify specifies specified"
        " discuss discusses discussed explain explains explained indicate indicates indicated"
        " describe describes described"
    ).split()
)
# Numbers of these dimensions are compared in one unit, so that "2 days" are "48 hours".
_DIMENSIONS = frozenset(("time", "length", "mass", "volume", "area", "data", "power"))
_OF_NOTHING: tuple[Sequence[str], ...] = ([], ["about"], ["of"], ["on"])
_SAYING_REACH = 4  # words from a negator to such a verb
# Words that could be in any sentence; they show little of what a claim is about.
_GLUE = frozenset(
    (
        "able across allow allows another appear appears around aspect aspects available base"
        " based basis become becomes becoming began begin case cause caused causes cause change"
        " combination come comes common commonly concern concerning concerns consider considered"
        " consist consists contain contains continue continues create created creating current"
        " currently deal depend depending depends describe despite detail detailed details"
        " determine different difficult directly due effect effective effectively effort efforts"
        " either element elements enable enough ensure ensures ensuring especially essential"
        " even ever every exactly expect expected experience face faced facing fact factor"
        " factors feature features feel find focus focuses follow followed follows form found"
        " full further general generally get gets getting give given gives giving go goes going"
        " good great group happen help helped helping helps high highly hold idea impact important"
        " importance increase increased increasing indicate indicates individual individuals"
        " involve involved involves involving issue issues item items keep key kind know known"
        " large largely lead leading leads led less let level levels life like likely list little"
        " long look lot made main mainly maintain major make makes making manner many matter may"
        " mean means method methods might moment more most much multiple must nature necessary"
        " need needed needs new next notable number numerous occur occurred offer offered offers"
        " often once one order original other others part particular particularly people perform"
        " person place play plays point possible possibly potential potentially present prevent"
        " previous previously primarily primary process processes produce proper properly provide"
        " provides providing purpose put quality range rather reach reason reasons receive"
        " received recent recently regard regarding related relevant remain remained remains"
        " remember report reported reportedly require required requirement requirements requires"
        " requiring respectively responsible result resulted resulting results role said say"
        " saying says see seem seems set show showed showing shown shows significant"
        " significantly similar similarly simply single situation small something specific"
        " start started starting state stating step steps still support supported supporting"
        " supports sure take taken takes taking tell tend term terms thing things think time"
        " times together took total toward towards tried try turn type types typically unique"
        " use used useful user uses using usually utilize utilized value variety vary view want"
        " wants way ways well went whether whole wide will within without work working works"
        " would yes yet"
    ).split()
)

Kind = Literal["word", "name", "number"]


class Word(NamedTuple):
    """A word that carries content.

    Attributes:
        key: What is compared: a stem, a number in digits with the dimension of its unit, or two
            characters of a script without spaces.
        kind: A `name` begins with a capital letter, and is not the first word of its text.
        text: The word as it is written.
        glue: Whether it is a word that could be in any sentence.
    """

    key: str
    kind: Kind
    text: str
    glue: bool = False


class Content(NamedTuple):
    """The content of a sentence.

    Attributes:
        words: Its content words, in order.
        negators: How many of its words deny something.
        on_silence: Whether it says that the sources do not say something: "does not mention".
    """

    words: tuple[Word, ...]
    negators: int
    on_silence: bool


def read(text: str, *, framing: bool = True) -> Content:
    """Return the content of a sentence, without citation marks in square brackets.

    Args:
        text: One sentence.
        framing: Whether to include words that refer to the sources ("the passage mentions").
    """
    reading = Reading(pattern("reference").sub(" ", text))
    words = tuple(_words(reading, framing=framing))
    keys = [word.key for word in reading.words]
    return Content(words, len(denials(reading).places), _is_on_silence(keys))


def _words(reading: Reading, *, framing: bool) -> Iterator[Word]:
    # The parts of a date and the ends of a range are compared one by one.
    values = {
        reading.place_at(number.start): number
        for number in reading.numbers
        if number.kind != "date" and not number.is_range
    }
    last = unit = -1  # places of the last word of the latest number, and of its unit
    for place, word in enumerate(reading.words):
        before = reading.words[place - 1] if place else None
        if (framing or not _is_framing(word, before)) and place > last:
            if (number := values.get(place)) is not None:
                last = reading.place_at(number.end - 1)
                unit = reading.place_at(number.whole[1] - 1)
                yield Word(_key(number), "number", reading.between(number.start, number.end).text)
            elif (content := _word(word, before)) is not None:
                yield content._replace(glue=True) if place <= unit else content


def _key(number: Number) -> str:
    """Return the value of a number without its sign, in a common unit of its dimension."""
    value = abs(number.value)
    if number.unit is None or number.unit.dimension not in _DIMENSIONS:
        return f"{value:.12g}"
    return f"{value * number.unit.size:.6g} {number.unit.dimension}"


def _is_on_silence(keys: Sequence[str]) -> bool:
    """Return whether a verb of saying is denied, or has "nothing" as its object.

    "Is not stated" and "says nothing about it", but not "said no jobs were lost".
    """
    for place, key in enumerate(keys):
        if key in DENIALS or key.endswith("n't"):
            if not _SAYING.isdisjoint(keys[place + 1 : place + _SAYING_REACH]):
                return True
            after_verb = place > 0 and keys[place - 1] in _SAYING
            if after_verb and key == "nothing" and keys[place + 1 : place + 2] in _OF_NOTHING:
                return True
    return False


def _is_framing(word: ReadWord, before: ReadWord | None) -> bool:
    """Return whether a word refers to the sources, as does the number in "passage 3"."""
    numbered = word.kind == "number" and before is not None and before.key in _NUMBERED
    return numbered or word.key in _FRAMING


def _word(word: ReadWord, before: ReadWord | None) -> Word | None:
    if word.kind == "number":
        return Word(word.key, "number", word.text)
    if word.kind == "word" and word.key not in FUNCTION_WORDS:
        named = before is not None and word.text[:1].isupper()
        return Word(word.stem, "name" if named else "word", word.text, word.key in _GLUE)
    if before is not None and word.kind == before.kind == "character" and before.end == word.start:
        return Word(before.key + word.key, "word", before.text + word.text)
    return None
