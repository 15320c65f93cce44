"""Sections that questions are asked about, and what they are for."""

from citeguard import Source
from citeguard.documents import read_sources
from citeguard.library.pairs import LONGEST, section_type, sections_of
from rows import each_row

BODY = "Here are some sentences about the subject. They say what there is to say about it.\n\n"


def markdown(*headings: str) -> Source:
    """Return a document with these headings and some text under each."""
    text = "".join(f"{heading}\n\n{BODY}" for heading in headings)
    return read_sources([("doc.md", text.encode())])["doc"]


def shown(source: Source) -> list[tuple[str, str]]:
    return [(each.headings[-1] if each.headings else "", each.type) for each in sections_of(source)]


class TestSections:
    def test_of_a_paper(self, paper: Source) -> None:
        title = "Minimap2: pairwise alignment for nucleotide sequences"
        assert shown(paper) == [
            (title, "main"),
            ("ABSTRACT", "summary"),
            ("1 INTRODUCTION", "main"),
            ("2 METHODS", "main"),
            ("3 RESULTS", "main"),
            ("4 DISCUSSIONS", "main"),
            ("ACKNOWLEDGEMENTS", "metadata"),
        ]

    def test_are_below_a_title_that_is_alone(self) -> None:
        source = markdown("# Title", "## One", "### Part of one", "## Two")
        assert [each.headings for each in sections_of(source)] == [
            ("Title",),
            ("Title", "One"),
            ("Title", "Two"),
        ]
        assert "Part of one" in sections_of(source)[1].text

    def test_are_one_without_headings(self) -> None:
        [section] = sections_of(Source("faq", BODY))
        assert (section.headings, section.type) == ((), "main")

    def test_with_too_few_words_are_left_out(self) -> None:
        source = read_sources(
            [("doc.md", b"# Contents\n\nSee below.\n\n# One\n\n" + BODY.encode())]
        )
        assert shown(source["doc"]) == [("One", "main")]

    @each_row(
        "heading",
        [
            *("References", "7. REFERENCES", "Bibliography", "Works cited", "Literaturverzeichnis"),
            *("Références", "Bibliografía", "Список литературы", "参考文献", "See also"),
        ],
    )
    def test_of_references_are_left_out(self, heading: str) -> None:
        source = markdown("# One", f"# {heading}", "# Two")
        assert [name for name, _ in shown(source)] == ["One", "Two"]

    def test_lose_the_references_below_them(self) -> None:
        source = markdown("# One", "## References", "# Two")
        [one, _] = sections_of(source)
        assert "References" not in one.text

    def test_without_headings_lose_their_list_of_references(self) -> None:
        entries = "".join(
            f"[{n}] Lee, A. ({1990 + n}). A study of the number {n} in plants. Journal of Plants.\n"
            for n in range(1, 8)
        )
        [section] = sections_of(Source("note", f"{BODY}References\n\n{entries}"))
        assert "Journal of Plants" not in section.text

    def test_that_are_very_long_are_divided_between_passages(self) -> None:
        paragraphs = [
            f"Sentence {n} of this long text says a little about it. " * 30 for n in range(60)
        ]
        source = Source("long", "\n\n".join(paragraphs))
        parts = sections_of(source)
        assert len(parts) == len(source.text) // LONGEST + 1
        assert "".join(each.text for each in parts) == source.text
        assert all(each.text.startswith("Sentence") for each in parts)

    def test_count_their_passages(self) -> None:
        paragraph = "word " * 120
        source = Source("doc", "\n\n".join([paragraph] * 3))
        assert sections_of(source)[0].chunks == 3
        assert sections_of(Source("faq", BODY))[0].chunks == 1


@each_row(
    "heading, kind",
    [
        *((each, "summary") for each in ("Abstract", "VI. CONCLUSION", "5 Conclusions:")),
        *((each, "metadata") for each in ("Acknowledgements", "Conflict of interest")),
        *((each, "extra") for each in ("Appendix B: Proofs", "A. Appendix")),
        *((each, "main") for each in ("Introduction", "Discussion and conclusions")),
    ],
)
def test_types_follow_from_the_heading(heading: str, kind: str) -> None:
    assert section_type([heading]) == kind
