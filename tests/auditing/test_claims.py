"""What texts claim, found by structure."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.auditing.claims import Claim, Extraction, LocalClaims, blanked
from rows import each_row


def extract(text: str) -> Extraction:
    (extraction,) = LocalClaims().extract([text])
    return extraction


def claims(text: str) -> list[Claim]:
    return list(extract(text).claims)


def said(text: str) -> list[str]:
    return [claim.text for claim in claims(text)]


ASIDE = {
    "I think Anna is nice.": "opinion",
    "In my opinion, taxes are too high.": "opinion",
    "What is the capital of France?": "question",
    "هل هي كبيرة؟": "question",
    "Hello!": "greeting",
    "# Benefits": "heading",
    "**Benefits of rain**": "heading",
    "```\nprint('Anna left Rome.')\n```": "code",
    "Here are the steps:": "no claim",
    "https://example.org/page": "no claim",
    "Yes.": "no claim",
}
CHECKABLE = [
    "I paid 30 dollars.",
    "In 2019, Acme grew by 5 %, the report says:",
    "Please note that the shop closes at six.",
    'He asked "Why?"',
    "Quokkas hop.",
    "Москва — столица России.",
    '"Next year will be better."',
    "- Prevents cancer",
]


class TestSettingAside:
    @pytest.mark.parametrize(("text", "reason"), ASIDE.items(), ids=[*ASIDE])
    def test_what_no_source_could_support(self, text: str, reason: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == [reason]

    @pytest.mark.parametrize("text", CHECKABLE)
    def test_not_what_can_be_checked(self, text: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == [None]


def test_a_sign_that_denies_belongs_to_the_claim() -> None:
    assert said("✗ Safe for children.") == ["✗ Safe for children"]
    assert said("- ✔ Safe for children.") == ["Safe for children"]
    assert said("👎 Safe for children.") == ["👎 Safe for children"]
    assert said("- [ ] Safe for children.") == ["☐ Safe for children"]


def test_what_is_struck_out_is_not_said() -> None:
    assert said("<s>Safe for children.</s> It is ~~not\nyet~~ safe.") == ["It is safe"]
    assert said(f"~~Safe{' for children' * 30}.~~") == []


class TestContexts:
    @pytest.mark.parametrize(
        ("text", "context"),
        [
            pytest.param("John met Peter [1]. He left.", "John met Peter.", id="a pronoun"),
            pytest.param("Anna won. Her prize was large.", "Anna won.", id="a possessive"),
            pytest.param("Anna won. This prize was large.", "Anna won.", id="this"),
            pytest.param("Anna won. Bob said that she left.", "", id="after a name of its own"),
            pytest.param("Anna won. She sang. She left.", "Anna won. She sang.", id="two"),
            pytest.param("Anna won.\n\n# Results\n\nShe left.", "", id="across a heading"),
        ],
    )
    def test_have_the_words_that_a_pronoun_refers_to(self, text: str, context: str) -> None:
        assert claims(text)[-1].context == context

    def test_of_items_are_what_introduces_them(self) -> None:
        found = claims("Broccoli:\n\nThe benefits are:\n* Prevents cancer [1]\n* Rich in iron (2)")
        items = [claim for claim in found if claim.set_aside is None]
        assert [claim.text for claim in items] == ["Prevents cancer", "Rich in iron (2)"]
        assert {claim.context for claim in items} == {"The benefits are"}

    def test_rows_of_two_columns_are_claims_of_their_own(self) -> None:
        found = claims("Rent | 900 EUR\nParking | 60 EUR\n\nThe set {x | x > 0} is open.")
        assert [each.text for each in found][:2] == ["Rent: 900 EUR", "Parking: 60 EUR"]
        assert len(found) == 3

    def test_of_rows_are_the_head_of_their_table(self) -> None:
        head, row = claims("| City | People |\n|---|---|\n| Rome | 2,800,000 |")
        assert head.set_aside == "heading"
        assert (row.text, row.context) == ("Rome: 2,800,000", "City | People")


class TestWords:
    @pytest.mark.parametrize(
        "mark", ["[1]", "[1, 2]", "[doc-3]", "(Passage 2)", "(Smith et al., 2020)", "【3†source】"]
    )
    def test_have_no_citation_marks(self, mark: str) -> None:
        text = f"Sales rose by a third {mark}. Costs fell {mark} again."
        assert said(text) == ["Sales rose by a third", "Costs fell again"]
        assert text[: claims(text)[0].end] == "Sales rose by a third"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("As [1] says, Acme grew by 5%.", "Acme grew by 5%"),
            ("As stated in [1], Acme grew by 5%.", "Acme grew by 5%"),
            ("According to [1] and [2], Acme grew by 5%.", "Acme grew by 5%"),
            ("Acme grew by 5%, according to [1].", "Acme grew by 5%"),
            ("According to Smith, it grew.", "According to Smith, it grew"),
            ("1) Mix the flour with 2 eggs.", "Mix the flour with 2 eggs"),
            ("It rained.[1]", "It rained"),
            ("The 95% CI [12, 15] was wide.", "The 95% CI [12, 15] was wide"),
        ],
    )
    def test_have_nothing_of_a_source_that_only_a_mark_names(
        self, text: str, expected: str
    ) -> None:
        (claim,) = claims(text)
        assert (claim.text, claim.set_aside) == (expected, None)
        assert text[claim.start : claim.end] == expected

    def test_of_a_quotation_are_not_cut_at_its_stops(self) -> None:
        text = 'He said, "I came. I saw." at the gate 2 times.'
        assert said(text) == [text.removesuffix(".")]

    def test_have_no_markup_and_entities_are_read(self) -> None:
        text = "The *new* [site](https://x.org/a) of R&amp;D doesn&rsquo;t work."
        assert said(text) == ["The new site of R&D doesn’t work"]

    @pytest.mark.parametrize(
        ("text", "own"),
        [
            ("Acme was founded in 1984 <sup>1</sup>.", "Acme was founded in 1984"),
            ("It grew by 5 &euro;. It fell.", "It grew by 5 &euro;"),
            ("The oven is at 180&deg;", "The oven is at 180&deg;"),
        ],
    )
    def test_end_with_their_tags_and_entities(self, text: str, own: str) -> None:
        claim = claims(text)[0]
        assert text[claim.start : claim.end] == own

    @pytest.mark.parametrize("text", ["", " ", "\n\n", "...", "😀", "---", "| | |"])
    def test_of_nothing_are_none(self, text: str) -> None:
        assert claims(text) == []


# What holds of the claims of any text.

PIECES = [
    "Anna", "He", "it", "they", "said that", "left Rome", "was born", "and", ", and", ", but",
    ", who", ", which", "moved to Paris", "was arrested", ";", ". ", "? ", "! ", "\n", "\n\n",
    "- ", "1. ", "# ", "**", "`", "```\n", "[1]", "(Passage 2)", '"', "“", "”", "(", ")", "雨",
    "。", "|", "In 2019,", "If", "not", "However,", "5 %", "&amp;", "https://x.org", "Speed:",
    "😀", "Dr.", "U.S.", "'s", "n't", "while", "add the rice", "then", "[a](b.c)", "\u2060", "_",
]  # fmt: skip
texts = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
)
steady = settings(deadline=None, derandomize=True, max_examples=150)


class TestAnyText:
    @steady
    @given(text=texts)
    def test_has_claims_of_its_words_in_order_and_no_letter_outside_them(self, text: str) -> None:
        extraction, position = extract(text), 0
        known = blanked(text).replace("\u2060", "")
        for claim in extraction.claims:
            low, high = claim.sentence
            assert 0 <= low <= claim.start < claim.end <= high <= len(text)
            assert position <= claim.start
            assert not text[claim.start].isspace()
            assert not text[claim.end - 1].isspace()
            assert claim.text.strip()
            position = claim.end
            for word in claim.text.split():
                plain = word.removesuffix("'s").strip("\u2060.,;:!?…)]%")
                assert plain in known or plain in text.replace("\u2060", "")
        # But those of marks and markup, which are blank in what is read.
        left = list(text)
        for low, high in [claim.sentence for claim in extraction.claims] + [*extraction.uncovered]:
            left[low:high] = " " * (high - low)
        outside = zip(blanked("".join(left)), blanked(text), strict=True)
        assert not any(one.isalpha() and other.isalpha() for one, other in outside)


HOSTILE = ["🎉. A ", "€.", "according to ", ", isn't it? ", "5 €.   ", "(2) A ",
           ".", "( ", '" ', "a", "a. ", "and ", ", and it is ", "**", "[1]", "\n", "- ", "| a ",
           "```\n", "雨", "雨。", "“", "> ", "He said that ", ", who ", "Anna Lee ", "[a](b",
           "according to the passage, ", "(Passage 1 ", "here ", "I think "]  # fmt: skip


class TestLongTexts:
    @each_row("piece", HOSTILE)
    def test_are_read_in_one_go(self, piece: str) -> None:
        # In seconds; whatever took time in the square of the length would take minutes.
        text = piece * (5_000 // len(piece))
        ends = [claim.end for claim in extract(text).claims]
        assert ends == sorted(ends)
        assert all(end <= len(text) for end in ends)
