"""Identifiers in any way of writing."""

from hypothesis import given
from hypothesis import strategies as st

from citeguard.web import find_identifiers
from rows import each_row

SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"

DOIS = [
    ("10.1000/xyz123", "10.1000/xyz123"),
    ("doi:10.1000/xyz123", "10.1000/xyz123"),
    ("DOI: 10.1000/xyz123.", "10.1000/xyz123"),
    ("https://doi.org/10.1000/xyz123,", "10.1000/xyz123"),
    ("http://dx.doi.org/10.1000/xyz123).", "10.1000/xyz123"),
    ("https://hdl.handle.net/10.1000/xyz123", "10.1000/xyz123"),
    ("https://doi.org/10.1000/xyz123?utm_source=x", "10.1000/xyz123"),
    ("https://doi.org/10.1000%2Fxyz123", "10.1000/xyz123"),
    ("info:doi/10.1000/xyz123", "10.1000/xyz123"),
    ("<https://doi.org/10.1000/xyz123>", "10.1000/xyz123"),
    ('<a href="https://doi.org/10.1000/xyz123">here</a>', "10.1000/xyz123"),
    ("[the study](https://doi.org/10.1000/xyz123).", "10.1000/xyz123"),
    ("doi = {10.1000/xyz123},", "10.1000/xyz123"),
    (r"\doi{10.1000/xyz123}", "10.1000/xyz123"),
    (r"\url{https://doi.org/10.1000/xyz123}.", "10.1000/xyz123"),
    (r"10.1000/abc\_def", "10.1000/abc_def"),
    ("10.1000/xyz–123", "10.1000/xyz-123"),
    ("10.1000/xyz\u200b123", "10.1000/xyz123"),
    ("10.1000.10/123456", "10.1000.10/123456"),
    ("(doi:10.1016/S0140-6736(05)12345-6).", "10.1016/s0140-6736(05)12345-6"),
    (SICI.upper(), SICI),
    (SICI.replace("<", "&lt;").replace(">", "&gt;"), SICI),
    (f"https://doi.org/{SICI.replace('<', '%3C').replace('>', '%3E')}", SICI),
]

NUMBERS = [
    ("arXiv:1706.03762", "1706.03762"),
    ("arXiv:1706.03762v5 [cs.CL]", "1706.03762v5"),
    ("arXiv preprint arXiv:1706.03762.", "1706.03762"),
    ("CoRR, abs/1706.03762", "1706.03762"),
    ("1706.03762", "1706.03762"),
    ("arxiv.org/abs/1706.03762", "1706.03762"),
    ("https://arxiv.org/abs/1706.03762v1#comments", "1706.03762v1"),
    ("https://arxiv.org/pdf/1706.03762v5.pdf", "1706.03762v5"),
    ("https://ar5iv.labs.arxiv.org/html/1706.03762", "1706.03762"),
    ("https://doi.org/10.48550/arXiv.1706.03762", "1706.03762"),
    ("doi:10.48550/arXiv.1706.03762", "1706.03762"),
    ("eprint = {1706.03762}", "1706.03762"),
    ("hep-th/9901001", "hep-th/9901001"),
    ("arXiv:math.GT/0309136", "math/0309136"),
    ("https://arxiv.org/abs/cond-mat/0001234", "cond-mat/0001234"),
]

URLS = [
    ("https://en.wikipedia.org/wiki/Foo_(bar)", "https://en.wikipedia.org/wiki/Foo_(bar)"),
    ("(https://en.wikipedia.org/wiki/Foo_(bar)).", "https://en.wikipedia.org/wiki/Foo_(bar)"),
    ("[x](https://example.org/a), y", "https://example.org/a"),
    ("see https://example.org/a。", "https://example.org/a"),
    ("www.example.org/a/b,", "https://www.example.org/a/b"),
    ("https://example.org/a?b=c&amp;d=e#f", "https://example.org/a?b=c&d=e"),
    ("https://example.org/a#part", "https://example.org/a"),
    ("https://example.org/a?utm_source=x&utm_medium=y", "https://example.org/a"),
    ("https://example.org/a?b=c&utm_source=x", "https://example.org/a?b=c"),
    ("https://example.org/a?b=c&utm_source=x&d=e", "https://example.org/a?b=c&d=e"),
    ("http://localhost:8080/a", "http://localhost:8080/a"),
    # A page of a publisher is a page.
    ("https://onlinelibrary.wiley.com/doi/10.1002/abc", None),
]


class TestFindIdentifiers:
    @each_row(("written", "doi"), DOIS)
    def test_of_a_doi(self, written: str, doi: str) -> None:
        assert [(each.kind, each.value) for each in find_identifiers(written)] == [("doi", doi)]

    @each_row(("written", "number"), NUMBERS)
    def test_of_an_arxiv_number(self, written: str, number: str) -> None:
        found = [(each.kind, each.value) for each in find_identifiers(written)]
        assert found == [("arxiv", number)]

    @each_row(("written", "url"), URLS)
    def test_of_an_address(self, written: str, url: str | None) -> None:
        [found] = find_identifiers(written)
        assert (found.kind, found.url) == ("url", url or written)

    @each_row(
        "words",
        ["version 10.5/3", "10.1234 alone", "on 3.1415.92653", "a/b", "mail@www.example.org"],
    )
    def test_not_of_other_words(self, words: str) -> None:
        assert find_identifiers(words) == []

    def test_of_one_inside_brackets_and_after_them(self) -> None:
        found = find_identifiers("[https://a.org/x](https://a.org/y) [10.1/x](https://b.org)")
        assert [each.value for each in found] == [
            "https://a.org/x",
            "https://a.org/y",
            "https://b.org",
        ]

    def test_intervals_are_in_order_and_hold_the_words(self) -> None:
        text = "See doi:10.1000/a, https://b.org/c (and arXiv:1706.03762v2)."
        words = [text[each.start : each.end] for each in find_identifiers(text)]
        assert words == ["doi:10.1000/a", "https://b.org/c", "arXiv:1706.03762v2"]

    @given(st.text(alphabet="10./ab()[]<>https:doiarxv \n", max_size=200))
    def test_never_overlap(self, text: str) -> None:
        found = find_identifiers(text)
        edges = [edge for each in found for edge in (each.start, each.end)]
        assert edges == sorted(edges)
        assert all(each.start < each.end <= len(text) for each in found)

    def test_address_of_a_doi_is_quoted(self) -> None:
        [found] = find_identifiers(SICI)
        assert found.url == (
            "https://doi.org/10.1002/(sici)1097-0258(19980815/30)17:15/16%3C1661::aid-sim968"
            "%3E3.0.co;2-2"
        )
