"""`read_markdown`: Markdown as the rendered page reads, and where it stands in the file."""

from itertools import pairwise
from time import process_time

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.documents.document import Document
from citeguard.documents.markdown import read_markdown
from rows import each_row

steady = settings(derandomize=True)

HANDBOOK = """\
---
title: "The handbook"
tags: [pay, notice]
---
# Notice *period* {#notice}

Notice is **one month**,
and `HR` [confirms](https://example.org/hr
"How to reach HR") it
in writing.\\
Without it, nothing ends.[^law]

> The first month is a trial.
It may end any day.

Pay
---

1. Ask for a form.
2. Fill it in:
   - your name
   - your account

| Month | Pay |
|-------|----:|
| May | 2\\|000 |

```sh
  pay --now

done
```

[^law]: By law,
    since 2019.
"""


def read(text: str) -> Document:
    return read_markdown(text.encode(), "a.md")


def lines_of(document: Document, *words: str) -> list[int | None]:
    """Return the file's lines that words stand on by the layout."""
    return [document.layout.line_at(document.text.index(each)) for each in words]


class TestText:
    @each_row(
        ("markdown", "text"),
        [
            ("*a* __b__ ~~c~~ `d`", "a b d"),
            ("a ![b *c* ![d](e)](f.png)g", "a g"),
            (r"1\. \*not\*", "1. *not*"),
            ("a  \nb", "a\nb"),
            ("a<br>b", "a\nb"),
            ("a <!-- no -->b", "a b"),
            ("x<sup>2</sup> H<sub>2</sub>O 4<sup>th</sup>", "x² H₂O 4th"),
            ("a</sup> b<sub>", "a b"),
            ("soft\u00adhyphen", "softhyphen"),
            ("# a\nb\n=\nc\n---\nd", "a\n\nb\n\nc\n\nd"),
            ("> a\nb\n>> c", "a b\n\nc"),
            ("- a\n- b\n  - c", "- a\n\n- b\n\n- c"),
            ("3. a\n4. b\n\n   c", "3. a\n\n4. b\n\nc"),
            ("```py\n  a\n\nb\n```", "  a\n\nb"),
            ("a|b\n-|-\n1|*2*\n||3", "a | b\n1 | 2\n | 3"),
            ("<div>\n<p>a</p><p>b</p>\n</div>", "a\n\nb"),
            ("a[^1] b[^x]\n\n[^x]: d\n[^1]: c", "a[1] b[2]\n\n[1] c\n\n[2] d"),
            ("a^[b *c*] d", "a[1] d\n\n[1] b c"),
            ("a\r\nb\r\n\r\nc\rd", "a b\n\nc d"),
            ("", ""),
        ],
    )
    def test_is_what_the_page_shows(self, markdown: str, text: str) -> None:
        assert read(markdown).text == text


NOT_SHOWN = "template noscript script datalist select textarea svg object video iframe".split()


class TestRawHtml:
    @each_row("tag", NOT_SHOWN)
    def test_that_no_page_shows_is_left_out(self, tag: str) -> None:
        assert read(f"a <{tag} x>no *not* <i>`never`</i></{tag}>b").text == "a b"
        assert read(f"# a <{tag.upper()}>no</{tag}>").text == "a"
        assert read(f"a\n\n<{tag}>\n\nno\n\n```\nnot\n```\n\n</{tag}>\nb").text == "a\n\nb"
        assert read(f"|a|b|\n|-|-|\n|<{tag}>no</{tag}>|c|").text == "a | b\n | c"
        assert read(f"a\n\n<{tag}>\n\nno").text == "a"

    @each_row(
        ("markdown", "text"),
        [
            ("<div>\n<!-- no\n\nnot\n\n<p>-->b</p>\n</div>", "b"),
            ("<div>\n\na <script>'</div>' no</script>b", "a b"),
            ("<div hidden>\n\n<script>'</div>'</script>\n\nno\n\n</div>\n\na", "a"),
            ("<div hidden>\n\nno\n\nnot</div>\na\n\n</div>\nb", "a b"),
            ("a <span hidden/>no</span> b", "a b"),
            ("a <math><mspace/>b</math> <base> <!-- no --> c", "a b c"),
            (
                "a `<template>` \\<template> &lt;template&gt; b",
                "a <template> <template> <template> b",
            ),
            ("a<style>b{}\n.x{display:none}</style> <i class=x>no</i> b", "a b"),
            ("<style>.x i{opacity:0}</style>\n\n<b class=x>a *b* <i>no</i></b> <i>c</i>", "a b c"),
            ("<style>em, h2 + p{display:none}</style>\n\n*no*\n\n## a\n\nno\n\nb", "a\n\nb"),
        ],
    )
    def test_hides_what_it_hides_on_the_page(self, markdown: str, text: str) -> None:
        assert read(markdown).text == text

    def test_after_what_is_hidden_has_its_own_line(self) -> None:
        assert lines_of(read("<p hidden>\n\n<b hidden>\n\nno\n</b>\n\na"), "a") == [8]


