"""What a citation mark looks like: numbers in brackets, raised numbers, authors and year.

The one home of these patterns. The search for quotes ignores such marks (`noise`), and an audit of
a text reads which sources they name (`auditing.marks`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache

from citeguard.language.formulas import raised_digits
from citeguard.language.lexicon import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
    ends_in_abbreviation,
    english,
    union,
)
from citeguard.language.number_words import MAGNITUDE_WORDS, MONTHS, UNIT_WORDS, find_unit
from citeguard.language.scripts import is_unspaced
from citeguard.language.spelling import is_english_word

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LETTERS = rf"[^\W\d_{SUPERSCRIPTS}]+"
_LONGEST_HEADING = 60  # characters of the heading of a list of references
_LONGEST_QUOTED = 2_000  # characters on a line before a bracket in which a quotation may begin
_BEFORE_MORE = AUXILIARIES | DETERMINERS | SUBJECT_PRONOUNS | PREPOSITIONS | {"and", "or", "not"}
_LOOK_BACK = 40  # characters before a number in which its word is looked for
# A raised 2 or 3 after a length or one of these is an exponent; after a single letter or a digit it
# always is.
_WITH_EXPONENTS = frozenset("in sec min acre sin cos tan log chi sigma".split())
_SHORT_WORDS = frozenset(
    ("of in to is it on by as at be or an he we us up no so do go if my me").split()
)

NUMBERED_WORDS = frozenset(
    (
        "act age alpha annex appendix area art article base batch beta box building camp case"
        " category chapter chart class clause code column data day definition delta division"
        " domain edition equation event example exhibit experiment factor fig figure file flight"
        " floor form formula game gamma gate generation grade group hour house hypothesis index"
        " issue item java lane layer lemma level line list lot mark match method mile minute"
        " mode model module month no node note number omega option order page paragraph part"
        " path phase plan plate point port position principle problem product protein python"
        " quarter question rank release room round route row rule scenario scene schedule"
        " section sector serial series session set site size slot sol space stage standard"
        " station step street study subparagraph subsection system table task team term terminal"
        " test theorem theory tier title topic track trial type unit variant version vitamin vol"
        " volume wave web week window windows world year zone"
    ).split()
)
"""Nouns after which a number is their own, and marks no note."""
_SHORTENED = frozenset("art cap chap col fol fig figs para pts ref sec tab ver vol vols".split())
# The headings of lists of references, in the words of many languages.
_REFERENCE_HEADINGS = frozenset(
    (
        "references|reference list|list of references|literature|literature cited|bibliography"
        "|works cited|works consulted|citations|sources|sources cited|sources used|footnotes"
        "|endnotes|notes|notes and references|references and notes|references cited"
        "|literatur|literaturverzeichnis|quellen|quellenverzeichnis|einzelnachweise|fußnoten"
        "|anmerkungen|références|références bibliographiques|bibliographie|notes et références"
        "|notes et sources|ouvrages cités|referencias|referencias bibliográficas|bibliografía"
        "|fuentes|notas|riferimenti|riferimenti bibliografici|bibliografia|fonti|note"
        "|referências|referências bibliográficas|fontes|referenties|literatuur|bronnen"
        "|literatuurlijst|referenser|källor|källförteckning|referanser|kilder|litteratur|lähteet"
        "|viitteet|źródła|przypisy|literatura|zdroje|reference|kaynaklar|kaynakça"
        "|источники|литература|примечания|список литературы|джерела|література"
        "|参考文献|引用文献|文献|出典|参考资料|參考文獻|참고문헌|참고 문헌|출처"
        "|المراجع|المصادر|מקורות"
    ).split("|")
)
_RETRACTED = re.compile(
    r"\W*(?:retracted|withdrawn|removed)\b(?:\s(?:article|paper|chapter|publication))?\s?[:\]]",
    re.IGNORECASE,
)
# What editors put in brackets of their own, and forms have for what is to be filled in.
_EDITORS_WORDS = frozenset(
    "sic recte edit edited emphasis optional required redacted deleted removed omitted inserted"
    " added original translated translation unclear unknown unintelligible inaudible illegible"
    " indistinct laughter laughs applause music silence crosstalk pause verify dubious disputed"
    " clarification citation clarify vague who when where which why what how yes archived archive"
    " permanent link links dead pdf html video audio image photo paywall subscription online"
    " internet press preprint abstract poster thesis print ebook here there above below ibid idem"
    " todo tbd tbc draft note notes source sources reference references ref new updated update"
    " sponsored advertisement spoiler name date time place address company title number amount city"
    " enter tab shift esc ctrl alt space delete ok cancel x".split()
)
_NO_ID = re.compile(
    r"(?:step|row|cell|item|key|[a-z]{0,2})[-_. ]?[0-9]{1,4}[a-z]?", re.IGNORECASE
)  # "[fig-2]" is a place, "[F12]" a key
_LATEST_NOTE = 3  # digits, which are too many for a note that is glued to a word
_LONGEST_UNIT = 3  # letters of one that may have an exponent
_NOTE_NUMBERS = r"\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9}"
_STOPS = ".,;:!?)]”’»。，、；：！？）」』"  # no blank goes before these
_NEARBY = 3_000  # characters on either side in which other notes show that a number is one

YEAR = r"(?:1[6-9]|20)[0-9]{2}"
# A capital before a year that is no author's. Whole words: Marx and Martin are authors.
_TIMES = "|".join(
    (
        *(month.title() for month in MONTHS),
        *"Spring Summer Autumn Fall Winter In Since Before After Until Till From By".split(),
        *"Around About Circa During Through Throughout Between Early Late Mid Prior".split(),
        *"Ante Post Pre Year".split(),
        *"Season Fiscal FY Q[1-4] Seit Vor Nach Bis Ab Depuis Avant Après Desde".split(),
        *"Antes Hasta Dal Fino Prima Dopo Sinds Voor Tot".split(),
    )
)
_NO_AUTHOR = rf"(?:{_TIMES})(?![^\W\d_])"
# "(Smith et al., 2019)", "[van Dijk and Lee, 1984, p. 5]"; but not "(June 1968)".
_FULL_YEAR = r"(?:(?:1[6-9]|20)\d\d(?:[a-z](?:,\s?[a-z])*)?|in press|n\.d\.)"
_PARTICLES = r"(?:(?:[Vv][ao]n|[Dd](?:e[rn]?|[uia])|[Ll][ae]|[Ee]l)\s){0,3}"
# Between the words of a mark, which may be broken over lines.
_SPACE = r"\s{1,20}"
_NAME = (
    rf"(?!{_NO_AUTHOR}){_PARTICLES}"
    rf"[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’-]+(?:{_SPACE}[A-Z][\w'’-]+){{0,3}}"
)
_AUTHORS = (
    rf"{_NAME}(?:,{_SPACE}{_NAME})*"
    rf"(?:,?{_SPACE}(?:and|&(?:amp;)?){_SPACE}{_NAME}|,?{_SPACE}et{_SPACE}al\.?)?(?:,\s{{0,20}}|{_SPACE})"
)
_YEARS = rf"{YEAR}[a-z]?"
_NARRATED = rf"{_PARTICLES}[^\W\d_][\w'’-]*?"

LEAD = r"(?:see(?:\salso)?|e\.g\.,?|cf\.?|per|from)\s{1,3}"
LOCATOR = (
    r"(?:(?:pp?|pages?|ch|chap|chapter|sec|section|fig|figure|tab|table|par|para|lines?|vol|no)\b"
    r"\.?|§{1,2}|¶)\s{0,3}[0-9IVXivx][\w.–-]{0,20}"
)
# "[Lee11]", "[SLB+09]": the keys of a bibliography.
_KEY = r"(?:[A-Z][a-z]{1,8}|[A-Z]{2,5}\+?)\d{2}[a-z]?"
# "see note 4", "see Fig. 2a"
_CROSS = (
    r"(?:(?:foot)?notes?|nn?\.|pp?\.|pages?|figs?\.?|figures?|tables?|tab\.|appendix|annex|sections?|sec\."
    r"|chapters?|ch\.|§{1,2}|boxe?s?|paras?\.?)\s{0,9}[\dA-Z][\w.–-]{0,8}"
)
_NUMBERS = r"\d{1,4}(?:\s{0,2}(?:[,;–-]|and|&)\s{0,2}\d{1,4}){0,9}"
_SOURCES = r"(?:passages?|sources?|documents?|docs?|ref(?:erence)?s?|contexts?|citations?|chunks?)"

# The words for a note that wikis put in brackets, and for what is still without a source.
_NOTE_WORDS = (
    "note|nb|n|nota|notă|notes|anm|anmerkung|fußnote|noot|not|pozn|poznámka|przyp|uwaga|прим"
    "|примечание|примітка|σημ|σημείωση|주|각주|注|註|注釈|ملاحظة|הערה|یادداشت|หมายเหตุ"
    "|टिप्पणी|টীকা|ghi chú|catatan"
)
_WANTED = (
    r"(?:[a-z-]{3,20} )?(?:citations?|clarification|quotation|explanation|sources?|verification"
    r"|date|page|examples?|attribution|context|update) needed|cita requerida"
    r"|réf\. ?(?:nécessaire|souhaitée)|citation nécessaire"
    r"|senza fonte|citazione necessaria|carece de fontes|beleg\?|beleg fehlt|quelle\?|bron\?"
    r"|źródło\?|potrzebny przypis|zdroj\?|källa behövs|kaynak belirtilmeli|necesită citare"
    r"|источник\?|джерело\?|εκκρεμεί παραπομπή|بحاجة لمصدر|דרוש מקור|نیازمند منبع"
    r"|उद्धरण चाहिए|출처 필요|要出典|来源请求|來源請求|cần dẫn nguồn|butuh rujukan"
)

PATTERNS: dict[str, str] = {
    # What a faithful quote may drop.
    "reference": (
        r"[\[［](?:\d{1,3}(?:\s{0,3}[,;，、–—-]\s{0,3}\d{1,3}){0,9}"
        rf"|\^(?<![`\"'(/=|\\]\[\^)(?=\w\]|[\w-]*\d)[\w-]{{1,20}}(?!\][+*{{?`\"'])|(?:{_NOTE_WORDS})\.?\s?\d{{1,3}}|{_WANTED}|edit|update|when\?|who\?"
        r"|by whom\?|sic!?|(?:dubious|disputed)(?:\s[–-]\sdiscuss)?|original research\??"
        r"|not in citation given|failed verification|dead link|vague"
        rf"|(?-i:{_KEY}(?:[,;]\s{{0,3}}{_KEY}){{0,9}})|(?P<letter>[a-z]))[\]］](?!\d)"
        # The pages that a wiki puts behind a mark, before a wider gap than one blank.
        r"(?::\s?\d{1,4}(?:[–-]\d{1,4})?(?=[.,;]?(?:[^\S\n]{2}|\s?[\u200a\u200b])))?"
    ),
    # "^3^", as Pandoc writes it
    "caret": r"\^\d{1,3}\^",
    # The marks of assistants: "【3】", "【4:2†source】".
    "dagger": r"【(?:\d{1,3}(?:[:,\s-]\d{1,3}){0,5}|[^【】\n]{1,40}†[^【】\n]{0,40})】",
    # Brackets of editors; what a transcript says of a voice and not in words; authors and year.
    "bracketed": (
        r"[(\[](?:(?:some |all |internal |original )?(?:emphas[ie]s|italics|citations?|footnotes?"
        r"|references?|(?:quotation|quote) marks|quotations?|alterations?|brackets?|translation)"
        r"(?:,? and (?:citations?|footnotes?|quotation marks))?"
        r" (?:is |are )?(?:added|mine|ours?|in (?:the )?original|supplied|omitted|removed)|sic!?"
        rf"|(?:id|ibid|op\. ?cit|loc\. ?cit)\.?,?(?:\s(?:at\s)?(?:\d{{1,4}}|{LOCATOR}))?"
        rf"|(?:(?:see(?: also)?|cf\.?)\s{{1,9}})?{_CROSS}"
        r"|(?:(?:(?:he|she|they|both|all|audience|speaker|witness)\s)?"
        r"(?:laugh(?:s|ter|ing)|chuckl(?:es?|ing)|crosstalk|applause)"
        # "the [pause] button"
        r"|(?<=[.?!,;:—…\"”]\s[(\[])(?:(?:he|she|they)\s)?(?:sighs?|coughs?|paus(?:es?|ing)|cheers"
        r"|cheering|clears (?:his |her |their )?throat|music(?: plays| playing)?))\.?"
        rf"|(?P<cited>(?-i:(?:see\s(?:also\s)?|e\.g\.,?\s|cf\.\s)?{_AUTHORS}{_FULL_YEAR}"
        rf"(?:[;,]{_SPACE}(?:{_AUTHORS})?{_FULL_YEAR}){{0,9}})"
        r"(?:[,:]\s?(?:pp?\.\s?)?\d+(?:[–-]\d+)?)?))[)\]]"
    ),
    # What ChatGPT writes in private-use characters, and what is left of it where these are lost:
    # "\ue200cite\ue202turn0search1\ue202turn0file2\ue202L8-L13\ue201".
    "private use": (
        r"\ue200?(?:file)?cite(?:\ue202?turn\d{1,3}[a-z]{3,12}\d{1,3}){1,30}"
        r"(?:\ue202?L\d{1,6}(?:-L\d{1,6})?)?\ue201?"
        r"|\ue200[a-z_]{2,20}(?:\ue202[^\ue200-\ue202\n]{0,300}){0,30}\ue201"
    ),
    "place in a turn": r"turn\d{1,3}[a-z]{3,12}\d{1,3}",
    # The tags around what Cohere's models cite: "<co>one month</co: 0:[1,2]>", "<co: 0>it</co: 0>".
    "opening tag": r"<co(?::\s?[\d:,\[\]\s]{1,60})?>",
    "closing tag": r"</co(?::\s?([\d:,\[\]\s]{1,100}))?>",
    "raised": rf"[{SUPERSCRIPTS}][{SUPERSCRIPTS}]{{0,2}}(?!\w)",
    "raised tag": (
        r"<sup>\s*(?:<(?:a|x?ref)\b[^<>]{0,300}>)?\[?([-+−]?\d{1,3})\]?(?:</(?:a|x?ref)>)?\s*</sup>"
    ),
    "last word": rf"(?:{_LETTERS}(?:['’]{_LETTERS})*|[.,;:!?)\"'”’\]])\Z",
    "note numbers": _NOTE_NUMBERS,
    # "policy.3", "growth12,14"
    "glued note": (
        r"(?P<word>[^\W\d_]{3,})(?P<stop>[.,;:!?]?[)\]”’»\"']{0,2}[.,;:!?]?)"
        rf"(?!0)(?P<numbers>{_NOTE_NUMBERS})[\s.,;:?!)\]”’»\"'—–]?\Z"
    ),
    # "3 See Smith", at the foot of a page
    "foot": r"^[ \t]*(\d{1,3})[ \t]+(?-i:[^\W\d_a-z]|[\"“‘(]|https?:)",
    # "the market 3 grew"
    "bare note": r"([^\W\d_]{2,})[ \t\n]?(\d{1,2})(?=[ \t\n](?:[^\W\d_]|[—–-]))",
    "note after stop": (r"(?:(?<=[^\W\d_]{3}[.,;])[”’»\"']?|(?<=[^\W\d_]{4}))(\d{1,2})(?=\s)"),
    # "x[i] + 1", "x[i][j]"
    "index after": r"\s?(?:[-+*/%<>]\s?[\w(]|==?\s?[\w(]|\[|\))",
    # After these words, numbers in brackets are figures: "95% CI [12, 15]", "a mean of [45]".
    "figures before": (
        r"\b(?:CI|interval|range|mean|median|average|between|scores? of|mean of|age of)\s\Z"
    ),
    # The same in a text whose every mark is going to be resolved to a source.
    "quantities before": (
        r"(?:\b(?:CIs?|IQR|SD|SE|intervals?|range|mean|median|average|between|within|scores?|ages?"
        r"|values?|vector|coordinates?|array)(?:\s(?:of|was|were|is|from))?[,:]?|[=∈±]|\\in)"
        r"\s{0,3}\Z"
    ),
    # "a[0] = 1", "a[0].name"
    "code after": r"\s?=[^=>]|\.(?-i:[a-z_])|\s?[+-]=",
    # "[1, 2]", "[doc-3]", "(Passage 1)", "(Sources 1 and 2)": marks whatever the sources are.
    "named": (
        rf"\[\s?(?:{_NUMBERS}|\^[\w-]{{1,20}}|{_SOURCES}[\s:_.#-]{{0,2}}(?:{_NUMBERS}|[\w.-]{{1,20}})"
        rf"|[a-z]{{1,8}}[-_:]?\d{{1,4}})\s?\](?!\()"
        rf"|\((?:(?:see|from|per|as\sper)\s)?{_SOURCES}\s?[:#]?\s?{_NUMBERS}"
        rf"(?:\s?(?:[,;]|and|&)\s?{_SOURCES}\s?[:#]?\s?{_NUMBERS}){{0,5}}\)"
        r"|【[^【】\n]{1,40}】"
        # After a blank, raised figures are no exponent.
        r"|(?<=\s)<sup>\s{0,3}\[?\d{1,3}\]?\s{0,3}</sup>"
    ),
    # What may name a source.
    "square": r"[\[［]([^\[\]［］]{1,300})[\]］]",
    "lenticular": r"【([^【】]{1,300})】",
    "round": r"\(([^()]{2,300})\)",
    # Of LaTeX, with up to two notes: "\\citep[see][p. 3]{knuth1984,lamport1994}".
    "command": (
        r"\\(?:no)?(?:[a-z]{0,9}cite[a-z]{0,9})\*?(?:\[[^\[\]\n]{0,80}\]){0,2}\{([^{}\n]{1,300})\}"
    ),
    "year in brackets": (
        rf"(?-i:\(({_YEARS}(?:,\s?(?:{_YEARS}|[a-z]\b)){{0,9}})(?:[,:]\s?[^()]{{1,30}})?\))"
    ),
    "authors before": (
        rf"(?-i:((?:{_NARRATED}\s(?:and|&)\s)?{_NARRATED}(?:\set\sal\.?|\sand\scolleagues)?)"
        r"(?:['’]s?)?\s\Z)"
    ),
    "any raised tag": r"<sup(?:\s[^<>]{0,100})?>\s{0,3}\[?([^<>\[\]]{1,100})\]?\s{0,3}</sup>",
    "carets": r"\^\[?([0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,9})\]?\^",
    "raised list": (
        rf"⁽?([{SUPERSCRIPTS}]{{1,3}}(?:[,˒⁻–-][{SUPERSCRIPTS}]{{1,3}}){{0,9}})⁾?(?!\w)"
    ),
    "lead": LEAD,
    "locator": LOCATOR,
    # "2019", "p5", "L3-8"
    "beside": r"(?:1[6-9]|20)[0-9]{2}|(?:pp?|l|ch|sec|fig)\.?[0-9]+(?:[–-]\w+)?",
    # "nakamoto2008", "SLB+09"; "travel-policy", "docs/b.md#L3", "policy_2023"; "handbook".
    "key of a work": rf"(?-i:[^\W\d_]{{2,30}}[-_:+]?{YEAR}[a-z]?|{_KEY})",
    "compound id": r"(?=[^\s]*[^\W\d_])\w[\w.#:+]*(?:[-/][\w.#:+]+)*",
    "plain id": r"(?-i:[a-z]{3,30}(?:-[a-z0-9]{2,30}){0,5})",
    "label": (
        r"(?:sources?|documents?|docs?|passages?|references?|refs?\.?|citations?|cite|contexts?"
        r"|chunks?|excerpts?|ids?|notes?|nb|n)(?P<colon>\s{0,3}:)?(?:\s{1,3}\#?|(?<=:)|\#)"
    ),
    "range": r"([0-9]{1,3})\s{0,3}[-–—]\s{0,3}([0-9]{1,3})",
    # An id that is written for nothing else: "[doc-9]".
    "id": (
        r"(?:docs?|documents?|sources?|src|refs?|references?|passages?|chunks?|contexts?|articles?"
        r"|papers?|files?)[-_][0-9]{1,4}"
    ),
    # Between "Smith 2019a" and "Lee 2020".
    "works": r"(?-i:;|(?<=[0-9]),\s(?=[^\W\d_]{2})|(?<=[0-9][a-z]),\s(?=[^\W\d_]{2}))",
    "cited work": (
        rf"(?-i:(?P<authors>[^\d;]{{2,150}}?)(?P<comma>,)?\s{{1,3}}(?P<years>{_YEARS}"
        rf"(?:\s?,\s?(?:{_YEARS}|[a-z]\b))*)"
        r"(?:\s?[,:]\s?(?:pp?\.?\s?|§\s?|ch\.\s?)?[0-9]{1,5}(?:\s?[–-]\s?[0-9]{1,5})?)?)"
    ),
    "author": rf"(?-i:{_PARTICLES}[^\W\d_a-z][\w'’-]+(?:\s[^\W\d_a-z][\w'’-]+){{0,2}})",
    "surname": rf"(?-i:{_PARTICLES}[^\W\d_a-z](?=[\w'’-]*[a-zß-ÿ])[\w'’-]+)",
    # Hosts, events and models precede a year at least as often as an author does.
    "no surname": (
        r"(?-i:Paris|London|Tokyo|Beijing|Rio|Athens|Sydney|Atlanta|Berlin|Rome|Madrid|Vienna"
        r"|Geneva|Glasgow|Milan|Dubai|Davos|China|Japan|India|France|Germany|Italy|Spain|Russia"
        r"|Brazil|Mexico|Canada|Olympics|Euro|Expo|Covid|Brexit|Windows|Office|Census|Budget|Agenda"
        r"|Horizon|Edition|Act|Model)"
    ),
    "no author": rf"{_NO_AUTHOR}|(?:from|until|before|after|by|version)(?![^\W\d_])",
    "and": r"(?-i:,\s?(?:and\s|&\s)?|\s(?:and|&|&amp;)\s)",
    "et al": r"(?-i:,?\s(?:et\s+al\b\.?|and\s(?:others|colleagues)))",
}


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern whose letters match in both cases unless it says otherwise."""
    # Compiled when first used: together they would take a tenth of a second of every import.
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


