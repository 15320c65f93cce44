"""Lists of references: what is one, which sources its entries are, and what marks then cite."""

import pytest

from citeguard import Source, Sources, UnknownSourceError, audit
from citeguard.auditing.marks import find_marks
from citeguard.auditing.references import Catalogue, Entry, find_references
from rows import each_row

PAPERS = Sources(
    [
        Source("bert.pdf", "BERT: Pre-training of Deep Transformers\nJacob Devlin\n\nBERT reads."),
        Source("p2", "Attention Is All You Need\nAshish Vaswani, Noam Shazeer\n\nIt attends."),
        Source("p3", "GPT-3 is large.", url="https://doi.org/10.48550/arXiv.2005.14165"),
        Source("web", "The bridge is red.", url="https://www.example.org/bridge/"),
        Source("leave", "Staff have 25 days.", title="Leave policy"),
        Source("milgram.txt", "Behavioral Study of Obedience\nStanley Milgram\n\n26 of 40 obeyed."),
    ]
)


def keys(text: str) -> list[str]:
    return [entry.key for entry in find_references(text).entries]


def cited(
    text: str, sources: Sources = PAPERS, cite: dict[str, str] | None = None
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words of each mark with the ids of its sources; of unknown ones, with `?`."""
    return [
        (text[mark.start : mark.end], (*mark.cited, *(f"?{key}" for key in mark.unknown)))
        for mark in find_marks(text, sources, cite=cite)
    ]


class TestFindReferences:
    @each_row(
        ("text", "expected"),
        [
            ("Rain.\n\nReferences\n\n[1] A book\n[2] Another", ["1", "2"]),
            ("Rain.\n\n## 7. References\n1. A book\n2) Another", ["1", "2"]),
            ("Rain.\n\n**Literatur:**\n[Lee11] Ein Buch", ["Lee11"]),
            ("Rain.\n\n== Références ==\n1. ^ a b Un livre", ["1"]),
            ("Rain.\n\n参考文献\n[1] 本", ["1"]),
            ("Rain.\n\nNotes\n¹ A book\n² Another", ["1", "2"]),
            ("Rain.[^a]\n\n[^a]: A book,\n    second line\n[^2]: Another", ["a", "2"]),
            ("Rain [1].\n\nSources: [1] a book, [2] another", ["1", "2"]),
            ("Rain [1].\n\n[1] A book\n[2] https://example.org", ["1", "2"]),
            ("Rain.\n\nReferences\n\nDoe, J. (2019). A book.\n\nRoe, A. (2020). One.", ["", ""]),
            ("Rain.\n\nSources\n- Leave policy\n- https://example.org", ["", ""]),
        ],
    )
    def test_has_the_key_of_each_entry(self, text: str, expected: list[str]) -> None:
        assert keys(text) == expected

    @each_row(
        "text",
        [
            "",
            "Sources of energy\n\n1. The sun is one.",
            "Sources\n\nThe data were taken from the census of 2019, which is open to all.",
            "[1] It rained.\n[2] It snowed.",
            "It rained [1].\n\n[1] It snowed for days, and nobody left the house for a whole week.",
            "References\n",
            "```\n[1]: https://example.org\n```",
        ],
    )
    def test_is_no_list(self, text: str) -> None:
        assert keys(text) == []

    def test_ends_before_the_next_paragraph(self) -> None:
        text = "Sources:\n[1] A book,\n  long\n\nIt snowed."
        [entry] = find_references(text).entries
        assert (entry.text, text[entry.end :]) == ("A book, long", "\n\nIt snowed.")


class TestCatalogue:
    @each_row(
        ("text", "source_id"),
        [
            ("A. Vaswani, N. Shazeer. Attention is all you need. In NeurIPS, 2017.", "p2"),
            ("Vaswani, A., et al. (2017). Attention is all you need. NeurIPS.", "p2"),
            ("Devlin J, Chang M. BERT: pre-training of deep transformers. 2019;1:2-3.", "bert.pdf"),
            ("J. Devlin. “BERT.” 2019.", "bert.pdf"),
            ("T. Brown. Few-shot learners. arXiv:2005.14165, 2020.", "p3"),
            ("Brown et al. https://doi.org/10.48550/arXiv.2005.14165.", "p3"),
            ("Bridge, retrieved 4 May: http://example.org/bridge?utm_source=x", "web"),
            ("Leave policy", "leave"),
            ("HR department. *Leave policy*. 2023.", "leave"),
            ("Milgram, S. (1963). Behavioral study of obedience. J. Psych., 67.", "milgram.txt"),
            ("Baumrind, D. (1964). After Milgram's “Behavioral Study of Obedience”. A, 1.", None),
            ("Hochreiter, S. Long short-term memory. 1997.", None),
        ],
    )
    def test_recognizes_a_source(self, text: str, source_id: str | None) -> None:
        assert Catalogue(PAPERS).sources_of([Entry("1", text, 0, 1)]) == [source_id]


class TestMarks:
    @each_row(
        ("text", "expected"),
        [
            ("It attends [1], it learns [2].\n\nReferences\n[1] Attention is all you need.\n"
             "[2] S. Hochreiter. Long short-term memory. 1997.",
             [("[1]", ("p2",)), ("[2]", ("?2",))]),
            ("It attends (Vaswani et al., 2017), as Devlin (2019) says (Roe, 2020).\n\n"
             "References\n\nVaswani, A. and Shazeer, N. (2017). Attention is all you need.\n\n"
             "Devlin, J. (2019). BERT: Pre-training of deep transformers.\n\n"
             "Roe, A. (2020). A book.",
             [("(Vaswani et al., 2017)", ("p2",)), ("(2019)", ("bert.pdf",)),
              ("(Roe, 2020)", ("?Roe, 2020",))]),
            ("It attends [@vaswani2017].\n\nReferences\n\n"
             "Vaswani, Ashish. 2017. \"Attention Is All You Need.\"",
             [("[@vaswani2017]", ("p2",))]),
            ("So it was in 2021².\n\nNotes\n1. Leave policy\n2. Attention is all you need",
             [("²", ("p2",))]),
            ("It has 25 days [hr].\n\nSources\n[hr] Leave policy", [("[hr]", ("leave",))]),
        ],
    )  # fmt: skip
    def test_name_what_the_list_says(
        self, text: str, expected: list[tuple[str, tuple[str, ...]]]
    ) -> None:
        assert cited(text) == expected

    def test_name_sources_in_their_order_where_the_list_recognizes_none(self) -> None:
        text = "It rained [2].\n\nSources\n[1] The first one\n[2] The second one"
        assert cited(text, Sources({"a": "Rain.", "b": "Snow."})) == [("[2]", ("b",))]

    def test_name_what_is_given(self) -> None:
        text = "It rained [17] (Lee, 2011).\n\nSources\n[17] Leave policy"
        given = {"17": "web", "Lee 2011": "p2"}
        assert cited(text, cite=given) == [("[17]", ("web",)), ("(Lee, 2011)", ("p2",))]


class TestAudit:
    TEXT = "Staff have 25 days [1].\n\nReferences\n[1] Leave policy, 2023.\n[2] A. Lee. Rain. 2019."

    def test_reads_no_claims_in_a_list(self) -> None:
        report = audit(self.TEXT, PAPERS)
        assert [(claim.text, claim.cited) for claim in report.claims] == [
            ("Staff have 25 days", ("leave",))
        ]

    def test_rejects_a_source_that_there_is_not(self) -> None:
        with pytest.raises(UnknownSourceError, match="no source has the id 'x'"):
            audit(self.TEXT, PAPERS, cite={"1": "x"})
