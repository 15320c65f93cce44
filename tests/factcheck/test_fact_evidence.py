"""Pages: what says nothing, passages, copies, and that order and copies change no verdict."""

from typing import Any

from fake_web import FakeWeb
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import Source
from citeguard.factcheck import fact_check
from citeguard.factcheck.evidence import PagePassages, silent_intervals
from citeguard.factcheck.gathering import COPY_FROM, Origins, registrable_domain, shingles_of
from citeguard.sources.layout import Heading, Layout
from rows import each_row


def silent(text: str, *headings: tuple[str, int]) -> list[str]:
    found = [
        Heading(words, level, text.index(words), text.index(words) + len(words))
        for words, level in headings
    ]
    layout = Layout("html", len(text), headings=found) if headings else None
    page = Source("page", text, layout=layout)
    return [text[start:end] for start, end in silent_intervals(page)]


class TestSilentIntervals:
    @each_row(
        "heading",
        ["References", "See also", "External links", "Weblinks", "Voir aussi", "関連項目"],
    )
    def test_are_sections_that_lead_elsewhere(self, heading: str) -> None:
        text = f"Rain\nIt rained.\n{heading}\nRain in Oslo\nWind\nSnow\nIt snowed."
        (found,) = silent(text, ("Rain", 2), (heading, 2), ("Snow", 2))
        assert found == f"{heading}\nRain in Oslo\nWind\n"

    def test_take_their_subsections_with_them(self) -> None:
        text = "Notes\nA\nBooks\nB\nSnow\nIt snowed."
        assert silent(text, ("Notes", 2), ("Books", 3), ("Snow", 2)) == ["Notes\nA\nBooks\nB\n"]

    @each_row(
        "line",
        [
            "https://a.example/rain",
            "- [Rain](https://a.example/rain)",
            "[Rain](/rain) | [Wind](/wind)",
        ],
    )
    def test_are_lines_of_links(self, line: str) -> None:
        assert silent(f"It rained.\n{line}\nIt snowed.") == [line]

    @each_row(
        "text",
        [
            "It rained. See https://a.example/rain for more.",
            "Sources of energy\n\nWind is one.",
            "The references were checked.\nThey are right.",
            "Population: 5,000\nArea: 20 km²",
        ],
    )
    def test_are_not_what_says_something(self, text: str) -> None:
        assert silent(text) == []


class TestPagePassages:
    def test_leave_out_the_references_between_others(self) -> None:
        text = "It rained.\n\nReferences\n\n[1] Lee, A. Rain. 1999.\n\nSnow\n\nIt snowed."
        layout = Layout(
            "html",
            len(text),
            headings=[Heading("References", 2, 12, 22), Heading("Snow", 2, 49, 53)],
        )
        page = Source("page", text, layout=layout)
        found = [text[span.start : span.end] for span in PagePassages().spans([page])]
        assert found == ["It rained.", "Snow\n\nIt snowed."]

    @given(st.text("ab. \n[]1/-", max_size=300))
    def test_are_slices_with_words(self, text: str) -> None:
        page = Source("page", f"It rained. {text}\n\nReferences\n\n[1] Lee, A. Rain. 1999.\n")
        quiet = silent_intervals(page)
        for span in PagePassages().spans([page]):
            words = page.text[span.start : span.end]
            assert words.strip() == words
            assert any(map(str.isalnum, words))
            assert not any(start < span.end and span.start < end for start, end in quiet)


WORDS = [f"word{number}" for number in range(400)]


def numbered(*pages: tuple[str, str]) -> list[int | None]:
    origins = Origins()
    for url, text in pages:
        origins.add(url, url, shingles_of(text))
    return [origins.of(url) for url, _ in pages]


class TestOrigins:
    def test_are_shared_by_a_domain(self) -> None:
        pages = [
            ("https://a.x.co.uk/1", "one"),
            ("https://y.co.uk/", "two"),
            ("http://x.co.uk", "3"),
        ]
        assert numbered(*pages) == [1, 2, 1]

    def test_are_shared_by_copies(self) -> None:
        text = " ".join(WORDS)
        near = " ".join([*WORDS[:380], "another", "end"])
        half = " ".join([*WORDS[:200], *(f"other{n}" for n in range(200))])
        pages = [("https://a.example", text), ("https://b.test", near), ("https://c.invalid", half)]
        assert numbered(*pages) == [1, 1, 2]

    def test_of_a_copy_of_two_are_joined(self) -> None:
        texts = [" ".join(WORDS[at : at + 360]) for at in (0, 40, 20)]
        pages = list(zip(["https://a.org", "https://b.net", "https://c.com"], texts, strict=True))
        assert numbered(*pages) == [1, 1, 1]

    @given(st.integers(0, 400), st.randoms())
    def test_are_joined_from_the_promised_share_on(self, changed: int, random: Any) -> None:
        words = [*WORDS[: 400 - changed], *(f"new{n}" for n in range(changed))]
        one, other = shingles_of(" ".join(WORDS)), shingles_of(" ".join(words))
        share = len(one & other) / len(one | other)
        pages = [("https://a.org", " ".join(WORDS)), ("https://b.net", " ".join(words))]
        assert (numbered(*pages) == [1, 1]) == (share >= COPY_FROM)

    @each_row(
        ("address", "domain"),
        [
            ("https://www.bbc.co.uk/news", "bbc.co.uk"),
            ("http://127.0.0.1:8000/a", "127.0.0.1"),
            ("http://localhost/", "localhost"),
            ("zim:A/Paris", ""),
            ("http://[broken", ""),
        ],
    )
    def test_are_named_by_the_registrable_domain(self, address: str, domain: str) -> None:
        assert registrable_domain(address) == domain


TEXTS = [
    "The Eiffel Tower was completed in 1889. It is in Paris.",
    "The Eiffel Tower was completed in 1925, they say. It is made of wood.",
    "The Golden Gate Bridge was opened in 1937. It is red.",
    "Eiffel's company built the tower of iron. The Eiffel Tower is tall.",
    "The tower was opened to the public in May 1889, after its completion.",
]


class TestVerdicts:
    @settings(max_examples=10)
    @given(
        st.lists(st.sampled_from(range(len(TEXTS))), min_size=1, max_size=5, unique=True),
        st.lists(st.sampled_from(range(len(TEXTS))), max_size=2),
        st.randoms(),
    )
    def test_do_not_depend_on_the_order_of_results_or_on_copies(
        self, chosen: list[int], copied: list[int], random: Any
    ) -> None:
        pages = {f"https://h{at}.example/": TEXTS[at] for at in chosen}
        copies = {f"https://copy{at}.test/": TEXTS[at] for at in copied if at in chosen}

        def shuffled(urls: list[str]) -> list[str]:
            return random.sample(sorted([*pages, *copies]), len(pages) + len(copies))

        def outcome(web: FakeWeb) -> Any:
            from citeguard.factcheck import FactPolicy

            report = fact_check(
                "The Eiffel Tower was completed in 1889.", search=web, policy=FactPolicy(limit=9)
            )
            return report.claims[0].verdict, report.claims[0].score

        everything = lambda urls: list(pages)  # noqa: E731
        plain = outcome(FakeWeb(pages, order=everything))
        assert outcome(FakeWeb({**pages, **copies}, order=shuffled)) == plain
