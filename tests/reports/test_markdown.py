"""An audit as Markdown: what it says, that nothing in it breaks out, and that it fits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from markdown_it import MarkdownIt
from markdown_it.token import Token

from auditing.papers import audited_paper
from citeguard.language.excerpts import escaped, shown
from citeguard.reports.markdown import LONGEST, as_markdown
from citeguard.reports.report import BY_URGENCY, Report
from hostile import hostile
from reports.samples import (
    claim_of,
    drawn_reports,
    empty_report,
    finding_of,
    full_report,
    hostile_report,
    report_of,
)
from rows import each_row

MARKS = st.text(st.sampled_from("\n|<>a`[]()-#@1 \\*&"), min_size=1)
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

BLOCKS = {
    *("heading", "paragraph", "blockquote", "bullet_list", "list_item", "inline", "html_block"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
"""What a page consists of."""


def inline_tokens(markdown: str) -> list[Token]:
    return [child for token in READER.parse(markdown) for child in token.children or ()]


def read(markdown: str) -> str:
    """Return the text that a reader of one paragraph sees; what else it has, it must not have."""
    tokens = inline_tokens(markdown)
    elements = [token.content for token in tokens if token.type == "html_inline"]
    assert set(elements) <= {"<span>", "</span>"}
    assert {token.type for token in tokens} <= {"text", "text_special", "html_inline"}
    return "".join(token.content for token in tokens if token.type != "html_inline")


def many_claims(count: int) -> Report:
    """Return a report with claims of every verdict and no end."""
    text = "\n".join(f"Claim number {number} of many." for number in range(count))
    claims = [
        claim_of(text, line, BY_URGENCY[at % len(BY_URGENCY)], explanation="Because. " * 50)
        for at, line in enumerate(text.splitlines())
    ]
    findings = [
        finding_of(text, line, "uncited", f"Cite something: {line} " * 10)
        for line in text.splitlines()
    ]
    return report_of(text, claims, findings=findings, uncovered=text.splitlines())


class TestPage:
    def test_of_everything(self) -> None:
        assert as_markdown(full_report()) == snapshot("""\
## 5 of 10 statements are supported; 2 are contradicted; 2 are unsupported; 1 could not be decided; 3 problems with citations: wrong source, uncited, unknown source

| Verdict | Claims |
| :-- | --: |
| ✕ Contradicted | 2 |
| ? Unsupported | 2 |
| … Undecided | 1 |
| ✓ Supported | 5 |
| – Nothing to check | 1 |

### Needs attention

#### ✕ Claim 2: contradicted

> The institute was founded in 1985 by Marta Lindqvist

The claim says 1985; the source says 1984.

- Source: “The institute was founded in 1984 by Marta Lindqvist” (handbook, line 7)
- Correction: The institute was founded in 1984 by Marta Lindqvist

#### ✕ Claim 7: contradicted

> Parking spaces can be booked by the hour

The source says that they cannot be reserved.

- Source: “They cannot be reserved.” (faq, line 3)

#### ? Claim 3: unsupported

> Lunch is free for everybody

The source says so of employees; it says that guests pay.

- Source: “Lunch is free for all employees” (faq, line 1)

#### ? Claim 5: unsupported

> The campus has a swimming pool

No source says anything of a swimming pool.

#### … Claim 11: undecided

> Staff may work from home on some days

The judge did not answer in time.

### Citations

- **Wrong source (claim 4)**: faq does not say this; cite handbook.
- **Uncited (claim 5)**: This claim cites nothing.
- **Unknown source (claim 7)**: No source is called rules.

<details>
<summary>Supported, or nothing to check (6)</summary>

| Claim | Verdict | Source |
| :-- | :-- | :-- |
| 1: The notice period is one month | ✓ Supported | handbook, line 3 |
| 4: visitors need a badge to enter the laboratory | ✓ Supported | handbook, line 5 |
| 6: In my opinion it is the nicest place to work in the city | – Nothing to check | opinion |
| 8: The institute moved to the old rope works in 1997 | ✓ Supported | handbook, line 7 |
| 9: Guests pay 9 euros for lunch | ✓ Supported | faq, line 1 |
| 10: Badges are handed out at the main gate | ✓ Supported | handbook, line 5 |

</details>

<details>
<summary>Sentences without a claim (1)</summary>

- **Not examined**: “Welcome aboard!”

