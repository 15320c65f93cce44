"""The frames and connectives that are found in a text, and their tables."""

import pytest

from citeguard.facts.reading.connectives import links
from citeguard.facts.reading.frames import frames
from citeguard.facts.reading.words import read


class TestFrames:
    @pytest.mark.parametrize(
        ("text", "kind", "frame"),
        [
            ("He may win.", "open", "may"),
            ("She was accused of theft.", "open", "accused"),
            ("The ship nearly sank.", "open", "nearly"),
            ("He was acquitted of fraud.", "denies", "acquitted of"),
            ("It has yet to open.", "denies", "yet to"),
            ("They prevented the crew from leaving.", "denies", "prevented the crew from"),
            ("The report is false.", "denied", "false"),
            ("He said so.", "reported", "said"),
        ],
    )
    def test_are_found(self, text: str, kind: str, frame: str) -> None:
        reading = read(text)
        found = {(f.kind, reading.slice(f.first, f.end - 1)[0]) for f in frames(reading)}
        assert (kind, frame) in found

    @pytest.mark.parametrize(
        "text",
        [
            "The walk is nearly 30 km long.",
            "They left. From there they went home.",
            "It is likable.",
        ],
    )
    def test_are_not_found_in_other_words(self, text: str) -> None:
        assert frames(read(text)) == ()


class TestLinks:
    def test_join_two_clauses(self) -> None:
        (link,) = links(read("The alarm sounds unless the door is closed."))
        assert (link.main, link.clause) == ({"alarm", "sound"}, {"door", "close"})

    def test_may_come_first(self) -> None:
        (link,) = links(read("Unless the door is closed, the alarm sounds."))
        assert (link.main, link.clause) == ({"alarm", "sound"}, {"door", "close"})

    def test_longest_connective_counts(self) -> None:
        (link,) = links(read("A vote is held only if two members ask for it."))
        assert (link.first, link.last, link.key) == (4, 5, "only")

    @pytest.mark.parametrize(
        ("one", "other", "excluded"),
        [("unless", "if", True), ("when", "if", False), ("because", "after", False)],
    )
    def test_exclude_those_of_another_group(self, one: str, other: str, *, excluded: bool) -> None:
        (first,) = links(read(f"The alarm sounds {one} the door closes."))
        (second,) = links(read(f"The alarm sounds {other} the door closes."))
        assert first.excludes(second) == second.excludes(first) == excluded

    def test_of_text_without_clauses_are_none(self) -> None:
        assert links(read("Unless.")) == links(read("")) == ()

    def test_of_long_text_are_bounded(self) -> None:
        assert len(links(read("dogs if cats " * 500))) < 20
