"""The text of a reply for readers: without the marks of citations, in sentences and statements."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from citeguard.language.citations import with_blanks_before
from citeguard.language.sentences import Interval, sentence_intervals

_ITEM_MARKS = " \t-*+•>#"


class AnswerText:
    """The text of a reply for readers, without the marks of citations.

    Args:
        raw: The text as the reply has it.
        marks: The intervals of the marks in it, half-open, in code points.
    """

    def __init__(self, raw: str, marks: Iterable[Interval] = ()) -> None:
        self.raw = raw
        self._removed = with_blanks_before(raw, marks)
        self._starts = [start for start, _ in self._removed]
        kept, done = list[str](), 0
        for start, end in self._removed:
            kept.append(raw[done:start])
            done = end
        self.text = "".join([*kept, raw[done:]])
        self.sentences: list[Interval] = []
        begin = 0
        for line in self.text.splitlines(keepends=True):
            for start, end in sentence_intervals(line):
                if any(map(str.isalnum, line[start:end])):
                    self.sentences.append((begin + start, begin + end))
            begin += len(line)

    def place(self, position: int) -> int:
        """Return where a position of the raw text is in the text."""
        before = bisect_right(self._starts, position)
        gone = sum(min(end, position) - start for start, end in self._removed[:before])
        return position - gone

    def interval(self, start: int, end: int) -> Interval:
        """Return the interval of the text that an interval of the raw text becomes."""
        return self.place(start), self.place(end)

    def sentence_before(self, position: int) -> Interval | None:
        """Return the sentence of the text that a mark at a position of the raw text belongs to.

        It is the one that the mark follows; the first one, if it follows none.
        """
        place = self.place(position)
        earlier = [each for each in self.sentences if each[0] < place]
        chosen = earlier[-1:] or self.sentences[:1]
        return chosen[0] if chosen else None

    def statements(self, segments: Iterable[Interval]) -> list[Interval]:
        """Return the intervals of statements: sentences, joined where one segment has several."""
        starts = [start for start, _ in self.sentences]
        joined = [False] * len(self.sentences)  # with the sentence before
        for start, end in segments:
            first = max(0, bisect_right(starts, start) - 1)
            touched = [
                number
                for number in range(first, bisect_right(starts, max(start, end - 1)))
                if self.sentences[number][1] > start and self.sentences[number][0] < end
            ]
            for number in touched[1:]:
                joined[number] = True
        whole: list[Interval] = []
        for (start, end), with_last in zip(self.sentences, joined, strict=True):
            if with_last:
                whole[-1] = whole[-1][0], end
            else:
                whole.append((start, end))
        # A statement starts behind the sign of a list's item or a heading.
        return [(end - len(self.text[start:end].lstrip(_ITEM_MARKS)), end) for start, end in whole]