def pattern(name: str) -> re.Pattern[str]:
    """Return one of `PATTERNS`, compiled."""
    return compiled(PATTERNS[name])


def machine_marks(text: str) -> list[tuple[int, int]]:
    r"""Return the intervals of marks that are for programs, and no reader should see.

    Those are OpenAI's in private-use characters and in `【†】`, and Cohere's tags; half-open, in
    code points, in order.

    Examples:
        >>> machine_marks("It rained \ue200cite\ue202turn0search1\ue201, <co>a lot</co: 0>.")
        [(10, 29), (31, 35), (40, 48)]
    """
    found: list[tuple[int, int]] = []
    if "cite" in text or "\ue200" in text:
        found += (match.span() for match in pattern("private use").finditer(text))
    if "co" in text:
        for tag in ("opening tag", "closing tag"):
            found += (match.span() for match in pattern(tag).finditer(text))
    if "†" in text:
        found += (each.span() for each in pattern("dagger").finditer(text) if "†" in each[0])
    return sorted(found)


def places_in_tag(inside: str) -> list[int]:
    """Return the places, from 0, in a tag of Cohere's: of documents, or of the results of a tool.

    Examples:
        >>> places_in_tag("0,1"), places_in_tag("0:[1,2]")
        ([0, 1], [1, 2])
    """
    results = re.findall(r"[0-9]+:\[([0-9,\s]*)\]", inside)
    places = re.findall(r"[0-9]{1,6}", ",".join(results) if results else inside)
    return [int(place) for place in dict.fromkeys(places)]


