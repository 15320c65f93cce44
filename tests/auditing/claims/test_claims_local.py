"""What texts claim, found by rules."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from citeguard.auditing.claims.claim import Claim, ClaimExtractor
from citeguard.auditing.claims.local import LocalClaims


def claims(text: str) -> list[Claim]:
    (extraction,) = LocalClaims().extract([text])
    return list(extraction.claims)


def said(text: str) -> list[str]:
    return [claim.text for claim in claims(text)]


SPLIT = [
    pytest.param(
        "The firm makes cars; it employs 500 people.",
        ["The firm makes cars", "it employs 500 people"],
        id="a semicolon",
    ),
    pytest.param(
        "The sky was clear, but the road was wet.",
        ["The sky was clear", "the road was wet"],
        id="a comma and a link",
    ),
    pytest.param(
        "Tendons join muscles to bones, while ligaments join bones.",
        ["Tendons join muscles to bones", "ligaments join bones"],
        id="a contrast",
    ),
    pytest.param(
        "Although the firm lost money, it hired 200 people.",
        ["the firm lost money", "it hired 200 people"],
        id="a concession",
    ),
    pytest.param(
        "Anna left Rome and moved to Paris.",
        ["Anna left Rome", "Anna moved to Paris"],
        id="two verbs",
    ),
    pytest.param(
        "In 2019, Anna won the prize, moved to Paris and published two books.",
        [
            "In 2019, Anna won the prize",
            "In 2019, Anna moved to Paris",
            "In 2019, Anna published two books",
        ],
        id="three verbs, with what introduces them",
    ),
    pytest.param(
        "The suspect was arrested and charged with murder.",
        ["The suspect was arrested", "The suspect was charged with murder"],
        id="a shared auxiliary",
    ),
    pytest.param(
        "She was born in Warsaw and wrote ten books.",
        ["She was born in Warsaw", "She wrote ten books"],
        id="an active verb after a passive",
    ),
    pytest.param(
        "The bill will cut taxes and raise spending.",
        ["The bill will cut taxes", "The bill will raise spending"],
        id="a shared modal",
    ),
    pytest.param(
        "He has won three titles and released two albums.",
        ["He has won three titles", "He has released two albums"],
        id="a shared perfect",
    ),
    pytest.param(
        "The bridge, which opened in 1932, is 503 metres long.",
        ["The bridge opened in 1932", "The bridge is 503 metres long"],
        id="a relative clause within",
    ),
    pytest.param(
        "The pope met Robert Finn, who was convicted in 2012.",
        ["The pope met Robert Finn", "Robert Finn was convicted in 2012"],
        id="a relative clause at the end",
    ),
    pytest.param(
        "The report found that sales rose and that costs fell.",
        ["The report found that sales rose", "The report found that costs fell"],
        id="two things that are said",
    ),
    pytest.param(
        "She denied that the man came and the woman left.",
        ["She denied that the man came", "She denied that the woman left"],
        id="two things that are said after one 'that'",
    ),
    pytest.param(
        "The story suggests that the man killed her and took her sister home.",
        [
            "The story suggests that the man killed her",
            "The story suggests that the man took her sister home",
        ],
        id="a second verb of what is said, by its tense",
    ),
    pytest.param(
        "Linksys routers use one port, Belkin routers use two ports, and Asus routers use ten.",
        [
            "Linksys routers use one port",
            "Belkin routers use two ports",
            "Asus routers use ten",
        ],
        id="a list of clauses",
    ),
    pytest.param(
        "The book was left to Anna Lee, 26, who was his friend.",
        ["The book was left to Anna Lee, 26", "Anna Lee was his friend"],
        id="an age between",
    ),
    pytest.param(
        "Lee, a former teacher, founded a school and sold it in May.",
        ["Lee, a former teacher, founded a school", "Lee sold it in May"],
        id="an apposition",
    ),
    pytest.param(
        "The firm is increasing wages and implementing a plan.",
        ["The firm is increasing wages", "The firm is implementing a plan"],
        id="a shared progressive",
    ),
    pytest.param(
        "They drop a radio and start a search.",
        ["They drop a radio", "They start a search"],
        id="a verb that could be a noun",
    ),
    pytest.param(
        "If it rains, the match is cancelled and the fans get a refund.",
        ["If it rains, the match is cancelled", "If it rains, the fans get a refund"],
        id="a condition of both",
    ),
    pytest.param(
        "Add the rice, bring it to a boil and stir the pot.",
        ["Add the rice", "bring it to a boil", "stir the pot"],
        id="commands",
    ),
]
WHOLE = [
    pytest.param("Anna bought apples and pears.", id="objects"),
    pytest.param("Anna and her sister moved to Paris.", id="subjects"),
    pytest.param("Anna did not sing and dance.", id="under a negation"),
    pytest.param("The firm may not sell shares and buy bonds.", id="under a denied modal"),
    pytest.param("Either he sings or she dances.", id="a choice"),
    pytest.param("The bank said profits rose 5% and costs fell.", id="what is said"),
    pytest.param("She left because she was tired and wanted sleep.", id="a reason"),
    pytest.param("She moved to Paris after the war ended and her son was born.", id="a time"),
    pytest.param("She washed and dried the dishes.", id="a shared object"),
    pytest.param("No one came and left.", id="nobody"),
    pytest.param("The streets are full of rubble and abandoned vehicles.", id="a participle"),
    pytest.param("UTVs have a cage, while ATVs do not.", id="an ellipsis"),
    pytest.param(
        "An outbreak struck a town in California, which began in May.", id="unsure what is meant"
    ),
    pytest.param("They use salt to melt the ice and clear the way.", id="what it is for"),
    pytest.param('He said "I came and I saw" twice.', id="a quotation"),
    pytest.param("The firm (it was founded in 1990 and it is small) grew.", id="a bracket"),
    pytest.param("Steve Jobs, Steve Wozniak, and Ronald Wayne founded Apple.", id="names"),
]


class TestSplitting:
    @pytest.mark.parametrize(("text", "expected"), SPLIT)
    def test_makes_a_claim_of_each_part_that_stands_alone(
        self, text: str, expected: list[str]
    ) -> None:
        assert said(text) == expected

    @pytest.mark.parametrize("text", WHOLE)
    def test_leaves_whole(self, text: str) -> None:
        assert said(text) == [text.rstrip(".")]

    def test_gives_the_own_words_of_each_part(self) -> None:
        text = "In May, Anna left Rome and moved to Paris."
        own = [text[claim.start : claim.end] for claim in claims(text)]
        assert own == ["In May, Anna left Rome", "moved to Paris"]
        assert {claim.sentence for claim in claims(text)} == {(0, len(text))}


ASIDE = [
    pytest.param("I think Anna is nice.", "opinion", id="what I think"),
    pytest.param("But I would consider it odd.", "opinion", id="what I consider"),
    pytest.param("We find that the drug works.", None, id="what a paper finds"),
    pytest.param("Here is a brief summary of the text.", "greeting", id="what is to follow"),
    pytest.param("In my opinion, taxes are too high.", "opinion", id="in my opinion"),
    pytest.param("Hamburgers are the best!", "opinion", id="praise"),
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
    pytest.param("东京是日本的首都。", id="Chinese"),
    pytest.param("Москва — столица России.", id="Russian"),
    pytest.param("القاهرة عاصمة مصر.", id="Arabic"),
    pytest.param("서울은 한국의 수도이다.", id="Korean"),
    pytest.param("Der Hund bellt laut.", id="German"),
    pytest.param('"Next year will be better."', id="a quotation alone"),
    pytest.param("The outbreak has three causes:", id="an introduction that says something"),
]


class TestSettingAside:
    @pytest.mark.parametrize(("text", "reason"), ASIDE)
    def test_what_no_source_could_bear_out(self, text: str, reason: str) -> None:
        assert [claim.set_aside for claim in claims(text)] == [reason]

    @pytest.mark.parametrize("text", CHECKABLE)
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
    @pytest.mark.parametrize(("text", "kind"), KINDS)
    def test_tell_what_a_claim_is_about(self, text: str, kind: str) -> None:
        assert [claim.kind for claim in claims(text)] == [kind]


RESOLVED = [
    pytest.param(
        "Carlos Colina was arrested. He will appear in court.",
        "Carlos Colina will appear in court",
        id="a name",
    ),
    pytest.param(
        "Marie Curie met Pierre Curie's friend Paul. She won.", "She won", id="two namesakes"
    ),
    pytest.param("John met Mary. She left.", "Mary left", id="the one of her gender"),
    pytest.param("John met Peter. He left.", "He left", id="two men"),
    pytest.param(
        "Mr. Brown lives at 5 St. James St. in London. He left.", "Mr. Brown left", id="a title"
    ),
    pytest.param(
        "The mail is short. The tower is tall, but it leans.", "it leans", id="in its sentence"
    ),
    pytest.param("Anna met an officer. She left.", "She left", id="a person without a name"),
    pytest.param(
        "Arthritis is a joint disease. It is common.", "Arthritis is common", id="a thing"
    ),
    pytest.param("Apple sold a phone. It is black.", "It is black", id="two things"),
    pytest.param("Rain is water. It is clear that it falls.", "It is clear that it falls", id="it"),
    pytest.param(
        "Robert Finn resigned. His lawyer was there.",
        "Robert Finn's lawyer was there",
        id="a possessive",
    ),
]


class TestPronouns:
    @pytest.mark.parametrize(("text", "expected"), RESOLVED)
    def test_are_resolved_where_that_is_safe(self, text: str, expected: str) -> None:
        assert said(text)[-1] == expected

    def test_else_leave_the_sentence_before_as_context(self) -> None:
        claim = claims("John met Peter. He left.")[-1]
        assert claim.context == "John met Peter."

    def test_are_not_resolved_across_headings(self) -> None:
        assert said("Anna won.\n\n# Results\n\nShe left.")[-1] == "She left"


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

    @pytest.mark.parametrize(
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

    @pytest.mark.parametrize("text", ["", " ", "\n\n", "...", "😀", "---", "| | |"])
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