class TestFrontMatter:
    @each_row(
        "settings",
        [
            "---\ntitle: Pay\nx: [y]\n---\n",
            "---\n# made\n\ntitle: 'Pay'\n---\n",
            '+++\ntitle = "Pay"\n+++\n',
        ],
    )
    def test_is_no_text_and_names_the_title(self, settings: str) -> None:
        document = read(f"{settings}# Monthly\n\nWords.")
        assert (document.title, document.text) == ("Pay", "Monthly\n\nWords.")
        assert lines_of(document, "Words.") == [settings.count("\n") + 3]

    def test_a_rule_at_the_start_is_none(self) -> None:
        assert read("---\nWords first.\n\n---\n\nWords.").text == "Words first.\n\nWords."


class TestHeadings:
    def test_have_their_levels_and_words_and_places(self) -> None:
        document = read(HANDBOOK)
        told = [(heading.level, heading.text) for heading in document.layout.headings]
        assert told == [(1, "Notice period"), (2, "Pay")]
        for heading in document.layout.headings:
            assert document.text[heading.start : heading.end] == heading.text

    def test_of_html_count(self) -> None:
        document = read("<h1 align=center>\nThe <b>tool</b>\n</h1>\n\nWords.")
        assert document.title == "The tool"
        assert document.layout.headings_at(document.text.index("Words")) == ("The tool",)


class TestLines:
    def test_are_those_of_the_file(self) -> None:
        document = read(HANDBOOK)
        numbered = {line.strip(): number for number, line in enumerate(HANDBOOK.split("\n"), 1)}
        told = {
            "Notice period": 5,
            "Notice is": numbered["Notice is **one month**,"],
            "confirms": numbered["Notice is **one month**,"] + 1,
            "in writing": numbered["in writing.\\"],
            "Without it": numbered["Without it, nothing ends.[^law]"],
            "It may end": numbered["It may end any day."],
            "Fill it in": numbered["2. Fill it in:"],
            "your account": numbered["- your account"],
            "May": numbered["| May | 2\\|000 |"],
            "pay --now": numbered["pay --now"],
            "done": numbered["done"],
            "By law": numbered["[^law]: By law,"],
            "since 2019": numbered["since 2019."],
        }
        assert dict(zip(told, lines_of(document, *told), strict=True)) == told

    def test_of_a_note_in_the_text_are_that_of_its_mark(self) -> None:
        document = read("one\ntwo^[note\nmore]\nthree\n\nlast")
        assert lines_of(document, "note", "more", "three", "last") == [2, 2, 4, 6]


class TestHostileFiles:
    @each_row(
        "markdown",
        [
            (">" * 10_000 + " words"),
            ("".join("  " * depth + "- words\n" for depth in range(200))),
            ("![" * 1_000 + "a" + "](x)" * 1_000 + " words"),
            ("[a]: x\n\n" + "[a][" * 2_000 + "words"),
            ("words " + "<![CDATA[" * 1_000),
            ("*a **a " * 4_000 + "words"),
            ("words " + "<sup>" * 2_000),
        ],
    )
    def test_lose_no_words_and_take_no_time(self, markdown: str) -> None:
        assert "words" in read(markdown).text

    def test_take_linear_time_for_wide_tables(self) -> None:
        spent = [process_time()]
        for wide in (250, 2_500):
            assert read("|a" * wide + "|\n" + "|-" * wide + "|\n").text.count("a") == wide
            spent.append(process_time())
        assert spent[2] - spent[1] < 20 * (spent[1] - spent[0]) + 0.2


class TestProperties:
    @steady
    @given(
        st.text(
            st.sampled_from("ab \n#>-*_`[](){}!|\\&;<>/^:=~+1.2\t\r\x00é中\u00ad")
            | st.characters(),
            max_size=120,
        )
    )
    def test_any_text_is_read_with_places_that_hold(self, markdown: str) -> None:
        document = read_markdown(markdown.encode("utf-8", "replace"), "a.md")
        layout = document.layout
        for heading in layout.headings:
            assert document.text[heading.start : heading.end] == heading.text
        lines = markdown.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        told = [layout.line_at(place) or 1 for place in range(len(document.text))]
        assert all(1 <= line <= lines for line in told)
        assert all(one.end <= next_one.start for one, next_one in pairwise(layout.headings))
