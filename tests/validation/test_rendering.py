# ruff: noqa: E501 - a snapshot holds a message as it is
"""`Answer.to_markdown`: numbered footnotes, and nothing that breaks out."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from inline_snapshot import snapshot
from markdown_it import MarkdownIt

from citeguard import (
    Answer,
    Citation,
    CiteguardError,
    InvalidSourcesError,
    Policy,
    Source,
    Sources,
    Statement,
    UnknownSourceError,
)
from hostile import hostile

TEXT = "Contents\nNotice is one month.\nLunch is free."
SOURCES = Sources(
    [
        Source("h", TEXT, title="Hand_book", url="https://example.org/a(1)"),
        Source("f", "Dogs bark."),
    ]
)


def answer(policy: Policy | None = None) -> Answer:
    month = {"quote": "Notice is one month", "source_id": "h"}
    statements = [
        {"text": "It takes a month.", "citations": [month]},
        {"text": "Again, and dogs bark.", "citations": [month, {"quote": "Dogs bark"}]},
        {"text": "It costs 5 euros.", "citations": [{"quote": "Lunch costs 5 euros"}]},
    ]
    kept = statements if policy else statements[:2]
    data = {"statements": kept, "unanswerable": "Nothing about cats."}
    return Answer.model_validate(data, context=SOURCES.as_context(policy))


class TestMarkdown:
    def test_has_footnotes_with_links(self) -> None:
        assert answer(Policy(invalid="drop")).to_markdown(SOURCES) == snapshot("""\
It takes a month.[^1] Again, and dogs bark.[^1][^2]

*Not in the sources, in the model's own, unchecked words: Nothing about cats.*

*1 statement omitted, as wrong or unsupported.*

[^1]: “Notice is one month” – [Hand\\_book](https://example.org/a%281%29#:~:text=Notice%20is%20one%20month), line 2
[^2]: “Dogs bark” – f, line 1
""")

    def test_without_sources_names_ids(self) -> None:
        assert answer().to_markdown().splitlines()[-2:] == snapshot(
            ["[^1]: “Notice is one month” – h", "[^2]: “Dogs bark” – f"]
        )

    def test_of_other_sources_is_an_error(self) -> None:
        with pytest.raises(UnknownSourceError):
            answer().to_markdown({"other": "text"})


class TestSources:
    def test_with_other_texts_are_an_error(self) -> None:
        changed = Sources({"h": TEXT.replace("one", "ten"), "f": "Dogs bark."})
        with pytest.raises(InvalidSourcesError, match="source 'h' does not have a quote"):
            answer().to_markdown(changed)


def test_direction_marks_have_no_effect_outside() -> None:
    citation = {"quote": "Dogs bark", "source_id": "f"}
    data = {"statements": [{"text": "\u202eesrever", "citations": [citation]}]}
    shown = Answer.model_validate(data, context=SOURCES.as_context())
    assert "\u202e" not in shown.to_markdown()


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)


def tags_of(html: str) -> set[str]:
    reader = _Tags()
    reader.feed(html)
    return reader.tags


@given(hostile.map(lambda text: text.encode(errors="replace").decode()))
def test_markup_has_no_effect(text: str) -> None:
    sources = Sources([Source("a", f"Dogs bark. {text}", title=text or None)])
    citation = {"quote": "Dogs bark.", "source_id": "a"}
    data = {"statements": [{"text": f"{text}!", "citations": [citation]}], "unanswerable": text}
    shown = Answer.model_validate(data, context=sources.as_context())
    assert shown.to_markdown(sources).encode()
    assert tags_of(MarkdownIt("commonmark").render(shown.to_markdown(sources))) <= {
        "p",
        "em",
        "span",
    }


class TestUnvalidated:
    def test_answers_cannot_be_shown(self) -> None:
        citation = Citation.model_construct(quote="Dogs bark", source_id="f", spans=())
        statement = Statement.model_construct(text="Dogs bark.", citations=[citation])
        given = Answer.model_construct(statements=[statement])
        with pytest.raises(CiteguardError, match="has a citation that was never validated"):
            given.to_markdown(SOURCES)