</details>
""")  # noqa: E501

    def test_names_pages_and_sections(self) -> None:
        page = as_markdown(audited_paper())
        place = "paper, p. ii (2 of the file) › The Harbour Institute › History"
        assert f" ([{place}](<https://example.org/paper.pdf#page=2>))\n" in page
        assert "| ✓ Supported | [paper, p. 1 › The Harbour Institute](<" in page

    def test_of_nothing(self) -> None:
        page = as_markdown(empty_report())
        assert page.startswith("## Nothing to check\n\n| Verdict | Claims |")
        assert "100 ×" not in page
        assert "###" not in page
        assert "<details>" not in page


class TestEscaped:
    @each_row(
        ("text", "markdown"),
        [
            ("a | b", r"a \| b"),
            ("<b>&amp;", "&lt;b&gt;<span>&amp;</span>amp;"),
            ("AT & T", "AT &amp; T"),
            ("*a* _b_ `c` ~~d~~", r"\*a\* \_b\_ \`c\` \~<span>~</span>d\~\~"),
            ("[a](b) ![c](d)", r"\[a\](b) !\[c\](d)"),
            ("two\n\nlines", "two lines"),
            ("\\", "\\\\"),
            ("@anna a@b.c", "<span>@</span>anna a<span>@</span>b.c"),
            ("#1 gh-2 !3 %4", "<span>#</span>1 gh<span>-</span>2 <span>!</span>3 <span>%</span>4"),
            ('~"a label"', '<span>~</span>"a label"'),
            ("https://x.y WWW.x.y", "https<span>:</span>//x.y WWW<span>.</span>x.y"),
            ("$5 and $6", "<span>$</span>5 and <span>$</span>6"),
            (":bomb: at 10:30", "<span>:</span>bomb: at 10:30"),
            ("50 % of 3 # @ !", "50 % of 3 # @ !"),
            ("\x1b[2J \u202e", r"\\u001b\[2J \\u202e"),
        ],
    )
    def test_writes(self, text: str, markdown: str) -> None:
        assert escaped(text) == markdown

    @given(hostile | st.text(st.sampled_from("\\`*_{}[]()#+-!|<>&~=:.@$%^\"' 1ab\n\t")))
    def test_reads_as_it_was(self, text: str) -> None:
        assert read(f"“{escaped(text)}”") == f"“{shown(text, 600)}”"


class TestStartOfALine:
    @each_row(
        "words",
        [
            *(
                "# a",
                "## a",
                "- a",
                "+ a",
                "* a",
                "1. a",
                "23) a",
                "> a",
                "    a",
                "\ta",
                "---",
                "===",
            ),
            *("```", "~~~", "***", "___", "| a |", "<div>", "<!-- a", "[a]: b", "$$", "&#35; a"),
        ],
    )
    def test_is_no_block(self, words: str) -> None:
        page = as_markdown(
            report_of(words, [claim_of(words, words, "undecided", explanation=words)])
        )
        *_, quoted, explained = [each for each in READER.parse(page) if each.type == "inline"]
        for shown_words in (quoted, explained):
            assert read(shown_words.content) == words.strip()


class TestHostile:
    @each_row("report", [hostile_report(), full_report(), many_claims(100)])
    def test_has_no_blocks_but_its_own(self, report: Report) -> None:
        self.require_own_markup(as_markdown(report))

    @given(
        drawn_reports()
        | drawn_reports(st.text(st.sampled_from("\n|<>a`[]()-#@1 \\*&"), min_size=1))
    )
    def test_has_no_markup_but_its_own(self, report: Report) -> None:
        self.require_own_markup(as_markdown(report))

    def require_own_markup(self, page: str) -> None:
        tokens = READER.parse(page)
        assert {re.sub("_(open|close)$", "", token.type) for token in tokens} <= BLOCKS
        for token in tokens:
            if token.type == "html_block":
                assert re.match(r"</?details>", token.content)
                assert token.content.count("<") <= 3
        inline = [child for token in tokens for child in token.children or ()]
        assert {child.type for child in inline} <= {
            *("text", "text_special", "html_inline", "strong_open", "strong_close")
        }
        assert {child.content for child in inline if child.type == "html_inline"} <= {
            *("<span>", "</span>")
        }

    def test_has_no_control_characters(self) -> None:
        page = as_markdown(hostile_report())
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)


class TestLimit:
    def test_is_that_of_a_comment(self) -> None:
        assert len(as_markdown(many_claims(1_000))) <= LONGEST

    def test_says_how_much_is_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("citeguard.reports.markdown.LONGEST", 10_000)
        page = as_markdown(many_claims(60))
        assert len(page) <= 10_000
        told = [int(count) for count in re.findall(r"\*\*(\d+) \w+ omitted here\*\*: ", page)]
        shown_items = [r"^#### ", r"^- \*\*Uncited", r"^\| \d+: ", r"^- \*\*Not examined"]
        kept = [len(re.findall(item, page, re.M)) for item in shown_items]
        assert kept[0] > 0
        assert [sum(each) for each in zip(kept, told, strict=True)] == [36, 60, 24, 60]
