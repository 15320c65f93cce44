"""What answers say of themselves, and what frames a claim without being claimed."""

from __future__ import annotations

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.claims.local import LocalClaims
from rows import each_row


def claims(text: str) -> list[Claim]:
    (extraction,) = LocalClaims().extract([text])
    return list(extraction.claims)


def said(text: str) -> list[str]:
    return [claim.text for claim in claims(text)]


CLOSINGS = [
    "If you have any other questions, feel free to ask!",
    "If you need more details, let me know!",
    "If you'd like, I can also write a summary.",
    "If you want, I could also list the sources.",
    "I can help with more questions.",
    "I can list the sources if you'd like.",
    "I'm here to help!",
    "Disclaimer: this is not legal advice.",
    "This answer is not intended as medical advice.",
    "I am not a lawyer.",
]
NO_ANSWERS = [
    '"Unable to answer based on given passages."',
    "“Unable to answer based on given passages.”",
    "I don't have enough information to answer.",
    "There is not enough information to answer the question.",
    "The passages do not provide enough information to answer the question.",
    "I could not find any information about that.",
    "The answer is not in the given passages.",
    "The report says:",
    "Sources: report, beta.",
    "Source: Wikipedia.",
    "References: report.pdf, beta.pdf.",
]
EXCLAMATIONS = [
    "Hamburgers are the best!",
    "My dog is simply the greatest.",
    "What a splendid harbour.",
    "What a night!",
    "How generous!",
]
CHECKABLE = [
    "What a diver found was an amphora.",
    "What an amphora holds is wine.",
    "If the tenant leaves, the landlord can keep the deposit.",
    "If you need a visa, you must apply by May 5.",
    "If you have questions, feel free to call 555-1234.",
    "The documents do not mention the CEO.",
    "Unable to find work, Anna left Rome.",
    "There is not enough evidence to conclude that coffee causes cancer.",
    "It is impossible to find gold in Rome.",
    "In 2019, Acme grew by 5 %, the report says:",
    "Sources: coal 40 %, gas 30 %.",
    "- Sources: fish, eggs",
]


class TestSettingAside:
    @each_row("text", EXCLAMATIONS)
    def test_exclamations_are_opinions(self, text: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == ["opinion"]

    @each_row("text", CLOSINGS)
    def test_offers_and_disclaimers(self, text: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == ["greeting"]

    @each_row("text", NO_ANSWERS)
    def test_that_there_is_no_answer_and_what_it_would_be_from(self, text: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == ["no claim"]

    @each_row("text", CHECKABLE)
    def test_not_what_can_be_checked(self, text: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == [None]

    @each_row(
        ("text", "expected"),
        [
            ("I love Acme [1].", "I love Acme."),
            ("```\ngit add .\n```", "``` git add . ```"),
        ],
        ids=["without a blank where a mark stood", "code as it is"],
    )
    def test_gives_the_words(self, text: str, expected: str) -> None:
        assert said(text) == [expected]

    def test_leaves_no_blank_in_contexts(self) -> None:
        assert claims("John met Peter [1]. He left.")[-1].context == "John met Peter."


STATED = [
    ("Remember that cats sleep.", "cats sleep"),
    ("Remember, the notice period is one month.", "the notice period is one month"),
    ("Keep in mind that the fee is $5.", "the fee is $5"),
    ("Don't forget that the fee is $5.", "the fee is $5"),
    ("As [1] says, Acme grew by 5%.", "Acme grew by 5%"),
    ("As [1] and [2] say, Acme grew by 5%.", "Acme grew by 5%"),
    ("As stated in [1], Acme grew by 5%.", "Acme grew by 5%"),
    ("According to [1] and [2], Acme grew by 5%.", "Acme grew by 5%"),
    ("Acme grew by 5%, according to [1].", "Acme grew by 5%"),
    ("As the CEO says, Acme grew.", "As the CEO says, Acme grew"),
    ("Acme grew, according to the report.", "Acme grew, according to the report"),
    ("1) Mix the flour with 2 eggs.", "Mix the flour with 2 eggs"),
    ("(2) Bake the cake for 20 minutes.", "Bake the cake for 20 minutes"),
    ("Step 3: Cool the cake for 10 minutes.", "Cool the cake for 10 minutes"),
]


class TestWhatIsStated:
    @each_row(("text", "expected"), STATED)
    def test_has_no_framing(self, text: str, expected: str) -> None:
        (claim,) = claims(text)
        assert (claim.text, claim.set_aside) == (expected, None)
        assert text[claim.start : claim.end] == expected

    @each_row(
        "text",
        ["Is it one month, isn't it?", "You left, did you?", "In 2019, didn't he?", "Is it one?"],
    )
    def test_is_nothing_in_other_questions(self, text: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == ["question"]

    def test_has_no_numbers_of_steps_in_a_paragraph(self) -> None:
        text = "Mix the 2 eggs. 2. Bake the cake for an hour at 80 degrees. (3) Serve 5 guests."
        assert said(text) == [
            "Mix the 2 eggs",
            "Bake the cake for an hour at 80 degrees",
            "Serve 5 guests",
        ]


class TestEnds:
    @each_row(
        ("text", "own"),
        [
            ("Acme was founded in 1984 <sup>1</sup>.", "Acme was founded in 1984"),
            ("It grew by 5 &euro;. It fell.", "It grew by 5 &euro;"),
            ("The oven is at 180&deg;", "The oven is at 180&deg;"),
        ],
        ids=["a raised mark after a blank", "an entity", "an entity at the end"],
    )
    def test_are_never_within_a_tag_or_an_entity(self, text: str, own: str) -> None:
        claim = claims(text)[0]
        assert text[claim.start : claim.end] == own

    def test_are_those_of_sentences_after_signs(self) -> None:
        text = (
            "Acme 🚀 was founded in 1984 🎉. Acme employs 2,900 people 👍! Beta makes 5 %. It won."
        )
        assert said(text) == [
            "Acme 🚀 was founded in 1984 🎉",
            "Acme employs 2,900 people 👍",
            "Beta makes 5%",
            "It won",
        ]
