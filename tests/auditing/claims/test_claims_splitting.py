"""Which sentences are split into claims, and which stay whole."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.claims.local import LocalClaims
from rows import each_row


def claims(text: str) -> list[Claim]:
    (extraction,) = LocalClaims().extract([text])
    return list(extraction.claims)


def said(text: str) -> list[str]:
    return [claim.text for claim in claims(text)]


SPLIT = [
    pytest.param(
        "Acme was founded in 1984, employs 2,500 people, and acquired Beta Labs in 2019.",
        [
            "Acme was founded in 1984",
            "Acme employs 2,500 people",
            "Acme acquired Beta Labs in 2019",
        ],
        id="three verbs in three tenses",
    ),
    pytest.param(
        "Acme makes cars, sells trucks and rents vans.",
        ["Acme makes cars", "Acme sells trucks", "Acme rents vans"],
        id="three verbs, of which the last may be a noun",
    ),
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
        "He owed the bank money and fled.", ["He owed the bank money", "He fled"], id="short verbs"
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
        "He has won three titles and released two albums.",
        ["He has won three titles", "He has released two albums"],
        id="a shared perfect",
    ),
    pytest.param(
        "The firm is increasing wages and implementing a plan.",
        ["The firm is increasing wages", "The firm is implementing a plan"],
        id="a shared progressive",
    ),
    pytest.param(
        "Add the rice, bring it to a boil and stir the pot.",
        ["Add the rice", "bring it to a boil", "stir the pot"],
        id="commands",
    ),
    pytest.param(
        "Anna left and Bob came.",
        ["Anna left", "Bob came"],
        id="a name after a link",
    ),
    pytest.param(
        "In May, revenue rose 5% and profits fell 3%.",
        ["In May, revenue rose 5%", "In May, profits fell 3%"],
        id="a bare noun after a number",
    ),
    pytest.param(
        "Snow is cold and rain is wet.",
        ["Snow is cold", "rain is wet"],
        id="a bare noun before a copula",
    ),
    pytest.param(
        "The ship was built in 1920 and served as a ferry.",
        ["The ship was built in 1920", "The ship served as a ferry"],
        id="an active verb with a role",
    ),
    pytest.param(
        "The hunt started in May and the dog was found in June.",
        ["The hunt started in May", "the dog was found in June"],
        id="a verb that is no participle",
    ),
    pytest.param(
        "The main difference is that cats are calm, while dogs bark at night.",
        ["The main difference is that cats are calm", "dogs bark at night"],
        id="what is so",
    ),
    pytest.param(
        "One reason is that type A uses gas, while type B uses coal.",
        ["One reason is that type A uses gas", "type B uses coal"],
        id="a letter that is no article",
    ),
    pytest.param(
        "Sales rose; however, costs fell.",
        ["Sales rose", "costs fell"],
        id="a contrast after a semicolon",
    ),
]
WHOLE = [
    pytest.param("Acme makes cars, trucks and vans.", id="a list of things"),
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
    pytest.param("Anna knows Tom and Bob left Rome.", id="what is known"),
    pytest.param("Some say Anna left and Bob came.", id="what some say"),
    pytest.param("It helps men and women find jobs.", id="a bare verb"),
    pytest.param(
        "The soup contains milk and cheese made in France.", id="a participle after a noun"
    ),
    pytest.param(
        "Two men were killed and dozens injured in May.",
        id="a shared auxiliary with a subject of its own",
    ),
    pytest.param("The formula was kola nuts and coca leaves.", id="a noun that may be a verb"),
    pytest.param("He feels he and Wayne Rooney are old.", id="two subjects of what is felt"),
    pytest.param(
        "Women born to older mothers and twins were well.", id="two subjects, one with a participle"
    ),
    pytest.param(
        "It was a photo of the moment father and daughter were reunited.",
        id="two subjects without articles",
    ),
    pytest.param("Dyes such as Drimaren K and Cibacron F are known.", id="two examples"),
    pytest.param(
        "The shape and type of oven you use may vary.", id="two nouns before a clause of one"
    ),
    pytest.param("The soil is dry and rocks in it break.", id="a noun after a predicate"),
    pytest.param("Steve Jobs, Steve Wozniak, and Ronald Wayne founded Apple.", id="names"),
    pytest.param("Anna met Bob, who left Rome.", id="a relative clause"),
    pytest.param("If it rains, the match ends and the fans get a refund.", id="a condition"),
    pytest.param("She denied that the man came and the woman left.", id="what is denied"),
    pytest.param("Ann, Bob, and Eve founded it.", id="listed names"),
    pytest.param("Basic services such as gas and water systems are lacking.", id="examples"),
    pytest.param("It was a mix of cars and trucks in Rome.", id="a noun that may be a verb, later"),
]

# What sentences begin with, what is repeated in them, and how they end.
LONG = [
    pytest.param("He saw ", "cats and ", "dogs.", id="objects"),
    pytest.param("", "12 and ", "13 are odd.", id="numbers"),
    pytest.param("He came ", "and she left ", "early.", id="clauses"),
    pytest.param("Anna ran ", "and walked ", "home.", id="verbs"),
    pytest.param("", "Ann, and ", "Bob left.", id="commas"),
    pytest.param("He ", "just ", "left and died.", id="adverbs"),
    pytest.param("Add rice", ", ", "and stir the pot.", id="commands"),
]


def lines_run(text: str) -> int:
    """Return how many lines of Python are run to find the claims of a text."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        claims(text)
    finally:
        sys.settrace(before)
    return count


class TestSplitting:
    @each_row(("text", "expected"), SPLIT)
    def test_makes_a_claim_of_each_part_that_stands_alone(
        self, text: str, expected: list[str]
    ) -> None:
        assert said(text) == expected

    @each_row("text", WHOLE)
    def test_leaves_whole(self, text: str) -> None:
        assert said(text) == [text.rstrip(".")]

    @each_row(("start", "repeated", "end"), LONG)
    def test_of_twice_the_words_takes_twice_the_time(
        self, start: str, repeated: str, end: str
    ) -> None:
        claims(f"{start}{repeated}{end}")  # tables are read on first use
        once, twice = (lines_run(f"{start}{repeated * n}{end}") for n in (150, 300))
        assert twice < 2.3 * once

    def test_gives_the_own_words_of_each_part(self) -> None:
        text = "In May, Anna left Rome and moved to Paris."
        own = [text[claim.start : claim.end] for claim in claims(text)]
        assert own == ["In May, Anna left Rome", "moved to Paris"]
        assert {claim.sentence for claim in claims(text)} == {(0, len(text))}
