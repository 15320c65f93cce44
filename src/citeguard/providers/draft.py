"""An answer as a reply states it, `Draft`: its text, and citations that are not proved yet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from citeguard.language.citations import machine_marks, with_blanks_before
from citeguard.language.excerpts import as_json
from citeguard.language.lexicon import union
from citeguard.language.sentences import Interval, sentence_intervals
from citeguard.language.tokens import has_words, tokenize
from citeguard.providers.documents import Documents, is_redirect
from citeguard.providers.imported import FindingKind, ImportFinding
from citeguard.providers.offsets import Positions, Unit, prove, prove_by_words, verbatim_places
from citeguard.providers.reply import Node
from citeguard.sources.collection import Source

Problem = tuple[FindingKind, str]
"""A kind of finding, and what is wrong, in a sentence."""

Place = tuple[Interval | None, tuple[Problem, ...]]
"""What a citation covers of the answer's text, and what is wrong with how the reply says so."""

_LONGEST = 120  # characters of a text in a message
_ITEM_MARKS = " \t-*+•>#"
_BREAKS = " \t,;:–—，；：、"
_OPENING = f"{_BREAKS}(（"
_FEWEST_WORDS = 3  # of an uncited half of a sentence; fewer are "he said", "in all"
_WORDS = frozenset(("word", "number", "character"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """What a reply says of one citation, before any of it is believed."""

    path: str  # where in the reply it is
    segment: Interval | None = None  # of the answer's text; `None` if the reply does not say
    source: Source | None = None  # the document that it names, if it is among those given
    quote: str | None = None  # the words that it cites
    offsets: tuple[int, int] | None = None  # of the words in the document, as the reply states it
    interval: Interval | None = None  # the same in code points, if the reply names blocks
    pages: range | None = None  # that the words are on, from 1
    problems: tuple[Problem, ...] = ()  # what is known to be wrong already

    def with_problem(self, kind: FindingKind, message: str) -> Cited:
        """Return the citation with one more problem."""
        return replace(self, problems=(*self.problems, (kind, message)))


def cited_page(
    path: str, documents: Documents, url: str | None, title: str | None, host: str | None = None
) -> Cited:
    """Return a citation of the document at an address; of a redirect of the only one possible."""
    if is_redirect(url):
        source = documents.named(url) or documents.of_host(host, title) or documents.named(title)
        said = f"{url} is a redirect: follow it to know the page."
        return Cited(path=path, source=source).with_problem("redirect_uri", said)
    return cited_document(path, documents, url, title)


def cited_document(
    path: str, documents: Documents, *names: str | None, index: int | None = None
) -> Cited:
    """Return a citation of the document with one of some names, or else in a place from 0."""
    cited = Cited(path=path, source=documents.named(*names) or documents.at(index))
    if cited.source is not None:
        return cited
    name = next(filter(None, names), None)
    if name is None and index is not None:
        said = f"The reply cites document {index}, counted from 0, and there are fewer."
        return cited.with_problem("index_out_of_range", said)
    said = "The citation names no document."
    said = said if name is None else f"The document {name} was not given."
    return cited.with_problem("missing_source", said)


class Draft:
    """The text of an answer in parts, with something between two of them, and its citations."""

    def __init__(self, texts: Sequence[str], *, between: str = "") -> None:
        self.texts = texts
        self.starts: list[int] = []
        self.raw = ""
        for text in texts:
            self.raw += between if self.raw else ""
            self.starts.append(len(self.raw))
            self.raw += text
        self.positions = [Positions(text) for text in texts]
        self._whole = Positions(self.raw)
        self._marks = machine_marks(self.raw)
        # Each with what it cites of the raw text, and whether that is a mark.
        self._cited: list[tuple[Cited, Interval | None, bool]] = []
        self._findings: list[ImportFinding] = []

    def segment(
        self, part: int | None, start: int | None, end: int | None, own: str | None, unit: Unit
    ) -> Place:
        """Return the interval of the raw text that offsets of a part mean, and the problems.

        Providers omit zeros. `own` is the provider's own text of the interval, `None` if it does
        not repeat it, and `unit` what it documents.
        """
        part, start = part or 0, start or 0
        if end is None and not own:
            return None, (("location_missing", "The reply does not say which part is cited."),)
        end = start + len(own or "") if end is None else end
        # The part that is named comes first; but offsets may be those of another, or of all
        # together.
        numbers = sorted(range(len(self.texts)), key=lambda number: number != part)
        places = [(number, self.positions[number], self.starts[number]) for number in numbers]
        if len(self.texts) > 1:
            places.append((-1, self._whole, 0))
        for number, positions, base in places:
            if own:
                proof = prove(positions, start, end, own, declared=unit)
            else:
                proof = prove_by_words(positions, start, end, declared=unit)
            if proof is not None:
                problems: tuple[Problem, ...] = offset_problems(proof.kinds, start, end, unit)
                if number != part:
                    said = f"{start} to {end} does not count in part {part}, but elsewhere."
                    problems = (("wrong_part", said), *problems)
                return (proof.interval[0] + base, proof.interval[1] + base), problems
        return self._relocated(start, end, own)

    def _relocated(self, start: int, end: int, own: str | None) -> Place:
        """Look for a provider's own text that is not where it says."""
        if not own:
            return None, (("offset_wrong", f"{start} to {end} is outside the answer."),)
        places = [*verbatim_places(own, self.raw)]
        if not places:
            said = f"The answer does not have {quoted(own)}, neither at {start} nor elsewhere."
            return None, (("offset_wrong", said),)
        said = f"The answer has {quoted(own)}, but not at {start} to {end}."
        problems: list[Problem] = [("offset_wrong", said)]
        if len(places) > 1:
            problems.append(("ambiguous", f"The answer has {quoted(own)} {len(places)} times."))
        near = min(places, key=lambda place: abs(place - start))
        return (near, near + len(own)), tuple(problems)

    def cite(
        self,
        cited: Cited,
        where: Interval | None,
        problems: Iterable[Problem] = (),
        *,
        is_mark: bool = False,
    ) -> None:
        """Add a citation of an interval of the raw text, or of the sentence before a mark there."""
        cited = replace(cited, problems=(*problems, *cited.problems))
        if is_mark and where is not None:
            self._marks.append(where)
        self._cited.append((cited, where, is_mark))

    def is_marked(self, position: int) -> bool:
        """Return whether a position of the raw text is in a mark."""
        return any(start <= position < end for start, end in self._marks)

    def leave_marks(self, kind: FindingKind, message: str) -> None:
        """Report the marks that no citation is about."""
        about = [where for _, where, _ in self._cited if where is not None]
        for start, end in machine_marks(self.raw):
            if not any(low < end and high > start for low, high in about):
                shown = self.raw[start:end].encode("unicode_escape").decode()
                self._findings.append(
                    ImportFinding(kind=kind, path="text", message=message.format(shown))
                )

    def stated(self, reply: Node) -> tuple[AnswerText, list[Cited], list[ImportFinding]]:
        """Return the text, its citations, and findings that are about none of them.

        There is a finding for each list of citations in the reply that nobody has read.
        """
        said = (
            "These citations were not read. Is the reply another provider's, or of several answers?"
        )
        for path in reply.unread():
            self._findings.append(ImportFinding(kind="not_read", path=path, message=said))
        text = AnswerText(self.raw, self._marks)
        text.cut(
            text.up_to(where[0]) if is_mark else text.interval(*where)
            for _, where, is_mark in self._cited
            if where is not None
        )
        segments = (
            where and (text.sentence_before(where[0]) if is_mark else text.interval(*where))
            for _, where, is_mark in self._cited
        )
        cited = [
            replace(each, segment=segment)
            for (each, *_), segment in zip(self._cited, segments, strict=True)
        ]
        return text, cited, self._findings


class AnswerText:
    """The text of a reply for readers, without the marks of citations."""

    def __init__(self, raw: str, marks: Iterable[Interval] = ()) -> None:
        self._removed = with_blanks_before(raw, marks)
        self._starts = [start for start, _ in self._removed]
        kept, done = list[str](), 0
        for start, end in self._removed:
            kept.append(raw[done:start])
            done = end
        self.text = "".join([*kept, raw[done:]])
        self._sentences: list[Interval] = []
        begin = 0
        for line in self.text.splitlines(keepends=True):
            self._sentences += (
                (begin + start, begin + end)
                for start, end in sentence_intervals(line)
                if any(map(str.isalnum, line[start:end]))
            )
            begin += len(line)

    def interval(self, start: int, end: int) -> Interval:
        """Return the interval of the text that an interval of the raw text becomes."""
        return self._place(start), self._place(end)

    def _place(self, position: int) -> int:
        before = bisect_right(self._starts, position)
        gone = sum(min(end, position) - start for start, end in self._removed[:before])
        return position - gone

    def sentence_before(self, position: int) -> Interval | None:
        """Return the sentence of the text that a mark at a position of the raw text belongs to.

        It is the one that the mark follows; the first one, if it follows none.
        """
        place = self._place(position)
        earlier = [each for each in self._sentences if each[0] < place]
        return next(iter(earlier[-1:] or self._sentences[:1]), None)

    def up_to(self, position: int) -> Interval:
        """Return the interval that a mark at a position of the raw text covers in its sentence."""
        place = self._place(position)
        start, end = self.sentence_before(position) or (place, place)
        return start, max(start, min(place, end))

    def cut(self, segments: Iterable[Interval]) -> None:
        """Cut off the parts of sentences that no segment covers, where they are halves.

        A half is a run of at least three words between a comma or the like, or a connective, or
        the border of the sentence, on its left, and a connective after a comma, a semicolon, or
        the border on its right. "According to the handbook, " leads to what follows.
        """
        covered = sorted(segments)
        self._sentences = [
            part for start, end in self._sentences for part in self._halves(start, end, covered)
        ]

    def _halves(self, start: int, end: int, covered: Iterable[Interval]) -> Iterator[Interval]:
        """Yield the parts of a sentence: what is covered, and the halves that are not."""
        inside = [
            (max(low, start), min(high, end))
            for low, high in covered
            if has_words(self.text[max(low, start) : min(high, end)])
        ]
        if not inside:
            yield start, end
            return
        cuts, done = [start], start
        for low, high in (*inside, (end, end)):
            if low > done and (half := self._half(done, low, start, end)):
                cuts += half
            done = max(done, high)
        for low, high in pairwise([*cuts, end]):
            part = self.text[low:high]
            if has_words(part):
                low += len(part) - len(part.lstrip(_BREAKS)) if low > start else 0
                high -= len(part) - len(part.rstrip(_BREAKS)) if high < end else 0
                yield low, high

    def _half(self, low: int, high: int, start: int, end: int) -> Interval | None:
        """Return what of an uncovered part of a sentence is a statement of its own, if it is."""
        part, joining = self.text[low:high], union("connectives")
        tokens = [each for each in tokenize(part) if each.kind in _WORDS]
        if sum(each.key not in joining for each in tokens) < _FEWEST_WORDS:
            return None
        follows_break = self.text[start:low].rstrip()[-1:] in (*_BREAKS,)
        opens = part.lstrip()[0] in _OPENING or tokens[0].key in joining or follows_break
        if low > start and not opens:
            return None
        if high == end or part.rstrip().endswith((";", "；")):
            return low, high
        before = part[: tokens[-1].start].rstrip()
        is_joined = tokens[-1].key in joining and before.endswith((",", "，"))
        return (low, low + len(before)) if is_joined else None

    def statements(self, segments: Iterable[Interval]) -> list[Interval]:
        """Return the intervals of statements: sentences, joined where one segment has several."""
        starts = [start for start, _ in self._sentences]
        joined = [False] * len(self._sentences)  # with the sentence before
        for start, end in segments:
            first = max(0, bisect_right(starts, start) - 1)
            touched = [
                number
                for number in range(first, bisect_right(starts, max(start, end - 1)))
                if self._sentences[number][1] > start and self._sentences[number][0] < end
            ]
            for number in touched[1:]:
                joined[number] = True
        whole: list[Interval] = []
        for (start, end), with_last in zip(self._sentences, joined, strict=True):
            if with_last:
                whole[-1] = whole[-1][0], end
            else:
                whole.append((start, end))
        # A statement starts behind the sign of a list's item or a heading.
        return [(end - len(self.text[start:end].lstrip(_ITEM_MARKS)), end) for start, end in whole]


_UNITS = {"code_points": "characters", "utf16": "UTF-16 code units", "utf8": "UTF-8 bytes"}


def offset_problems(
    kinds: Iterable[FindingKind], start: int, end: int, unit: Unit
) -> tuple[Problem, ...]:
    """Return what is wrong with offsets that were read in another way than is documented."""
    said = {
        "wrong_unit": f"{start} to {end} does not count {_UNITS[unit]}, as documented.",
        "end_inclusive": f"The end {end} is that of the last character, not the one behind it.",
        "ambiguous": f"{start} to {end} fits several places.",
    }
    return tuple((kind, said[kind]) for kind in kinds)


def quoted(text: str | None) -> str:
    """Return words for a message: in quotation marks, and cut if they are many."""
    return as_json(text or "", _LONGEST)
