"""What stands in a text without being its words: places named, nothing decided."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.markup import find_noise, noise_between

MARKS = [
    ("Die Brücke[Anm. 2] steht.", "[Anm. 2]"),
    ("El puente[nota 1] es bello.", "[nota 1]"),
    ("제단이었다고[출처 필요] 주장한다.", "[출처 필요]"),
    ("الصَّمَدُ ﴿٢﴾ لَمْ", "﴿٢﴾"),
    pytest.param("as shown [12] here", "[12]", id="number"),
    pytest.param("as shown [1, 2; 4–6] here", "[1, 2; 4–6]", id="numbers and a range"),
    pytest.param("as shown[a] here", "[a]", id="letter after a word"),
    pytest.param("tallow (also wax[a]) here", "[a]", id="letter at the end of brackets"),
    pytest.param("as shown [note 3] here", "[note 3]", id="note"),
    pytest.param("as shown [^1] here", "[^1]", id="Markdown footnote"),
    pytest.param("as shown [citation needed] here", "[citation needed]", id="Wikipedia template"),
    pytest.param("a quote [sic] here", "[sic]", id="sic"),
    pytest.param("as shown (Smith, 2019) here", "(Smith, 2019)", id="author, year"),
    pytest.param("as shown (Smith et al., 2019a) here", "(Smith et al., 2019a)", id="et al."),
    pytest.param("as shown (Martin et al., 2019) here", "(Martin et al., 2019)", id="no March"),
    pytest.param(
        "as shown (Smith and Jones 2019) here", "(Smith and Jones 2019)", id="two authors"
    ),
    pytest.param(
        "as shown (Smith & Jones, 2019; van der Berg, 2020) here",
        "(Smith & Jones, 2019; van der Berg, 2020)",
        id="two works",
    ),
    pytest.param(
        "as shown (see Smith, 2019, p. 12) here", "(see Smith, 2019, p. 12)", id="see, page"
    ),
    pytest.param("as shown.¹² Then", "¹²", id="raised number after a stop"),
    pytest.param("as the word³ says", "³", id="raised number after a word"),
    pytest.param("it doesn’t⁴ matter", "⁴", id="raised number after a contraction"),
    pytest.param("as shown.<sup>3</sup> Then", "<sup>3</sup>", id="raised by a tag"),
    pytest.param("as shown.<sup>[3]</sup> Then", "<sup>[3]</sup>", id="raised by a tag, bracketed"),
    pytest.param(
        "it fell \ue200cite\ue202turn0search1\ue201.",
        "\ue200cite\ue202turn0search1\ue201",
        id="in private-use characters",
    ),
    pytest.param("<co: 0>it fell", "<co: 0>", id="opening tag"),
    pytest.param("it fell</co: 0:[1]>.", "</co: 0:[1]>", id="closing tag"),
    pytest.param("12. Then it fell", "12. ", id="item number"),
    pytest.param("(3) Then it fell", "(3) ", id="item number in brackets"),
]
MARKUP = [
    pytest.param("AT&amp;T", "&amp;", "&", id="named entity"),
    pytest.param("it&#8217;s", "&#8217;", "’", id="decimal entity"),
    pytest.param("it&#x2019;s", "&#x2019;", "’", id="hexadecimal entity"),
    pytest.param("a <em>b", "<em>", "", id="tag"),
    pytest.param('a <a href="x">b', '<a href="x">', "", id="tag with attributes"),
    pytest.param("a<br/>b", "<br/>", "\n", id="tag that breaks the line"),
    pytest.param("a<!-- x -->b", "<!-- x -->", "", id="comment"),
    pytest.param("10<sup>6</sup> cells", "<sup>6</sup>", "⁶", id="exponent by a tag"),
    pytest.param("m<sup>2</sup> of land", "<sup>2</sup>", "²", id="square by a tag"),
    pytest.param("[x](https://a.org/b_(c))", "](https://a.org/b_(c))", "]", id="link target"),
    pytest.param("\\*x", "\\", "", id="escape"),
]
NONE = [
    pytest.param("An ordinary sentence, with (brackets) and 12 numbers.", id="prose"),
    pytest.param("a < b and c > d", id="less and greater"),
    pytest.param("List<int> of AT&T", id="code and an ampersand"),
    pytest.param("&bogus; &;", id="no entity"),
    pytest.param("x² + y² over 5 m² and 10⁶ cells", id="exponents"),
    pytest.param("that [the] man [Smith] saw", id="editorial bracket"),
    pytest.param("It fell (May 2019) and (since 2019).", id="a date in brackets"),
    pytest.param("in 2019 (95% CI)", id="statistics in brackets"),
    pytest.param("", id="empty"),
    pytest.param("naïve Ärger Über Ångström", id="true accents"),
]
pieces = st.sampled_from(
    [
        *"[](){}<>&;#\\*_`²³ÃâÂï\n. ",
        "word",
        "12",
        "2019",
        "Smith",
        " et al., ",
        "&amp;",
        "<sup>",
        "</sup>",
        "<b>",
        "](http://x",
        "©",
        "€™",
    ]
)


class TestFindNoise:
    @pytest.mark.parametrize(("text", "mark"), MARKS)
    def test_names_marks(self, text: str, mark: str) -> None:
        (noise,) = find_noise(text)
        assert (text[noise.start : noise.end], noise.replacement, noise.kind) == (mark, "", "mark")

    @pytest.mark.parametrize(("text", "markup", "replacement"), MARKUP)
    def test_reads_markup(self, text: str, markup: str, replacement: str) -> None:
        found = [(text[n.start : n.end], n.replacement, n.kind) for n in find_noise(text)]
        assert found == [(markup, replacement, "markup")]

    @pytest.mark.parametrize("text", NONE)
    def test_leaves_words_alone(self, text: str) -> None:
        assert find_noise(text) == []

    @settings(derandomize=True)
    @given(st.lists(pieces, max_size=40).map("".join))
    def test_is_in_order_without_overlaps(self, text: str) -> None:
        end = 0
        for noise in find_noise(text):
            assert end <= noise.start < noise.end <= len(text)
            end = noise.end

    @pytest.mark.parametrize(
        "text",
        [
            "[" * 10_000,
            "<sup>" * 4_000,
            "(Smith" * 4_000,
            "&" * 10_000,
            "](#" * 4_000,
            "<b " * 4_000,
            "<!--" * 4_000,
            "(A, A" * 4_000,
            "\\" * 10_000,
            "Ã" * 10_000,
            "a" * 10_000 + "²",
            "1" * 10_000,
            "(Smith, Jones, " * 2_000,
        ],
        ids=lambda text: text[:8],
    )
    def test_finishes_on_openings_that_never_close(self, text: str) -> None:
        assert all(noise.end <= len(text) for noise in find_noise(text))


def test_what_is_around_an_interval_shows_what_its_signs_are() -> None:
    text = "We print <b>more than 5</b> pages."
    start = text.index("than")
    (noise,) = noise_between(text, start, len(text))
    assert text[start + noise.start : start + noise.end] == "</b>"
