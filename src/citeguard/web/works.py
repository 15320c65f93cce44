"""Works that references name: their DOIs, arXiv numbers and addresses, and what a registry says.

`find_identifiers` finds them in any way of writing; `Work` is the record of one in a registry, and
`differences` says where a reference, as it is written, differs from that.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

IdentifierKind = Literal["doi", "arxiv", "url"]


class Identifier(NamedTuple):
    """A DOI, an arXiv number or an address in a text.

    Attributes:
        kind: Which of them it is.
        value: A DOI in lower case; a number as arXiv writes it, with its version if it is given;
            an address as it is written.
        start: Where it starts in the text, in code points, with what introduces it: "doi:".
        end: Where it ends, exclusive.
    """

    kind: IdentifierKind
    value: str
    start: int
    end: int

    @property
    def url(self) -> str:
        """The address by which anybody would look it up, without a fragment and `utm_…`.

        Examples:
            >>> find_identifiers("doi:10.1000/ABC(1)")[0].url
            'https://doi.org/10.1000/abc(1)'
        """
        if self.kind == "doi":
            return f"https://doi.org/{quote(self.value, safe='/:;().,_-')}"
        if self.kind == "arxiv":
            return f"https://arxiv.org/abs/{self.value}"
        address = _TRACKING.sub(_without_tracking, self.value.partition("#")[0])
        return address if "://" in address[:8] else f"https://{address}"


_TRACKING = re.compile(r"(?P<sign>[?&])utm_[a-z]+=[^&]*(?:&utm_[a-z]+=[^&]*)*(?P<more>&?)")


def _without_tracking(match: re.Match[str]) -> str:
    return match["sign"] if match["more"] else ""


_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas"
    "|cond-mat|cs|dg-ga|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin"
    "|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_OLD_NUMBER = rf"(?:{_ARCHIVES})(?:\.[a-z]{{2}})?/[0-9]{{7}}(?![0-9])"
_NEW_NUMBER = r"[0-9]{4}\.[0-9]{4,5}(?![0-9])"
_ARXIV_HOST = r"(?:https?://)?(?:[a-z0-9-]+\.){0,2}(?:arxiv|alphaxiv)\.org/"
_ARXIV = re.compile(
    rf"(?:{_ARXIV_HOST}(?:abs|pdf|html|format|e-print|ps|src|labs|overview)/(?:arxiv:)?"
    # DOIs of arXiv are not registered with Crossref.
    r"|(?:https?://)?(?:(?:dx|www)\.)?doi\.org/10\.48550/arxiv\."
    r"|(?:doi:\s?)?10\.48550/arxiv\."
    r"|\barxiv(?:\.org)?(?:\s?(?:e-?print|preprint))?\s{0,3}[:/.]?\s{0,3}(?:abs/)?"
    r"|\b(?:CoRR|arxiv\s)[,\s]{1,3}abs/"
    r"|\beprint\s?=?\s?[{\"]"
    # One that is clear by itself, or nothing but a number.
    rf"|(?<![\w./-])(?={_OLD_NUMBER})|\A\s*(?=[0-9.]+(?:v[0-9]+)?\s*\Z))"
    rf"(?P<number>{_NEW_NUMBER}|{_OLD_NUMBER})(?P<version>v[0-9]{{1,3}})?(?:\.pdf)?",
    re.IGNORECASE,
)
_IN_URL = r"[^\s<>\"|\\^`{}\u3001\u3002\uff0c\uff09\u300b\u300d\u3011\u201c\u201d\u2018\u2019]"
_DOI = re.compile(
    r"(?P<url>(?:https?://)?(?:(?:dx|www)\.)?doi\.org/|https?://hdl\.handle\.net/)?"
    r"(?P<label>(?:\b(?:urn:|info:)?doi\s{0,3}(?:\.org)?[:=/]?\s{0,3})?)"
    # The prefix may be percent-encoded in an address, and "(SICI)…<1::AID-X>3.0.CO;2-2" is a DOI.
    r"(?P<doi>(?<![0-9.])10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,3}(?:/|%2F)"
    r"(?:[^\s\"<>\u3001\u3002\uff0c\uff09\u300b\u300d\u3011\u201c\u201d\u2018\u2019]"
    r"|<(?=[0-9])[^<>\s]{1,60}>(?=[0-9])){1,300})",
    re.IGNORECASE,
)
_URL = re.compile(
    rf"(?:\bhttps?://|(?<![\w./@-])www\.(?=[\w-]+\.)){_IN_URL}{{1,2000}}", re.IGNORECASE
)
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_TRAILING = ".,;:!?'\"*_~…·\\&"
# What programs put into identifiers, and no registry has: zero-width characters and soft hyphens.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_ESCAPED = re.compile(r"\\(?=[_&%#$.()\[\]<>*-])")


def find_identifiers(text: str) -> list[Identifier]:
    r"""Return the DOIs, arXiv numbers and addresses in a text, in order and without overlaps.

    Brackets belong to an identifier if they are closed in it; stops, quotation marks and Markdown
    after it do not. A DOI or an arXiv number that is written as an address is one, and no address;
    an address of a publisher that has a DOI in it is an address. Takes time proportional to the
    text.

    Examples:
        >>> [each.value for each in find_identifiers("(doi:10.1016/S0140-6736(05)1-6); arXiv:hep-th/9901001v2.")]
        ['10.1016/s0140-6736(05)1-6', 'hep-th/9901001v2']
    """  # noqa: E501
    found = [*_arxiv_in(text), *_dois_in(text), *_urls_in(text)]
    kept: list[Identifier] = []
    # A number of arXiv may be inside a DOI, which both begin at the same place; the first wins.
    rank = {"arxiv": 0, "doi": 1, "url": 2}
    for each in sorted(found, key=lambda each: (each.start, rank[each.kind])):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _arxiv_in(text: str) -> Iterator[Identifier]:
    for match in _ARXIV.finditer(text):
        number = match["number"]
        archive, slash, digits = number.lower().partition("/")
        # "math.GT/0309136" is the same as "math/0309136".
        value = f"{archive.partition('.')[0]}/{digits}" if slash else number
        yield Identifier("arxiv", value + (match["version"] or "").lower(), *match.span())


def _dois_in(text: str) -> Iterator[Identifier]:
    urls = [(match.start(), end) for match, end in _matches(_URL, text, 0)]
    at = 0
    for match, end in _matches(_DOI, text, "doi"):
        start = match.start("doi")
        while at < len(urls) and urls[at][1] <= start:
            at += 1
        in_address = at < len(urls) and urls[at][0] < start
        if in_address and not match["url"]:
            continue  # a page of a publisher
        written = text[start:end].translate(_INVISIBLE).translate(_DASHES)
        value = html.unescape(_ESCAPED.sub("", written))
        if match["url"]:
            value = unquote(re.split(r"[?#]", value)[0])
        value = _trimmed(value).lower()
        if value.partition("/")[2]:
            yield Identifier("doi", value, match.start(), end)


def _urls_in(text: str) -> Iterator[Identifier]:
    for match, end in _matches(_URL, text, 0):
        value = html.unescape(_ESCAPED.sub("", text[match.start() : end]))
        host = value.partition("://")[2] or value
        if re.match(r"[^/?#]*(?:\.|\[|localhost)", host, re.IGNORECASE):
            yield Identifier("url", value, match.start(), end)


def _matches(
    pattern: re.Pattern[str], text: str, group: str | int
) -> Iterator[tuple[re.Match[str], int]]:
    """Yield matches, and where the group in them ends without what is after an identifier.

    What is cut off may have another one: "[https://a.org](https://a.org)".
    """
    at = 0
    while (match := pattern.search(text, at)) is not None:
        start = match.start(group)
        end = start + len(_trimmed(match[group]))
        yield match, end
        at = max(end, start + 1)


def _trimmed(written: str) -> str:
    """Return an identifier without the stops and the brackets after it that are not its own."""
    opened = {opening: written.count(opening) for opening in _CLOSING.values()}
    closed = {closing: written.count(closing) for closing in _CLOSING}
    end = len(written)
    while end:
        last = written[end - 1]
        if last in _CLOSING:
            if closed[last] <= opened[_CLOSING[last]]:
                break
            closed[last] -= 1
        elif last in opened:
            opened[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    # A bracket that closes nothing ends it where Markdown or a sentence goes on: "10.1/x).More".
    depth = {")": 0, "]": 0}
    for at, char in enumerate(written[:end]):
        if char in "([":
            depth[")" if char == "(" else "]"] += 1
        elif char in depth:
            depth[char] -= 1
            if depth[char] < 0:
                return _trimmed(written[:at])
    return written[:end]


# What a registry says of a work.


class Author(NamedTuple):
    """An author of a work.

    Attributes:
        family: The family name; of an organisation its name.
        given: The given names or initials; empty where there are none.
    """

    family: str
    given: str = ""

    def __str__(self) -> str:
        """Return the name as it is read."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a registry says of a work.

    Attributes:
        title: Its title, as plain text; empty if the registry has none.
        authors: Its authors, in order.
        years: The years in which it was published: first online, then in print, for example.
        abstract: Its abstract, as plain text; empty if the registry has none.
        url: The address of its page.
        pdf_url: The address of a PDF file that anybody may read; empty if none is known.
        open_url: The address of a page with it that anybody may read; empty if none is known.
        registry: Who says so: "Crossref".
    """

    title: str = ""
    authors: tuple[Author, ...] = ()
    years: tuple[int, ...] = ()
    abstract: str = ""
    url: str = ""
    pdf_url: str = ""
    open_url: str = ""
    registry: str = ""


DifferenceKind = Literal["title_differs", "author_differs", "year_differs"]


class Difference(NamedTuple):
    """Something in which a reference differs from the record of its work.

    Attributes:
        kind: What differs.
        stated: What the reference says.
        found: What the record says.
    """

    kind: DifferenceKind
    stated: str
    found: str


_YEAR = re.compile(r"(?<![0-9–/:.-])(1[5-9][0-9]{2}|20[0-9]{2})(?=[a-z]?(?![0-9\w]))(?![–-][0-9])")
_ACCESSED = re.compile(
    r"\b(?:accessed|retrieved|visited|viewed|last checked|abgerufen|zugriff|consulté|consultado)\b"
    r"[^.;)\]]{0,60}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SUBTITLE = re.compile(r"\s*[:?!.–—]\s+|\s+-\s+")
_RETRACTED = re.compile(r"^(?:retracted(?: article)?|withdrawn|erratum)\s*:\s*", re.IGNORECASE)
_QUOTED = re.compile(r"“([^“”]{8,400})”|\"([^\"]{8,400})\"|«([^«»]{8,400})»|„([^„“”]{8,400})[“”]")
# A stop between the parts of a reference, and not after an initial or an abbreviation.
_PART_END = re.compile(
    r"(?<=[^\W\d_]{3})[.?!]\s+(?=\S)|(?<=\)[.,:])\s+|(?<=[0-9][.])\s+"
    r"|(?<=et\sal)\.:?\s+(?=\S)"
    # "Li W. Calcium intake", "Ridker PM. Effects", "Wu, J. Language models are".
    r"|(?<=\b[A-Z])\.\s+(?=[A-Z][a-z]*\s[a-z]+\s[a-z]+)"
    r"|(?:(?<=[a-zß-ÿ]\s[A-Z])|(?<=[a-zß-ÿ]\s[A-Z]{2}))\.\s+(?=[^\W\d_]{3})"
)
_NO_TITLE = re.compile(
    r"\b(?:journal|proceedings|proc|conference|advances|transactions|trans|letters|review|annals"
    r"|bulletin|vol|volume|pages|pp|issue|press|university|publishers?|springer|elsevier|wiley"
    r"|arxiv|preprint|available|accessed|retrieved|international|symposium|workshop|thesis|eds?"
    r"|edited|nature|science|lancet)\b|^in\s",
    re.IGNORECASE,
)
_JOINING = frozenset(
    "a an and as at by de del der des die das du e el en et for from für i il in into is la le les "
    "los mit of on or para por sur the to und une un von with y zu zur al eds ed editor editors "
    "others with jr sr ii iii iv phd md".split()
)
_SAME_TITLE = 0.75
"""The share of the words of a registered title that a reference has, in order, from which both are
the same: subtitles are left out, and words are misspelt."""

_ET_AL = re.compile(r"\bet\.?\s+al\b")
_SURNAME_AFTER = re.compile(r"(?:\s+[^\W\d_]\.?)*\s+([^\W\d_][\w'’-]+)")
_SURNAME_BEFORE = re.compile(r"([^\W\d_][\w'’-]+),\s+\Z")
_LONGEST_NAME = 60
_FEWEST_OF_TITLE = 4  # words of a part of a reference that is taken for another title
_LATE_PREPRINT = 3  # years after which a preprint may appear somewhere else
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ħ": "h"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def differences(reference: str, work: Work, *, preprint: bool = False) -> list[Difference]:
    """Return where a reference, as it is written, differs from the record of its work.

    Compared are words without capitals, accents and signs, so that subtitles, initials, "et al."
    and the order of names do not count. Reported is only what is there: a reference without a
    title, an author or a year differs in none, nor does a name in another script.

    Args:
        reference: The reference; with or without its DOI and addresses.
        work: The record.
        preprint: Whether it may have been published elsewhere some years later.

    Examples:
        >>> work = Work(title="On heat", authors=(Author("Müller", "Eva"),), years=(2019,))
        >>> differences("E. Mueller et al. (2020). On Heat. Physics 3, 1-9.", work)
        [Difference(kind='year_differs', stated='2020', found='2019')]
    """
    words = _without_identifiers(reference)
    found = [_title_differs(words, work), _author_differs(words, work)]
    found.append(_year_differs(words, work, preprint=preprint))
    return [each for each in found if each is not None]


def _without_identifiers(reference: str) -> str:
    parts, done = list[str](), 0
    for each in find_identifiers(reference):
        parts.append(reference[done : each.start])
        done = each.end
    return html.unescape(_ACCESSED.sub(" ", " ".join([*parts, reference[done:]])))


def _title_differs(words: str, work: Work) -> Difference | None:
    title = _RETRACTED.sub("", work.title)
    if not _folded(title) or _place_of_title(words, title) is not None:
        return None
    stated = _stated_title(words)
    return Difference("title_differs", stated, work.title) if stated else None


def _place_of_title(words: str, title: str) -> int | None:
    """Return where a title, or most of it, begins in a reference; `None` if it is not in it."""
    written = [(match.start(), _folded(match[0])) for match in _WORD.finditer(words)]
    wholes = [title, *(part for part in _SUBTITLE.split(title)[:1] if part.strip())]
    for whole in dict.fromkeys(wholes):
        sought = [folded for match in _WORD.finditer(whole) if (folded := _folded(match[0]))]
        if whole is not title and len(sought) < 2:
            continue
        place, shared = _in_order(sought, written)
        if sought and shared >= len(sought) * (_SAME_TITLE if len(sought) > 2 else 1):
            return place
    return _joined_place(words, title)


def _joined_place(words: str, title: str) -> int | None:
    """Return whether a title is there when blanks and hyphens do not count, or without spaces."""
    sought = "".join(_folded(match[0]) for match in _WORD.finditer(title))
    written = "".join(_folded(match[0]) for match in _WORD.finditer(words))
    return 0 if len(sought) >= 4 and sought in written else None


def _in_order(sought: Sequence[str], written: Sequence[tuple[int, str]]) -> tuple[int, int]:
    """Return where the best window of words begins, and how many sought words it has in order."""
    best = (0, 0)
    width = len(sought) + len(sought) // 2 + 1
    firsts = {*sought}
    for at, (place, word) in enumerate(written):
        if word not in firsts:
            continue
        window = [each for _, each in written[at : at + width]]
        shared = _longest_common(sought, window)
        if shared > best[1]:
            best = (place, shared)
    return best


def _longest_common(left: Sequence[str], right: Sequence[str]) -> int:
    row = [0] * (len(right) + 1)
    for each in left:
        previous = 0
        for at, other in enumerate(right, 1):
            previous, row[at] = (
                row[at],
                previous + 1 if _alike(each, other) else max(row[at], row[at - 1]),
            )
    return row[-1]


def _alike(left: str, right: str) -> bool:
    """Return whether two folded words are the same, or one is misspelt."""
    if left == right:
        return True
    if min(len(left), len(right)) < 5 or abs(len(left) - len(right)) > 1:
        return False
    same = sum(one == other for one, other in zip(left, right, strict=False))
    tail = sum(one == other for one, other in zip(reversed(left), reversed(right), strict=False))
    return (
        max(same, tail, _head(left, right) + _head(left[::-1], right[::-1]))
        >= max(len(left), len(right)) - 1
    )


def _head(left: str, right: str) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _stated_title(words: str) -> str:
    """Return what a reference gives as a title; empty if that is not clear."""
    quoted = next((match for match in _QUOTED.finditer(words)), None)
    if quoted:
        title = next(filter(None, quoted.groups())).strip(" .,;")
        return title if len(title.split()) >= 2 else ""
    parts = [part.strip(" .,;*_") for part in _PART_END.split(words)]
    for part in (each for each in parts[1:] if not each.startswith("(")):
        plain = [match[0] for match in _WORD.finditer(part) if not match[0].isdecimal()]
        names = sum(len(word) == 1 for word in plain)
        is_title = len(plain) >= _FEWEST_OF_TITLE and not names * 3 > len(plain)
        if is_title and not _NO_TITLE.search(" ".join(part.split()[:4])):
            return part
    return ""


def _author_differs(words: str, work: Work) -> Difference | None:
    written = [match[0] for match in _WORD.finditer(words)]
    families = [each.family for each in work.authors if _folded(each.family)]
    if not families or _is_latin("".join(written)) is not _is_latin("".join(families)):
        return None
    place = _place_of_title(words, work.title) if work.title else None
    head = _YEAR.sub(" ", words[:place] if place else _before_title(words))
    head = _ET_AL.split(head)[0]
    names = [match for match in _WORD.finditer(head) if _is_name(match[0])]
    shown = ", ".join(map(str, work.authors[:3])) + (" et al." if len(work.authors) > 3 else "")
    surnames = {form for family in families for form in _forms(family)}
    if names and not any(surnames & _forms(match[0]) for match in names):
        stated = " ".join(head.split()).strip(' .,;:()[]*_"“”')
        return Difference("author_differs", stated, shown)
    # A name that none of the authors has, where it is clear that names end before the title.
    given = {form for each in work.authors for form in _forms(each.given)}
    for match in names if place else ():
        forms = _forms(match[0])
        spelled_out = not given.isdisjoint(form[:1] for form in forms)
        if forms & (surnames | given) or (spelled_out and _is_given(match, head, surnames)):
            continue
        return Difference("author_differs", match[0], shown)
    return None


def _is_given(name: re.Match[str], head: str, surnames: set[str]) -> bool:
    """Return whether a name belongs to a surname beside it: "Alan M. Turing", "Turing, Alan"."""
    after = _SURNAME_AFTER.match(head, name.end())
    before = _SURNAME_BEFORE.search(head, max(0, name.start() - _LONGEST_NAME), name.start())
    return any(each and surnames & _forms(each[1]) for each in (after, before))


def _before_title(words: str) -> str:
    """Return the part of a reference in which authors are, if it has a title that is not known."""
    ends = [match.start() for match in (_QUOTED.search(words), _YEAR.search(words)) if match]
    ends += [match.start() for match in [_PART_END.search(words)] if match]
    return words[: min(ends, default=0)]


def _is_name(word: str) -> bool:
    letters = word.replace("'", "").replace("’", "")
    return (
        len(letters) > 2
        and letters[0].isupper()
        and not any(map(str.isdigit, letters))
        and not (letters.isupper() and len(letters) <= 3)  # "Ridker PM"
        and letters.casefold() not in _JOINING
    )


def _forms(name: str) -> set[str]:
    """Return the words of a name as they may be written without accents: "muller", "mueller"."""
    words = [match[0] for match in _WORD.finditer(name)]
    spread = [unicodedata.normalize("NFC", word).casefold().translate(_UMLAUTS) for word in words]
    return {
        folded
        for word in (*words, *spread, *([name] if words else []))
        if (folded := _folded(word))
    }


def _year_differs(words: str, work: Work, *, preprint: bool) -> Difference | None:
    stated = [int(match[1]) for match in _YEAR.finditer(words)]
    # Years in the title are no dates of it.
    stated = [year for year in stated if str(year) not in work.title]
    if not stated or not work.years:
        return None
    low, high = min(work.years), max(work.years)
    known = {*work.years, *(range(low, high + _LATE_PREPRINT + 1) if preprint else ())}
    if known & {*stated}:
        return None
    found = " or ".join(str(year) for year in dict.fromkeys(work.years))
    return Difference("year_differs", str(stated[0]), found)


def _folded(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word.casefold().translate(_LETTERS))
    return "".join(char for char in letters if char.isalnum())


def _is_latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum("LATIN" in unicodedata.name(char, "") for char in letters)
    return latin * 2 >= len(letters)


# Records of registries, as they come.


def plain_text(markup: str) -> str:
    """Return the text of a title or an abstract in JATS, HTML or plain text, on one line a part.

    Examples:
        >>> plain_text("<jats:title>Abstract</jats:title><jats:p>CO<sub>2</sub> &amp; heat.</jats:p>")
        'CO2 & heat.'
    """  # noqa: E501
    spaced = re.sub(r"</(?:jats:)?(?:p|title|sec|list-item)>", "\n", markup)
    words = html.unescape(re.sub(r"</?[a-zA-Z][\w:.-]*(?:\s[^<>]*)?/?>", "", spaced))
    lines = [" ".join(line.split()) for line in words.splitlines()]
    kept = [line for line in lines if line and line.casefold() not in ("abstract", "summary")]
    return "\n".join(kept)
