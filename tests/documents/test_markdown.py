"""`read_markdown`: Markdown as the rendered page reads, and where it stands in the file."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, Source, Sources, locate
from citeguard.documents.document import Document
from citeguard.documents.markdown import read_markdown
from rows import each_row

steady = settings(deadline=None, derandomize=True, max_examples=200)

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
            pytest.param("*a* __b__ ~~c~~ `d`", "a b c d", id="emphasis and code"),
            pytest.param("un*believ*able", "unbelievable", id="emphasis in a word"),
            pytest.param("[a](http://x/ 'y') [b][r]\n\n[r]: http://z", "a b", id="links"),
            pytest.param("<https://x.org>", "https://x.org", id="a link that shows itself"),
            pytest.param("![a *b* ![c](d)](e.png)", "a b c", id="the description of an image"),
            pytest.param("R&amp;D &copy; &#8212;", "R&D © —", id="entities"),
            pytest.param(r"1\. \*not\*", "1. *not*", id="escapes"),
            pytest.param("a\nb", "a b", id="a soft line break"),
            pytest.param("a  \nb", "a\nb", id="a hard line break"),
            pytest.param("a\\\nb", "a\nb", id="a hard line break by a backslash"),
            pytest.param("a<br>b", "a\nb", id="a line break in HTML"),
            pytest.param("a <!-- no -->b", "a b", id="a comment"),
            pytest.param("a <b class='x'>b</b>", "a b", id="tags"),
            pytest.param("x<sup>2</sup> H<sub>2</sub>O 4<sup>th</sup>", "x² H₂O 4th", id="raised"),
            pytest.param("a</sup> b<sub>", "a b", id="a tag that was not begun or not ended"),
            pytest.param("soft\u00adhyphen", "softhyphen", id="a soft hyphen"),
            pytest.param("a\n\nb", "a\n\nb", id="paragraphs"),
            pytest.param("# a\nb\n=\nc\n---\nd", "a\n\nb\n\nc\n\nd", id="headings"),
            pytest.param("> a\nb\n>> c", "a b\n\nc", id="quotes"),
            pytest.param("- a\n- b\n  - c", "- a\n\n- b\n\n- c", id="a list"),
            pytest.param("3. a\n4. b\n\n   c", "3. a\n\n4. b\n\nc", id="a numbered list"),
            pytest.param("-\n\na", "a", id="an empty item"),
            pytest.param("```py\n  a\n\nb\n```", "  a\n\nb", id="code"),
            pytest.param("    a\n      b", "a\n  b", id="indented code"),
            pytest.param("```\na\n*b*", "a\n*b*", id="an unclosed fence"),
            pytest.param("a|b\n-|-\n1|*2*\n||3", "a | b\n1 | 2\n | 3", id="a table"),
            pytest.param("a\n\n---\n\nb", "a\n\nb", id="a rule"),
            pytest.param("<div>\n<p>a</p><p>b</p>\n</div>", "a\n\nb", id="HTML"),
            pytest.param("<script>\na\n</script>\n\n<!--\nb\n-->\n\nc", "c", id="hidden HTML"),
            pytest.param(
                "a[^1] b[^x]\n\n[^x]: d\n[^1]: c", "a[1] b[2]\n\n[1] c\n\n[2] d", id="notes"
            ),
            pytest.param("a^[b *c*] d", "a[1] d\n\n[1] b c", id="a note in the text"),
            pytest.param("\ufeffa", "a", id="a byte-order mark"),
            pytest.param("a\r\nb\r\n\r\nc\rd", "a b\n\nc d", id="line ends of other systems"),
            pytest.param("", "", id="nothing"),
        ],
    )
    def test_is_what_the_page_shows(self, markdown: str, text: str) -> None:
        assert read(markdown).text == text

    def test_a_quote_across_items_is_found_with_and_without_their_numbers(self) -> None:
        text = read("Steps:\n\n1. Ask for a form.\n2. Fill in the form.\n").text
        for quote in (
            "Ask for a form. Fill in the form.",
            "1. Ask for a form. 2. Fill in the form.",
        ):
            match = locate(quote, Sources([Source("a", text)]))
            assert match is not None
            assert not any(edit.material for edit in match.edits)

    def test_not_utf_8(self) -> None:
        with pytest.raises(CiteguardError, match=r"^a\.md: not UTF-8"):
            read_markdown("naïve".encode("latin-1"), "a.md")


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

    def test_without_a_title_leaves_it_to_the_first_heading(self) -> None:
        assert read("---\nx: y\n---\n## Low\n# High\n# Next").title == "High"

    def test_of_several_lines_is_no_title(self) -> None:
        assert read("---\ntitle: >\n  Pay\n---\nWords.").title is None

    def test_a_rule_at_the_start_is_none(self) -> None:
        assert read("---\nWords first.\n\n---\n\nWords.").text == "Words first.\n\nWords."


class TestHeadings:
    def test_have_their_levels_and_words_and_places(self) -> None:
        document = read(HANDBOOK)
        told = [(heading.level, heading.text) for heading in document.layout.headings]
        assert told == [(1, "Notice period"), (2, "Pay")]
        for heading in document.layout.headings:
            assert document.text[heading.start : heading.end] == heading.text

    def test_of_several_lines_are_one_line(self) -> None:
        assert [heading.text for heading in read("One\ntwo  \nthree\n===").layout.headings] == [
            "One two three"
        ]

    def test_of_html_count(self) -> None:
        document = read("<h1 align=center>\nThe <b>tool</b>\n</h1>\n\nWords.")
        assert document.title == "The tool"
        assert document.layout.headings_at(document.text.index("Words")) == ("The tool",)

    def test_in_an_item_stand_after_its_mark(self) -> None:
        document = read("1. # Pay\n")
        (heading,) = document.layout.headings
        assert (document.text, heading.start) == ("1. Pay", 3)


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

    def test_of_code_end_at_line_feeds_alone(self) -> None:
        document = read_markdown("```\na\u2028b\x0cc\x85d\nthe end\n```\n".encode(), "a.md")
        assert document.layout.line_at(document.text.index("the end")) == 3

    def test_of_breaks_after_code_and_tags_of_several_lines(self) -> None:
        document = read("`a\nb` <i\nid=x> ![c\nd](e)\nsoft\\\nhard")
        assert lines_of(document, "soft", "hard") == [5, 6]

    def test_of_a_note_in_the_text_are_that_of_its_mark(self) -> None:
        document = read("one\ntwo^[note\nmore]\nthree\n\nlast")
        assert lines_of(document, "note", "more", "three", "last") == [2, 2, 4, 6]

    def test_of_html_are_those_of_its_elements(self) -> None:
        assert lines_of(read("a\n\n<div>\n<p>b</p>\n<p>c</p>\n</div>"), "b", "c") == [4, 5]

    def test_with_line_ends_of_other_systems(self) -> None:
        assert lines_of(read("a\r\nb\r\n\r\nc"), "b", "c") == [2, 4]


class TestHostileFiles:
    @each_row(
        "markdown",
        [
            pytest.param(">" * 10_000 + " words", id="quotes in quotes"),
            pytest.param("- " * 5_000 + "words", id="lists in lists"),
            pytest.param("> - " * 3_000 + "words", id="both"),
            pytest.param(
                "".join("  " * depth + "- words\n" for depth in range(200)), id="deep list"
            ),
            pytest.param("![" * 1_000 + "words" + "](x)" * 1_000, id="images in images"),
            pytest.param("[" * 20_000 + "words", id="open brackets"),
            pytest.param("[a]: x\n\n" + "[a][" * 10_000 + "words", id="references"),
            pytest.param("words " + "<![CDATA[" * 5_000, id="open sections"),
            pytest.param("*a **a " * 20_000 + "words", id="open emphasis"),
            pytest.param("words " + "<sup>" * 10_000, id="open tags"),
        ],
    )
    def test_lose_no_words_and_take_no_time(self, markdown: str) -> None:
        assert "words" in read(markdown).text

    def test_words_between_the_pieces_of_a_long_paragraph_stay(self) -> None:
        words = " ".join(f"word{number}" for number in range(20_000))
        assert read(words).text == words

    def test_lines_of_a_long_paragraph_are_exact(self) -> None:
        document = read("\n".join(f"line {number} *of* words" for number in range(1, 5_001)))
        assert lines_of(document, "line 2 ", "line 4321 ") == [2, 4321]


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

    @steady
    @given(st.lists(st.sampled_from(["one", "*two*", "> three", "- four", "## five", "`six`", ""])))
    def test_words_stay_on_their_lines(self, lines: list[str]) -> None:
        marked = [f"{line}{number}x" if line else "" for number, line in enumerate(lines, 1)]
        document = read("\n".join(marked))
        for number, line in enumerate(marked, 1):
            if line:
                assert lines_of(document, f"{number}x") == [number]
