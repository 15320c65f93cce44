"""What texts claim, found by rules."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from citeguard.auditing.claims.claim import Claim, ClaimExtractor
from citeguard.auditing.claims.local import LocalClaims
from rows import each_row


def claims(text: str) -> list[Claim]:
    (extraction,) = LocalClaims().extract([text])
    return list(extraction.claims)


def said(text: str) -> list[str]:
    return [claim.text for claim in claims(text)]


ASIDE = [
    pytest.param("I think Anna is nice.", "opinion", id="what I think"),
    pytest.param("But I would consider it odd.", "opinion", id="what I consider"),
    pytest.param("We find that the drug works.", None, id="what a paper finds"),
    pytest.param("Here is a brief summary of the text.", "greeting", id="what is to follow"),
    pytest.param("Great, the fee is 30 dollars.", None, id="a courtesy with a figure"),
    pytest.param("Honestly, the dose is 50 mg.", None, id="an opinion with a figure"),
    pytest.param("In my opinion, taxes are too high.", "opinion", id="in my opinion"),
    pytest.param("What is the capital of France?", "question", id="a question"),
    pytest.param("你来吗？", "question", id="a question in Chinese"),
    pytest.param("Let me know if you have other questions.", "instruction", id="let me know"),
    pytest.param("Please restart the router.", "instruction", id="please"),
    pytest.param("Restart the router.", "instruction", id="a short command"),
    pytest.param("Hello!", "greeting", id="hello"),
    pytest.param("Sure, here is a summary:", "greeting", id="sure"),
    pytest.param("I hope this helps!", "greeting", id="I hope"),
    pytest.param("Thanks for asking!", "greeting", id="thanks"),
    pytest.param("As an AI language model, I cannot browse.", "greeting", id="as an AI"),
    pytest.param("# Benefits", "heading", id="a heading"),
    pytest.param("**Benefits of rain**", "heading", id="a bold line"),
    pytest.param("Standard Procedure for Preparing Plasma", "heading", id="a title"),
    pytest.param("```\nprint('Anna left Rome.')\n```", "code", id="code"),
    pytest.param("Here are the steps:", "no claim", id="an introduction"),
    pytest.param("Pros:", "no claim", id="a label"),
    pytest.param("https://example.org/page", "no claim", id="a link"),
    pytest.param("Source: https://example.org/page", "no claim", id="a labelled link"),
    pytest.param("Yes.", "no claim", id="a word"),
    pytest.param("هل هي كبيرة؟", "question", id="a question in Arabic"),
    pytest.param("Unable to answer based on given passages.", "no claim", id="no answer"),
]
CHECKABLE = [
    pytest.param("Preheat the oven to 180 degrees.", id="a command with a number"),
    pytest.param("Select a site with full sun exposure for planting.", id="a long command"),
    pytest.param("Please note that the shop closes at six.", id="a note"),
    pytest.param("It is the best-selling car of 2019.", id="a record"),
    pytest.param('He asked "Why?"', id="another one's question"),
    pytest.param("Name: Smile Cafe", id="a label with its value"),
    pytest.param("Quokkas hop.", id="two words"),
    pytest.param("Anna works.", id="a name and a verb"),
    pytest.param("Pandas eat bamboo.", id="an unknown noun"),
    pytest.param("The minister lied to parliament.", id="a short past tense"),
    pytest.param("No one dyed it.", id="a short past tense after a pronoun"),
    pytest.param("The pipe burst.", id="a past tense like the plain form"),
    pytest.param("Anna wept.", id="an irregular past tense"),
    pytest.param("The states disagree.", id="a verb in ee"),
    pytest.param("The stocks panicked.", id="a verb in c"),
    pytest.param("Most members fled.", id="a determiner"),
    pytest.param("Most fled.", id="a determiner as a subject"),
    pytest.param("HE DIED.", id="capitals"),
    pytest.param("He bade farewell.", id="an unknown verb after a pronoun"),
    pytest.param("东京是日本的首都。", id="Chinese"),
    pytest.param("Москва — столица России.", id="Russian"),
    pytest.param("القاهرة عاصمة مصر.", id="Arabic"),
    pytest.param("서울은 한국의 수도이다.", id="Korean"),
    pytest.param("Der Hund bellt laut.", id="German"),
    pytest.param('"Next year will be better."', id="a quotation alone"),
    pytest.param("The outbreak has three causes:", id="an introduction that says something"),
]


class TestSettingAside:
    @each_row(("text", "reason"), ASIDE)
    def test_what_no_source_could_support(self, text: str, reason: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == [reason]

    @each_row("text", CHECKABLE)
    def test_not_what_can_be_checked(self, text: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == [None]


KINDS = [
    pytest.param("Anna won two prizes.", "numerical", id="a number in words"),
    pytest.param("It opened on Monday.", "numerical", id="a day"),
    pytest.param("It opened in May.", "numerical", id="a month"),
    pytest.param('He called it "awful".', "quote", id="a quotation"),
    pytest.param("The police arrested Anna.", "event", id="an event"),
    pytest.param("Paris is the capital of France.", "entity", id="names"),
    pytest.param("Cats are mammals.", "other", id="none of these"),
]


class TestKinds:
    @each_row(("text", "kind"), KINDS)
    def test_tell_what_a_claim_is_about(self, text: str, kind: str) -> None:
        assert [claim.kind for claim in claims(text)] == [kind]


CONTEXTS = [
    pytest.param("John met Peter. He left.", "John met Peter.", id="a pronoun"),
    pytest.param("Anna won. Her prize was large.", "Anna won.", id="a possessive"),
    pytest.param("Anna won. This prize was large.", "Anna won.", id="this"),
    pytest.param("Anna won. Bob said that she left.", "", id="after a name of its own"),
    pytest.param("Anna won. She sang. She left.", "Anna won. She sang.", id="two sentences"),
    pytest.param("Anna won.\n\n# Results\n\nShe left.", "", id="across a heading"),
    pytest.param("The mail is short, but it is clear.", "The mail is short,", id="in a sentence"),
]


class TestContexts:
    @each_row(("text", "context"), CONTEXTS)
    def test_have_the_words_that_a_pronoun_refers_to(self, text: str, context: str) -> None:
        assert claims(text)[-1].context == context


class TestStructure:
    def test_list_items_have_what_introduces_them_as_context(self) -> None:
        found = claims("Broccoli:\n\nThe benefits are:\n* Prevents cancer [1]\n* Rich in iron (2)")
        items = [claim for claim in found if claim.set_aside is None]
        assert [claim.text for claim in items] == ["Prevents cancer", "Rich in iron (2)"]
        assert {claim.context for claim in items} == {"The benefits are"}

    def test_a_label_before_a_clause_is_context(self) -> None:
        text = "1. **Speed**: the car does 200 km/h."
        (claim,) = claims(text)
        assert (claim.text, claim.context) == ("the car does 200 km/h", "Speed")
        assert text[claim.start : claim.end] == "the car does 200 km/h"

    def test_rows_of_a_table_have_its_head_as_context(self) -> None:
        head, row = claims("| City | People |\n|---|---|\n| Rome | 2,800,000 |")
        assert head.set_aside == "heading"
        assert (row.text, row.context) == ("Rome: 2,800,000", "City | People")

    @each_row(
        "mark", ["[1]", "[1, 2]", "[doc-3]", "(Passage 2)", "(Smith et al., 2020)", "【3†source】"]
    )
    def test_citation_marks_are_left_out(self, mark: str) -> None:
        text = f"Sales rose by a third {mark}. Costs fell {mark} again."
        assert said(text) == ["Sales rose by a third", "Costs fell again"]
        assert text[: claims(text)[0].end] == "Sales rose by a third"

    def test_a_mark_after_the_stop_belongs_to_no_sentence(self) -> None:
        assert said("It rained in May.[1] It snowed in June. [2]") == [
            "It rained in May",
            "It snowed in June",
        ]

    def test_figures_in_brackets_are_no_marks(self) -> None:
        assert said("The 95% CI [12, 15] was wide.") == ["The 95% CI [12, 15] was wide"]

    def test_framing_is_left_out(self) -> None:
        text = "However, according to the passage, the firm grew."
        assert said(text) == ["the firm grew"]
        assert said("According to Smith, it grew.") == ["According to Smith, it grew"]

    def test_a_stop_in_a_quotation_does_not_cut_it(self) -> None:
        assert said('He said, "I came. I saw." at the gate.') == [
            'He said, "I came. I saw." at the gate'
        ]

    def test_markup_is_left_out_and_entities_are_read(self) -> None:
        text = "The *new* [site](https://x.org/a) of R&amp;D doesn&rsquo;t work."
        assert said(text) == ["The new site of R&D doesn’t work"]

    @each_row("text", ["", " ", "\n\n", "...", "😀", "---", "| | |"])
    def test_of_nothing_are_no_claims(self, text: str) -> None:
        assert claims(text) == []


class TestLocalClaims:
    def test_are_an_extractor(self) -> None:
        assert isinstance(LocalClaims(), ClaimExtractor)

    def test_take_many_texts(self) -> None:
        found = LocalClaims().extract(["Anna won.", "", "Bob lost."])
        assert [len(extraction.claims) for extraction in found] == [1, 0, 1]

    def test_give_the_same_in_many_threads(self) -> None:
        texts = [f"Anna won {n} prizes and left Rome. She sang." for n in range(40)]
        alone = LocalClaims().extract(texts)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda text: LocalClaims().extract([text])[0], texts))
        assert found == alone
