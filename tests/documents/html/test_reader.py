"""What a page shows: its blocks, their white space, and what is hidden."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import InvalidSourcesError
from citeguard.documents.html.reader import read_html
from citeguard.sources.layout import Fields
from rows import each_row

steady = settings(derandomize=True)


def text_of(page: str) -> str:
    return read_html(page.encode(), "a.html").text


class TestText:
    @each_row(
        ("page", "text"),
        [
            ("<p>a<p>b", "a\n\nb"),
            ("<p>a<!-- b -->c", "ac"),
            ("a<br> <br>b", "a\n\nb"),
            ("<p>soft&shy;hyphen a<wbr>b", "softhyphen ab"),
            ("<p>x<sup>2</sup> H<sub>2</sub>O", "x² H₂O"),
            ('<p>word<sup><a href="#n3">3</a></sup>', "word[3]"),
            ("<p>word<a role=doc-noteref>3</a>", "word[3]"),
            ('<p>m<span style="vertical-align: super">2</span>', "m²"),
            ("<style>.c3{vertical-align:super}</style><p>10<span class=c3>6</span>", "10⁶"),
            ("<style>.e{font-variant-position:sub}</style><p>x<i class=e>2</i>", "x₂"),
            ("<p>10<i style='position:relative;top:-.5em;font-size:70%'>6</i> kg", "10⁶ kg"),
            ("<p>10<i style='vertical-align:-4px;font-size:9px'>6</i>", "10₆"),
            ("<p>10<i style='vertical-align:top;font-size:8px'>6<b>7</b></i>", "10⁶⁷"),
            ("<p>10<i style='position:relative;top:-.5em'>6</i>", "106"),
            ("<p style='vertical-align:super;font-size:8px'>10<i style='display:table'>6", "10\n6"),
            ("<p>he <q>said</q>", "he “said”"),
            # Numbers of lists are read only as they are drawn.
            ("<ol style='list-style:none'><li>a", "a"),
            ("<ol><li style='display:flex'>a<li>b", "a\n\n2. b"),
            ("<style>li::marker{content:''}</style><ol><li>a", "a"),
            ("<style>li::marker{color:white}</style><ol><li>a", "a"),
            ("<ol style='list-style-type:lower-greek'><li>a", "a"),
            ("<style>li{counter-increment:list-item 3}</style><ol><li>a", "a"),
            ("<ol style='overflow:hidden'><li>a", "1. a"),
            # Formatting elements go on in the next block, and a page behind its end.
            ("<p>a<s>x</p><p>y</p></s><p>b", "a\n\nb"),
            ("<p>a<font color=white>x<p><i>y</i></font>b", "a\n\nb"),
            ("<s><p>x</s>a", "a"),
            ("a<i><s>x</i>y</s>b", "ab"),
            ("<ul><li>a<s>x<li>y</s>b</ul>", "- a\n\n- b"),
            ("<table><s><tr><td>a</table>x</s>b", "a\n\nb"),
            ("<table><tr><td>a<s>x<td>b<td>c</s></table>d", "a | b | c\n\nd"),
            ("<s>x<table><tr><td></s></table>y</s>a", "a"),
            ("<p>a</p></body></html><p>b</p><html><p>c", "a\n\nb\n\nc"),
            ("a<embed><p>b", "a\n\nb"),
            ("<ul><li>a<li><p>b</p><p>c</p></ul>", "- a\n\n- b\n\nc"),
            ("<ol start=3><li>a<li>b</ol><ol><li>c</ol>", "3. a\n\n4. b\n\n1. c"),
            ("<ol start=x><li>a<ul><li>b</ul><li>c</ol>", "1. a\n\n- b\n\n2. c"),
            ("<ol><li value=9>a<li>b</ol>", "9. a\n\n10. b"),
            ("<ol reversed><li>a<li>b</ol>", "2. a\n\n1. b"),
            ("<ol type=A start=28><li>a<ol><li>b</ol></ol>", "AB. a\n\n1. b"),
            ("<ol style='list-style: inside lower-roman'><li>a<li type=a>b", "i. a\n\nb. b"),
            ("<ul style='list-style-type:decimal'><li>a<li type=i value=0>b", "1. a\n\n0. b"),
            ("<ol style='list-style-type:circle'><li>a", "- a"),
            ("<table><tr><th>a<th>b<tr><td>1<td><p>2</table>", "a | b\n1 | 2"),
            ("<table><tr><td><h2>a</h2>b<td>c</table>", "a\n\nb\n\nc"),
            ("<table><tr><td>a<br>b<td>c</table>", "a\nb | c"),
            ("<pre>\n  a\n\n    <b>b</b>\n</pre>c", "  a\n\n    b\n\nc"),
            ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "a/b"),
            ("<math><msup><mi>x</mi><mn>2</mn></msup></math>", "x²"),
            ("<math><munder><mn>16</mn><mn>3</mn></munder></math>", "16₃"),
            (
                "<math><mmultiscripts><mn>1</mn><mn>2</mn><mn>3</mn><mprescripts/><mn>4</mn>"
                "</mmultiscripts></math>",
                "1₂³₄",
            ),
            ("<math><mtable><mtr><mtd>16</mtd><mtd>3</mtd></mtr></mtable></math>", "16 3"),
            (
                "<p>a b c<dialog open>d e f</dialog><menu><li>g h i</menu>",
                "a b c\n\nd e f\n\n- g h i",
            ),
            (
                "<math><mn>3</mn><mfrac><mn>1</mn><mrow>2<mi>x</mi></mrow></mfrac></math>",
                "3 1/(2x)",
            ),
            ("<math><msqrt><mn>16</mn></msqrt><msqrt>x<mo>+</mo>1</msqrt></math>", "√16√(x+1)"),
            ("<math><mroot><mn>8</mn><mn>3</mn></mroot><mroot>", "∛8"),
            ("<math><msup><mi>x</mi><msqrt><mn>2</mn></msqrt></msup></math>", "x√2"),
            ("<h2>a <a class=x href=#a>¶</a></h2><p>b", "a\n\nb"),
            ("<h2><button>a</button></h2><p>b", "a\n\nb"),
        ],
    )
    def test_is_what_the_page_shows(self, page: str, text: str) -> None:
        assert text_of(page) == text

    @each_row(
        "hidden",
        [
            "<script>no</script>",
            "<style>no</style>",
            "<template>no</template>",
            "<span hidden/>no</span>",
            "<button>no</button>",
            "<svg><text>no</text></svg>",
            "<dialog>no</dialog>",
            '<i><math></math><b aria-hidden="true">no</b></i>',
            "<math><annotation>no</annotation></math>",
        ],
    )
    def test_is_without_what_is_hidden(self, hidden: str) -> None:
        assert text_of(f"<p>one {hidden} two</p>").replace("\n\n", " ").split() == ["one", "two"]


def test_words_beside_the_main_text_are_counted() -> None:
    page = b"<p>The fee is due.<footer>Nine hundred dollars</footer><button>Pay</button>"
    (warning,) = read_html(page + b"<svg><text>or not</text></svg>", "a.html").layout.warnings
    assert warning.startswith("6 words")
    assert not read_html(b"<p>The fee is due.", "a.html").layout.warnings


class TestHeadings:
    def test_have_their_levels_and_words_and_places(self) -> None:
        page = "<h1>The\n<i>hand</i>book</h1><p>a<h3>Pay<br>day</h3><p>b<h6>End</h6><p>c"
        document = read_html(page.encode(), "a.html")
        headings = document.layout.headings
        told = [(heading.level, heading.text) for heading in headings]
        assert told == [(1, "The handbook"), (3, "Pay day"), (6, "End")]
        assert [document.text[each.start : each.end] for each in headings] == [
            heading.text for heading in headings
        ]

    @each_row(
        ("heading", "level"),
        [
            ("<div role=heading aria-level=3>Fees</div>", 3),
            ("<div role=heading>Fees</div>", 2),
            ("one<span role=heading aria-level=4>Fees</span>", 4),
            ("<div role=heading aria-level=3><button>Fees</button></div>", 3),
            ("<div role=heading><a href=#fees>Fees</a></div>", 2),
        ],
    )
    def test_are_told_by_their_role(self, heading: str, level: int) -> None:
        document = read_html(f"<main><p>a{heading}<p>last</main>".encode(), "a.html")
        found = [(each.level, each.text) for each in document.layout.headings]
        assert found == [(level, "Fees")]
        assert document.layout.headings_at(document.text.index("last")) == ("Fees",)


class TestTitle:
    @each_row(
        ("page", "title"),
        [
            ("<title>Pay | Example</title><h1>Pay</h1><p>x", "Pay"),
            ("<title> Pay\n day </title><p>x", "Pay day"),
            ("<title>Example</title><h1>Pay</h1><p>x", "Example"),
            ("<h2>Low</h2><h1>Pay</h1><p>x", "Pay"),
            ("<svg><title>Icon</title></svg><p>x", None),
            ("<p>x", None),
        ],
    )
    def test_is_what_the_page_calls_itself(self, page: str, title: str | None) -> None:
        assert read_html(page.encode(), "a.html").title == title


class TestFields:
    @each_row(
        ("head", "fields"),
        [
            ("", Fields()),
            (
                '<meta name=author content="Ines Halvorsen"><meta name=description content=" On  '
                'pay. "><meta property=article:published_time content="2024-03-01T09:00:00Z">',
                Fields(authors=("Ines Halvorsen",), date="2024-03-01", abstract="On pay."),
            ),
            (
                '<meta name=citation_author content="Reed, T."><meta name=citation_author content='
                '"Moss, A."><meta name=author content=Site>'
                "<meta name=citation_publication_date content=2024/03>",
                Fields(authors=("Reed, T.", "Moss, A."), date="2024-03"),
            ),
            ("<meta property=article:author content=https://example.org/ines>", Fields()),
            ("<meta name=date content=yesterday>", Fields()),
        ],
    )
    def test_are_what_the_page_says_of_itself(self, head: str, fields: Fields) -> None:
        page = f"<html><head>{head}</head><body><p>Pay is monthly.</p></body></html>"
        assert read_html(page.encode(), "a.html").layout.fields == fields


class TestUrl:
    @each_row(
        ("head", "url"),
        [
            ('<link rel="canonical" href="https://example.org/a">', "https://example.org/a"),
            ('<LINK REL="alternate Canonical" HREF="http://x.org/">', "http://x.org/"),
            ('<meta property="og:url" content="https://example.org/b">', "https://example.org/b"),
            ('<link rel="canonical" href="/a">', None),
            ('<link rel="canonical" href="javascript:alert(1)">', None),
            ('<link rel="canonical" href="file:///etc/passwd">', None),
            ('<link rel="canonical">', None),
            ("", None),
        ],
    )
    def test_is_what_the_page_says_if_it_is_one_of_the_web(
        self, head: str, url: str | None
    ) -> None:
        assert read_html(f"{head}<p>Words.".encode(), "a.html").url == url


class TestEncodings:
    @each_row(
        "content",
        [
            ("<p>naïve ’ €".encode()),
            (b"\xef\xbb\xbf" + "<p>naïve ’ €".encode()),
            ("<p>naïve ’ €".encode("utf-16")),
            ("<p>naïve ’ €".encode("utf-16-be")),
            ("<p>naïve ’ €".encode("cp1252")),
            ("<meta charset=iso-8859-1><p>naïve ’ €".encode("cp1252")),
            ("<meta charset=latin1><p>naïve ’ €".encode()),
            ('<meta http-equiv=Content-Type content="a; charset=x-no"><p>naïve ’ €'.encode()),
            ('<?xml version="1.0" encoding="utf-8"?><html><p>naïve ’ €</p></html>'.encode()),
        ],
    )
    def test_are_told(self, content: bytes) -> None:
        assert read_html(content, "a.html").text == "naïve ’ €"

    @each_row("encoding", ["iso-8859-2", "shift_jis", "koi8-r", "gb18030", "iso-2022-jp"])
    def test_that_a_page_names_are_used(self, encoding: str) -> None:
        words = {"iso-8859-2": "żółć", "koi8-r": "щука"}.get(encoding, "日本")
        page = f'<meta http-equiv="Content-Type" content="text/html; charset={encoding}"><p>{words}'
        assert read_html(page.encode(encoding), "a.html").text == words

    @each_row("encoding", ["utf-7", "punycode", "hex", "unicode_escape"])
    def test_that_are_traps_are_not_used(self, encoding: str) -> None:
        page = f"<meta charset={encoding}><p>+ADw-b+AD4- \\x41".encode() + b"\xe9"
        assert read_html(page, "a.html").text == "+ADw-b+AD4- \\x41é"


class TestHostilePages:
    @each_row(
        "page",
        [
            ("<div>" * 100_000 + "words"),
            ("<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">words"),
        ],
    )
    def test_beyond_all_bounds_are_an_error(self, page: str) -> None:
        with pytest.raises(InvalidSourcesError, match=r"^a\.html: "):
            text_of(page)

    @each_row(
        "page",
        [
            ("<div>" * 1_500 + "words"),
            ("<table><tr><td>" * 500 + "words"),
            (f'<p class="{"x " * 100_000}">words'),
            ("<p data-x='" + '{"a": 1, b=2} ' * 20_000 + "'>words"),
            ("words " + "<" * 200_000),
            ("<p>words</p>" + "<p>x y z</p>" * 5_000),
            ("words\x00"),
        ],
    )
    def test_are_read(self, page: str) -> None:
        assert "words" in text_of(page)

    @each_row(
        "css",
        [
            # Without bounds, each takes minutes or more memory than there is.
            ("b > div ~ div div > div div div > div{color:red}"),
            ("div:has(.x div b){color:red}"),
            (":not(" * 3_000 + "b" + ")" * 3_000 + "{color:red}"),
            (f":is({','.join(f'.a{n} .b' for n in range(5_000))}){{color:red}}"),
            ("&,&{" * 30 + "color:red"),
            ("a{" * 3_000 + "color:red"),
            ("a{color:" + "(" * 50_000),
            ("p{--a:" + "var(--a)" * 100 + ";display:var(--a)}"),
            ("p{color:color()} a|{color:red} [*|a]{color:red} .a().b{color:red} .(){color:red}"),
        ],
    )
    def test_are_read_whatever_their_rules_cost(self, css: str) -> None:
        assert text_of(f"<style>{css}</style>" + "<div>" * 250 + "words") == "words"

    def test_entities_of_their_own_are_not_expanded(self) -> None:
        laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
        page = f'<!DOCTYPE html [<!ENTITY l0 "ha">{laughs}]><html><p>&l9; words</p></html>'
        assert len(text_of(page)) < 100

    def test_nothing_is_loaded(self, tmp_path: Path) -> None:
        tmp_path.joinpath("secret.txt").write_text("secret")
        page = (
            f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{tmp_path}/secret.txt">]><p>&x; words</p>'
        )
        assert "secret" not in text_of(page)

    @steady
    @given(
        st.lists(
            st.sampled_from(
                [
                    *"<p> <div> </div> <b> </b> <h1> </h1> <h2_class=x> <ul> <li> </ul>".split(),
                    *"<ol_start=2> <table> <tr> </table> <pre> </pre> <br> <sup> </sup>".split(),
                    *"<a_href=#x> </a> <q> </q> <math> <mfrac> <!-- --> <script> </script>".split(),
                    *"<![CDATA[ ]]> &amp; &# < > word 3 é \u00ad".split(),
                    "\u2028",
                ]
            )
            | st.text(max_size=8),
            max_size=40,
        )
    )
    def test_whatever_it_is_places_hold(self, pieces: list[str]) -> None:
        page = " ".join(pieces).replace("_", " ")
        document = read_html(page.encode("utf-8", "replace"), "a.html")
        headings = document.layout.headings
        assert all(document.text[each.start : each.end] == each.text for each in headings)
        assert all(one.end <= following.start for one, following in pairwise(headings))