def without_machine_marks(text: str) -> str:
    """Return a text for readers, without `machine_marks` and the blanks before them.

    Examples:
        >>> without_machine_marks("It rained 【4:0†source】【4:1†source】.")
        'It rained.'
    """
    return ReadableText(text)[:]


class ReadableText:
    """The text without `machine_marks`, sliced by offsets of the text that has them.

    Args:
        text: The text.

    Examples:
        >>> readable = ReadableText("It rained 【4:0†source】. Then it snowed.")
        >>> readable[:18], readable[18:]
        ('It rained', '. Then it snowed.')
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._hidden = with_blanks_before(text, machine_marks(text))
        self._ends = [end for _, end in self._hidden]

    def __getitem__(self, part: slice) -> str:
        """Return what readers see of an interval."""
        start, stop, _ = part.indices(len(self._text))
        kept: list[str] = []
        for low, high in self._hidden[bisect_right(self._ends, start) :]:
            if low >= stop:
                break
            kept.append(self._text[start : max(start, low)])
            start = high
        return "".join([*kept, self._text[start:stop]])


def with_blanks_before(text: str, marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the intervals that a text loses with its marks, in order; no two touch.

    Blanks before a mark go with it, unless a word follows.

    Examples:
        >>> with_blanks_before("It rained [1][2]. [3] Then", [(18, 21), (10, 13), (13, 16)])
        [(9, 16), (17, 21)]
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if joined and start <= joined[-1][1]:
            start, last = joined.pop()
            end = max(end, last)
        if start < end:
            joined.append((start, end))
    lost: list[tuple[int, int]] = []
    for start, end in joined:
        following = text[end : end + 1]
        if not following or following.isspace() or following in _STOPS:
            before = lost[-1][1] if lost else 0
            start = before + len(text[before:start].rstrip(" \t"))
        lost.append((start, end))
    return lost


def is_reference_heading(line: str) -> bool:
    """Return whether a line is the heading of a list of references, in any of many languages.

    Examples:
        >>> is_reference_heading("## References"), is_reference_heading("8. Literatur:")
        (True, True)
        >>> is_reference_heading("Sources of energy")
        False
    """
    if len(line) > _LONGEST_HEADING:
        return False
    words = re.sub(r"^[\s#=*_0-9.]*|[\s#=*_:：]*$", "", line).casefold()
    return " ".join(words.split()) in _REFERENCE_HEADINGS


def is_retracted_title(title: str) -> bool:
    """Return whether a title says, as publishers write it, that the work was retracted.

    Examples:
        >>> is_retracted_title("RETRACTED ARTICLE: Heat"), is_retracted_title("Retracted papers")
        (True, False)
    """
    return _RETRACTED.match(title) is not None


def looks_like_id(key: str, *, plain: bool) -> bool:
    """Return whether words in square brackets at the end of a clause look like the id of a source.

    Args:
        key: The words.
        plain: Whether ids may be plain words, as "handbook" is.

    Examples:
        >>> [looks_like_id(each, plain=False) for each in ("nakamoto2008", "policy.pdf", "sic")]
        [True, True, False]
    """
    if key.casefold() in _EDITORS_WORDS or _NO_ID.fullmatch(key):
        return False
    head = re.match(r"[^\W\d_]*", key)
    if head and head[0].casefold() in NUMBERED_WORDS | _SHORTENED and len(head[0]) < len(key):
        return False
    if pattern("key of a work").fullmatch(key):
        return not pattern("no author").match(key)
    joined = re.search(r"[_/]|\w\.\w", key) or (re.search(r"[0-9]", key) and "-" in key)
    if joined and pattern("compound id").fullmatch(key):
        return True
    return plain and pattern("plain id").fullmatch(key) is not None


def is_citing(text: str, start: int, end: int) -> bool:
    """Return whether brackets `text[start:end]` follow a clause that is complete without them.

    Examples:
        >>> is_citing("It opens at nine [handbook].", 17, 27), is_citing("The [main] gate", 4, 10)
        (True, False)
    """
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - _LONGEST_QUOTED) : start]
    if before.count('"') % 2 or before.count("“") > before.count("”"):
        return False  # what editors add to a quotation
    last = re.search(r"([^\W_]+|[%)\]”»\".!?])\s{0,3}\Z", before[-_LOOK_BACK:])
    if last is None or last[1].casefold() in _BEFORE_MORE:
        return False
    after = text[end : end + _LOOK_BACK]
    if last[1] in ".!?":
        return not after.strip() or re.match(r"\s+[^\W\d_a-zß-ÿ]|\s*\[", after) is not None
    return (
        re.match(
            r"\s*(?:[.,;:!?)\]。，；]|\[|\Z|\n|(?:and|but|or|while|whereas|und|et|y)\s)", after
        )
        is not None
    )


def word_before(text: str, place: int) -> str:
    """Return the letters, or the one stop, right before a place; empty if neither is there."""
    match = pattern("last word").search(text, max(0, place - _LOOK_BACK), place)
    return match[0] if match else ""


def points_to_note(before: str, digits: str) -> bool:
    """Return whether a raised number after a word or a stop is a note, and not an exponent.

    Examples:
        >>> points_to_note("grew", "2"), points_to_note("cm", "2")
        (True, False)
    """
    short = before.isalpha() and len(before) < 3
    # One or two letters are a word, or the symbol of a quantity ("x", "πr").
    if not before or (short and before.casefold() not in _SHORT_WORDS and not is_unspaced(before)):
        return False
    word = before.casefold()
    unit = find_unit(word)
    is_length = unit is not None and unit.dimension == "length"
    has_exponent = raised_digits(digits) in "²³"
    return not (has_exponent and (is_length or word in _WITH_EXPONENTS))


def is_note(text: str, start: int, end: int) -> bool:
    """Return whether the numbers `text[start:end]` mark a note, so that a quote may drop them.

    They do if the sentence goes on without them: right behind an ordinary word or its stop
    ("policy.3 The", "growth12 was"), or in brackets behind one ("memory (12)"). "Covid19",
    "level3", "2.5" and "paragraph (2)" have no notes.

    Examples:
        >>> is_note("It kept its policy.3 The", 19, 20), is_note("Read level3 of", 10, 11)
        (True, False)
    """
    if text.startswith(".", start):  # of ").3", which reads as a decimal
        start += 1
    if _has_footnote(text, start, end):
        return True
    low = max(0, start - 2 * _LOOK_BACK)
    before = text[low:start]
    if before.endswith("("):
        inside, close, _ = text[start : end + _LOOK_BACK].partition(")")
        return close != "" and start + len(inside) == end and _is_bracketed_note(text, start, end)
    note = pattern("glued note").search(text[low : end + 1])
    if note is None or low + note.start("numbers") != start:
        return False
    if note["stop"]:
        return not ends_in_abbreviation(before) and note["word"].lower() not in _SHORTENED
    return end - start < _LATEST_NOTE and _takes_note(note["word"], text, start, end)


def _has_footnote(text: str, start: int, end: int) -> bool:
    """Return whether a number between words has its note at the foot of the page.

    There, lines begin with consecutive numbers. A noun that takes numbers ("system 2") has a note
    only if the number before or after it marks one that no such noun precedes.
    """
    number = text[start:end]
    if not (number.isascii() and number.isdecimal()):
        return False
    value, low = int(number), max(0, start - _NEARBY)
    feet = {int(each[1]) for each in pattern("foot").finditer(text, end, end + _NEARBY)}
    if value not in feet or feet.isdisjoint((value - 1, value + 1)):
        return False
    words = {
        int(each[2]): each[1].lower()
        for each in pattern("bare note").finditer(text, low, end + _NEARBY)
    }
    if value not in words:
        return False
    near = (words.get(value - 1), words.get(value + 1))
    return words[value] not in NUMBERED_WORDS or any(
        each and each not in NUMBERED_WORDS for each in near
    )


def _takes_note(word: str, text: str, start: int, end: int) -> bool:
    """Return whether digits glued to a word are a note: it is no name, and of nothing numbered."""
    if word in NUMBERED_WORDS or not word.islower():
        return False
    if len(word) > _LONGEST_UNIT and not word.isascii() and points_to_note(word, text[start:end]):
        return True  # names of versions and the like have the letters of ASCII in any language
    # In other languages, only with another note like it nearby.
    nearby = text[max(0, start - _NEARBY) : start] + " " + text[end : end + _NEARBY]
    number = int(re.split(r"\D", text[start:end])[0])
    others = {int(match[1]) for match in pattern("note after stop").finditer(nearby)}
    return is_english_word(word) or not {number - 1, number + 1}.isdisjoint(others)


def _is_bracketed_note(text: str, start: int, end: int) -> bool:
    """Return whether numbers in round brackets are a note: behind an ordinary word, of nothing."""
    last = re.search(r"([^\W\d_]{3,})[”’\"']?\s\(\Z", text[max(0, start - _LOOK_BACK) : start])
    if last is None or not pattern("note numbers").fullmatch(text, start, end):
        return False
    values = NUMBERED_WORDS | english("function_words") | english("foreign_words")
    following = re.match(r"\)\s([^\W\d_]+)", text[end : end + _LOOK_BACK])
    # Words of two letters, such as "in", are seldom units.
    counted = following and following[1].lower() in (UNIT_WORDS | MAGNITUDE_WORDS) - _SHORT_WORDS
    repeated = last[1] in union("numbers")  # "thirty (30) days"
    return last[1].islower() and last[1] not in values and (repeated or not counted)


def is_figure(text: str, start: int, end: int) -> bool:
    """Return whether numbers in brackets are an interval, or the index of an array.

    Examples:
        >>> is_figure("95% CI [12, 15]", 7, 15), is_figure("It rained [12, 15]", 10, 18)
        (True, False)
    """
    before = text[max(0, start - _LOOK_BACK) : start]
    if pattern("quantities before").search(before):
        return True
    attached = before[-1:].isalnum() or before[-1:] == "_"
    assigned = pattern("code after").match(text, end)
    return attached and (text[start + 1 : end - 1] == "0" or assigned is not None)


def is_surname(name: str) -> bool:
    """Return whether a word before a year is likely to be an author's name."""
    known = pattern("no surname").fullmatch(name)
    return pattern("surname").fullmatch(name) is not None and not known
