"""Captions as documents: who speaks, when, and what a quote may not join."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citeguard import InvalidSourcesError, Source, Sources, locate
from citeguard.documents.loading import read_sources
from rows import each_row

VTT = """WEBVTT - a talk

NOTE
This is no caption.

STYLE
::cue { color: red }

intro
00:00:01.000 --> 00:00:04.000 align:start
<v Anna Smith>We ship on <i>Monday</i>. The</v>

00:00:04.000 --> 00:00:06.000
<v Anna Smith>tests are green &amp; fast.</v>

00:01:03.500 --> 00:01:06.000
<v.loud Ben>I doubt it.
The build is red.</v>

01:02:03.000 --> 01:02:06.000
<v Anna Smith>One thing: it is fixed.</v>
"""
SRT = """1
00:00:01,000 --> 00:00:04,000
ANNA: We ship on Monday. The

2
00:00:04,000 --> 00:00:06,000
tests are green.

3
00:01:03,500 --> 00:01:06,000
BEN: I doubt it. It's simple: no.
ANNA: {\\an8}It is fixed.
"""
ROLLING = """WEBVTT

00:00:00.000 --> 00:00:02.000 align:start position:0%

hello<00:00:00.500><c> and</c><00:00:01.000><c> welcome</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
hello and welcome


00:00:02.010 --> 00:00:04.000 align:start position:0%
hello and welcome
to<00:00:02.500><c> the</c><00:00:03.000><c> show</c>
"""


def read(name: str, content: str) -> Sources:
    return read_sources([(name, content.encode())])


def is_accepted(quote: str, source: Source | Sources) -> bool:
    found = locate(quote, source)
    assert found is not None
    return found.accepted


class TestCaptions:
    @each_row(
        ("name", "content", "text"),
        [
            (
                "talk.vtt",
                VTT,
                "Anna Smith: We ship on Monday. The tests are green & fast.\n\n"
                "Ben: I doubt it. The build is red.\n\nAnna Smith: One thing: it is fixed.",
            ),
            (
                "talk.srt",
                SRT,
                "ANNA: We ship on Monday. The tests are green.\n\n"
                "BEN: I doubt it. It's simple: no.\n\nANNA: It is fixed.",
            ),
            ("talk.srt", SRT.replace("\n", "\r\n"), None),
            ("talk.vtt", ROLLING, "hello and welcome to the show"),
            (
                "talk.vtt",  # two voices in a cue, one that ends, and a label that is not markup's
                "WEBVTT\r\r00:01.000 --> 00:02.000\r<v Ann (ACME, Sales)>Hello.</v> <v Bob>Hi.\r"
                "Ann: said so.</v> Oh.\r",
                "Ann (ACME, Sales): Hello.\n\nBob: Hi. Ann: said so.\n\nOh.",
            ),
            (
                "talk.srt",  # who speaks is not always named
                "1\n00:01,000 --> 00:02,000\n>> ANNA: It is.\n>> BEN: No.\n>> Who says so?\n\n"
                "2\n00:02,000 --> 00:03,000\n- I do.\n- Oh.\n",
                "ANNA: It is.\n\nBEN: No.\n\n>> Who says so?\n\n- I do.\n\n- Oh.",
            ),
            ("talk.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nIt <is no> fine.\n", "It fine."),
            (
                "ruby.vtt",
                "WEBVTT\n\n00:01.000 --> 00:02.000\nIt is <ruby>safe<rt>not</rt></ruby> now.\n",
                "It is safe (not) now.",
            ),
            (
                "film.srt",
                "1\n00:01,000 --> 00:02,000\nNo.\n\n2\n00:02,000 --> 00:03,000\nNo.\nNever: no.\n",
                "No. No. Never: no.",  # a repetition, and no speaker
            ),
            (
                "gaps.srt",  # blank lines end a cue of WebVTT only
                "1\n00:01,000 --> 00:02,000\nIt was\n\nnot\n\n2\n00:02,000 --> 00:03,000\nsafe.\n",
                "It was not safe.",
            ),
        ],
        ids=lambda row: row[:9],
    )
    def test_become_turns(self, name: str, content: str, text: str | None) -> None:
        [source] = read(name, content)
        assert source.text == (text or read("talk.srt", SRT)["talk"].text)

    def test_begin_a_paragraph_at_a_sentence_if_one_person_speaks_for_long(self) -> None:
        cue = "00:01.000 --> 00:02.000\nIt goes on like this. And so does\n\n"
        [source] = read("talk.vtt", "WEBVTT\n\n" + cue * 60)
        assert "\n\n" not in source.text
        [source] = read("talk.vtt", "WEBVTT\n\n" + cue.replace("And so does", "") * 60)
        assert 2 <= source.text.count("\n\n") <= 3

    @each_row(
        "content", ["WEBVTT\n\nNOTE nothing\n", "WEBVTT\n\n00:01.000 --> 00:02.000\n<i></i>\n"]
    )
    def test_need_words(self, content: str) -> None:
        with pytest.raises(InvalidSourcesError, match=r"talk\.vtt: has no captions"):
            read("talk.vtt", content)

    @each_row(
        ("quote", "speaker", "time"),
        [
            ("We ship on Monday", "Anna Smith", "00:00:01"),
            ("green & fast", "Anna Smith", "00:00:04"),
            ("The build is red.", "Ben", "00:01:03"),
            ("it is fixed", "Anna Smith", "01:02:03"),
        ],
    )
    def test_know_who_speaks_and_when(self, quote: str, speaker: str, time: str) -> None:
        sources = read("talk.vtt", VTT)
        found = locate(quote, sources)
        assert found is not None
        place = sources.location_of(found.span)
        assert (place.speaker, place.time, str(place)) == (speaker, time, f"{speaker}, {time}")

    def test_do_not_say_who_speaks_if_another_one_does(self) -> None:
        [source] = read("a.srt", "1\n00:01,000 --> 00:02,000\nBEN: No.\n>> Who says so?\nI do.\n")
        assert [part.speaker for part in source.parts] == ["BEN", None, None]
        for quote in ("No. Who says so?", "No … I do"):
            assert not is_accepted(quote, source)
        assert is_accepted("Who says so? I do.", source)
        dialogue = read(
            "a.srt", "1\n00:01,000 --> 00:02,000\n- Is it dear?\n- It is not for sale.\n"
        )
        for quote, accepted in [
            ("Is it dear? It is not for sale.", False),
            ("Is it dear … not for sale", False),
            ("- Is it dear?\n\n- It is not for sale.", True),
        ]:
            assert is_accepted(quote, dialogue) == accepted

    def test_open_at_the_second(self) -> None:
        sources = Sources(replace(read("talk.vtt", VTT)["talk"], url="https://a.org/w?v=1#top"))
        found = locate("it is fixed", sources)
        assert found is not None
        assert sources.location_of(found.span).url == "https://a.org/w?v=1#t=3723"

    @each_row(
        ("quote", "grade"),
        [
            ("We ship on Monday. The tests are green & fast.", "exact"),
            ("I doubt it. The build is red.", "exact"),
            ("Ben: I doubt it", "exact"),
            ("ship on Monday … it is fixed", "elided"),
            ("green & fast. Ben: I doubt it.", "normalized"),  # it says who
            ("green & fast. I doubt it.", None),
            ("We ship on Monday … The build is red", None),
        ],
    )
    def test_are_not_joined_across_speakers(self, quote: str, grade: str | None) -> None:
        found = locate(quote, read("talk.vtt", VTT))
        assert found is not None
        assert found.grade == grade
