"""Every kind of wrong text: how it is made, and when it is not."""

from __future__ import annotations

import pytest

from citeguard import locate
from citeguard.datasets import Negative, negatives
from citeguard.datasets.synthesis.negative import Kind

BACKGROUND = (
    "The committee met in the old town hall, because the roof of the new one was being repaired. "
    "The members of the board were pleased with the report, and they thanked the staff."
)


def made(text: str, kind: Kind, *, more: str = BACKGROUND, seed: int = 0) -> Negative | None:
    """Make a text of a source wrong in one way."""
    found = negatives(text, {"own": f"{text} {more}"}, source_id="own", kinds=[kind], seed=seed)
    return found[0] if found else None


def texts(text: str, kind: Kind, *, more: str = BACKGROUND, seeds: int = 12) -> set[str]:
    """Return what comes of a text with several seeds."""
    found = (made(text, kind, more=more, seed=seed) for seed in range(seeds))
    return {each.text for each in found if each is not None}


class TestNegation:
    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("The drug is safe for children.", "The drug is not safe for children."),
            ("She won the prize in the end.", "She did not win the prize in the end."),
            ("He did not win the prize.", "He won the prize."),
            ("It does not carry the virus.", "It carries the virus."),
            ("They don't know the answer.", "They know the answer."),
            ("The plant can survive the winter.", "The plant cannot survive the winter."),
            ("The road is no longer open.", "The road is still open."),
            ("The road is still open to cars.", "The road is no longer open to cars."),
            ("It wasn’t repaired last year.", "It was repaired last year."),
            ("Guests do not use the lift.", "Guests use the lift."),
            ("He entered without a badge.", "He entered with a badge."),
            ("The city has a harbour.", "The city does not have a harbour."),
            ("The bridge is also a road.", "The bridge is not a road."),
        ],
    )
    def test_is_put_in_or_taken_away(self, text: str, wrong: str) -> None:
        assert texts(text, "negation") == {wrong}

    @pytest.mark.parametrize(
        "text",
        [
            "Some of the rooms are heated in winter.",
            "It may rain on the day of the match.",
            "All doors are locked at night.",
            "Is the road open to cars?",
            "It is unclear why the man was not held.",
            "He is not only a painter but also a poet.",
            "If the road is closed, take the other one.",
            "Costs include but are not limited to rent.",
        ],
    )
    def test_is_left_alone_where_the_other_may_be_true(self, text: str) -> None:
        assert texts(text, "negation") == set()

    @pytest.mark.parametrize(
        "text",
        [
            "The garage does not get too cold in the winter.",
            "Make sure that the garage does not freeze in winter.",
            "She was a clerk and was not paid for it.",
            "Washington was rocked by shootings -- one of them at the gates.",
            "It was announced that the road is closed.",
            "The drink is sweet and will help you.",
            "The price is unchanged this year.",
            "Guests must wear a badge.",
            "Here are some of the rules of the house.",
            "It stands in the same place as the other will be.",
        ],
    )
    def test_is_left_alone_where_the_other_would_be_odd(self, text: str) -> None:
        assert texts(text, "negation") == set()


class TestNumber:
    @pytest.mark.parametrize(
        "text",
        [
            "The bridge has 48 arches in all.",
            "The bridge has seven arches in all.",
            "The bridge is the second to be built here.",
            "The sum was $1,234 in the first place.",
        ],
    )
    def test_is_another_in_the_same_form(self, text: str) -> None:
        for wrong in texts(text, "number"):
            assert wrong != text
            assert len(wrong.split()) == len(text.split())
            assert wrong.count(",") == text.count(",")

    def test_goes_up_after_at_least(self) -> None:
        numbers = {
            int(text.split()[5]) for text in texts("The bridge has at least 48 arches.", "number")
        }
        assert numbers
        assert min(numbers) > 48

    def test_keeps_a_share_below_a_hundred(self) -> None:
        found = texts("Some 80% of the arches were lost.", "number", seeds=40)
        assert all(int(text.split()[1].rstrip("%")) <= 100 for text in found)

    def test_is_none_that_the_sources_have(self) -> None:
        more = "Others have two, three, four, five, six, eight, nine, ten, eleven or twelve."
        assert texts("The bridge has seven arches in all.", "number", more=more) == set()

    @pytest.mark.parametrize(
        "text",
        [
            "The F-16 was flown in the show.",
            "It is the rule of Section 12 of the code.",
            "It was opened in 1998 to the public.",
            "He was born on the 4 May in the town.",
            "It takes two-thirds of the votes.",
            "The lake is 403 m (1,322 ft) deep.",
            "One of the arches was lost.",
        ],
    )
    def test_leaves_labels_parts_and_dates_alone(self, text: str) -> None:
        assert texts(text, "number") == set()

    @pytest.mark.parametrize(
        "text",
        [
            "They won their first seats in the house.",
            "They saw the first large films of it.",
            "There are three parts: the lid, the box and the key.",
            "It takes a majority of 10 - 2 to win.",
            "It lasted a month or two in all.",
            "The song is by the 5th Ward Weebie of the town.",
        ],
    )
    def test_leaves_what_gives_it_away_alone(self, text: str) -> None:
        assert texts(text, "number") == set()

    def test_of_thousands_of_digits_is_none(self) -> None:
        assert texts(f"The sum is {'9' * 5000} in all of it.", "number") == set()
        assert texts("It has 48 arches in all.", "number", more=f"{BACKGROUND} {'9' * 5000}.")


class TestUnit:
    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("The road is 12 kilometers long.", {"The road is 12 miles long."}),
            ("It cost $5 million.", {"It cost €5 million."}),
            ("The town has 5 billion trees.", {"The town has 5 million trees."}),
            ("It weighs six kg in all.", {"It weighs six lb in all."}),
            ("It took 6 months of work.", {"It took 6 weeks of work.", "It took 6 years of work."}),
            ("A six-foot wall was.", {"A six-meter wall was."}),
        ],
    )  # fmt: skip
    def test_is_another_of_the_same_dimension(self, text: str, wrong: set[str]) -> None:
        assert texts(text, "unit") == wrong

    @pytest.mark.parametrize(
        "text",
        [
            "The road is 12 km (7.5 miles) long.",
            "They work 8 hours a day, and the office is open for 5 hours a day.",
            "The town has 5 million inhabitants.",
            "It was built in the 19th century.",
            "The Seven Years' War was long.",
            "Rain fell over many years.",
        ],
    )
    def test_is_believable(self, text: str) -> None:
        for wrong in texts(text, "unit"):
            assert "days a day" not in wrong
            assert "million" not in text
            assert "(" not in wrong
            assert "decade" not in wrong or "many" in wrong

    @pytest.mark.parametrize(
        "text",
        [
            "It cost from $90 million to $100 million in all.",
            "It was sunk 73 years before that.",
            "It has 8 tiles (200 mm) in a row.",
            "It took six years, from 1754 to 1760, to win.",
            "They vote every five years in the town.",
            "Let the steak rest for 10 minutes.",
            "Sear the steak for 7 hours a side.",
        ],
    )
    def test_is_left_alone_where_the_other_is_not_believed(self, text: str) -> None:
        for wrong in texts(text, "unit"):
            assert wrong.count("$") < text.count("$")


class TestDate:
    def test_is_valid(self) -> None:
        for wrong in texts("It was opened on 30 January by the mayor.", "date", seeds=40):
            assert "February" not in wrong

    def test_keeps_the_order_of_years(self) -> None:
        for wrong in texts("It was used from 1990 to 1993 by the town.", "date", seeds=40):
            first, last = wrong.split()[4], wrong.split()[6]
            assert first < last

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("It was opened on Monday by the mayor.", "day"),
            ("It was built in the 1920s by the town.", "0s"),
            ("It was built in the 12th century.", "century"),
            ("It was built in the twelfth century.", "century"),
            ("It was opened in May 1998 by the mayor.", " "),
        ],
    )
    def test_is_another_of_its_kind(self, text: str, words: str) -> None:
        found = texts(text, "date")
        assert found
        assert text not in found
        assert all(words in wrong for wrong in found)

    @pytest.mark.parametrize("text", ["It may rain today.", "They march on in the rain."])
    def test_is_no_other_word(self, text: str) -> None:
        assert texts(text, "date") == set()

    @pytest.mark.parametrize(
        "text",
        [
            "The ashes are of Palm Sunday in the church.",
            "It is on weekdays and on Sunday mornings.",
            "It was used between May and June of the year.",
            "It was built in 1961, and closed in 1961.",
        ],
    )
    def test_is_left_alone_where_the_other_is_odd(self, text: str) -> None:
        assert texts(text, "date") == set()

    def test_is_a_near_one_beside_another(self) -> None:
        for wrong in texts("In 2013 it was moved to 2015 by the mayor.", "date", seeds=40):
            assert abs(int(wrong.split()[1]) - int(wrong.split()[6])) <= 6


class TestEntity:
    def test_is_another_person_of_the_document(self) -> None:
        more = "The bridge was opened by Thomas Miller. It was praised in Rome and in Paris."
        text = "The plan was drawn by Robert Stone in a year."
        assert texts(text, "entity", more=more) == {
            "The plan was drawn by Thomas Miller in a year."
        }

    def test_suits_the_pronoun(self) -> None:
        more = "The bridge was opened by Mary Miller."
        assert texts("Robert Stone said that he was ill.", "entity", more=more) == set()

    def test_fits_the_article(self) -> None:
        more = "The Italian army left the town, and the Danish army came."
        found = texts("He was a German general for a year.", "entity", more=more)
        assert found == {
            "He was an Italian general for a year.",
            "He was a Danish general for a year.",
        }

    def test_is_of_the_same_type(self) -> None:
        more = "Many people of Germany prefer the teams of London, said Thomas Miller."
        assert texts("The match was moved to Paris.", "entity", more=more) == {
            "The match was moved to London."
        }

    def test_is_not_one_of_which_the_same_is_said(self) -> None:
        more = "The treaty was also signed by Thomas Miller in the palace."
        text = "The treaty was signed by Robert Stone in the palace."
        assert texts(text, "entity", more=more) == set()

    def test_is_no_part_of_a_longer_name(self) -> None:
        more = "The match was moved to London."
        assert texts("The Paris-based firm was sold.", "entity", more=more) == set()

    @pytest.mark.parametrize(
        ("text", "more"),
        [
            ("The man won an Oscar for the film.", "He met Gary there. Gary was ill."),
            ("It was said by President Robert Stone.", "The plan is by Thomas Miller."),
            ("The firm is Hart - Parr Company of the town.", "The other was Lime Company."),
            ("The province in Canada is large.", "It is in the United States."),
            ("It stands in Dubrovnik, Croatia, today.", "It was in Malta."),
            ("Russia is larger than the city of Paris.", "It was in Malta."),
            ("It is Russia's capital in the east.", "It was in Malta."),
            ("It was the University of Northumbria.", "It was the School of Medicine."),
        ],
    )
    def test_is_left_alone_where_the_other_is_odd(self, text: str, more: str) -> None:
        assert texts(text, "entity", more=more) == set()


class TestQuantifier:
    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("Many doctors agree with the rule.", {"Few doctors agree with the rule."}),
            ("It is often used in the north.", {"It is rarely used in the north."}),
            ("It has at least 3 keys.", {"It has at most 3 keys.", "It has no more than 3 keys."}),
            ("It is the largest lake of the region.", {"It is the smallest lake of the region."}),
            ("All members were present.", {"Few members were present."}),
            ("Some members were late.", {"All members were late.", "Most members were late."}),
            ("It is more efficient than the other.", {"It is less efficient than the other."}),
        ],
    )  # fmt: skip
    def test_does_not_follow(self, text: str, wrong: set[str]) -> None:
        assert texts(text, "quantifier") == wrong

    @pytest.mark.parametrize(
        "text",
        ["Not all members were present.", "He never gave up.", "He is no more than a clerk."],
    )
    def test_leaves_what_is_denied_alone(self, text: str) -> None:
        assert texts(text, "quantifier") == set()

    @pytest.mark.parametrize(
        "text",
        [
            "Only a few scenes were shot here.",
            "All banks of the town also closed.",
            "He helped with some of the plans.",
            "They did find several new strains.",
            "It is the highest and most famous award.",
            "It is often not the case here.",
            "Some rooms are small, and most are large, but all are new.",
            "It is rarely used, because it is slow.",
            "He was ill after the derailment.",
            "The land was some miles to the west.",
            "It is at least partly new.",
        ],
    )
    def test_is_left_alone_where_the_other_would_be_odd(self, text: str) -> None:
        assert texts(text, "quantifier") == set()


class TestRoleSwap:
    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("Robert Stone defeated Thomas Miller.", "Thomas Miller defeated Robert Stone."),
            ("The board appointed the new director.", "The new director appointed the board."),
            ("He had 24 points and 13 rebounds.", "He had 13 points and 24 rebounds."),
            ("Germany is larger than France.", "France is larger than Germany."),
            ("It is by Hay (1925) and Lime (1931).", "It is by Hay (1931) and Lime (1925)."),
        ],
    )  # fmt: skip
    def test_exchanges_two_of_a_kind(self, text: str, wrong: str) -> None:
        assert texts(text, "role_swap") == {wrong}

    @pytest.mark.parametrize(
        "text",
        [
            "Robert Stone met Thomas Miller in May.",
            "Robert Stone and Thomas Miller defeated the others.",
            "Of 24 points he had 13 points.",
            "He posted 24 tackles, including 13 sacks.",
        ],
    )
    def test_leaves_what_holds_both_ways_alone(self, text: str) -> None:
        assert texts(text, "role_swap") == set()

    @pytest.mark.parametrize(
        "text",
        [
            "There were 870 infections, with 457 deaths in all.",
            "The first was Hay (1925), and the last was Lime (1931).",
        ],
    )
    def test_keeps_parts_and_order(self, text: str) -> None:
        assert texts(text, "role_swap") == set()


class TestStitched:
    def test_is_of_words_of_the_source(self) -> None:
        found = made("The bridge was closed in the spring.", "stitched")
        assert found is not None
        assert found.text.startswith("The bridge was closed in the spring.")
        assert found.text not in f"{found.original} {BACKGROUND}"

    def test_goes_on_as_another_sentence_does(self) -> None:
        text = "The bridge was closed in the spring, because the river was too high for it."
        assert any("because the roof of the new one" in each for each in texts(text, "stitched"))

    def test_is_no_elided_quote(self) -> None:
        assert made("The bridge was closed ... and nobody knew of it.", "stitched") is None

    def test_is_balanced(self) -> None:
        more = (
            "“The bridge was open, he said to the men who had come. It was late, and it was dark."
        )
        for wrong in texts("The bridge was closed in the spring.", "stitched", more=more):
            assert "“" not in wrong

    def test_is_not_in_order_where_the_source_repeats_itself(self) -> None:
        text = "The bridge was closed in the spring by the mayor of the town."
        other = "The mayor was asked to open it again in the autumn of that year."
        source = f"{other} {text} {other}"
        for seed in range(12):
            for made in negatives(text, source, source_id="1", kinds=["stitched"], seed=seed):
                found = locate(made.text, source, "1")
                assert found is None or not found.accepted


class TestClipped:
    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("The rule does not apply to guests.", "The rule … apply to guests."),
            ("The town paid a sum of 25 million euros.", "The town paid a sum of 25"),
            (
                "It is 1,250 meters that it was above the sea.",
                "250 meters that it was above the sea.",
            ),
            ("It is false that the drug is safe for all.", "the drug is safe for all."),
            ("Guests may use the pool unless it is closed.", "Guests may use the pool"),
            ("The man had allegedly taken the car.", "The man had … taken the car."),
        ],
    )
    def test_misleads(self, text: str, wrong: str) -> None:
        assert texts(text, "clipped") == {wrong}

    def test_is_not_any_shorter_quote(self) -> None:
        assert made("The bridge was closed in the spring by the mayor.", "clipped") is None

    @pytest.mark.parametrize(
        "text",
        [
            "With an area of 13.1 million square miles.",
            "It was priced at $499 and $599.",
            "It was sold for a sum (out of $400 million) in the end.",
            "It warmed from 22,000 years ago when it was cold.",
            "It is also called for if the filling is wet.",
            "He says what would have happened if it had been heard.",
            "It is the rule of a royal decree provided that it was signed.",
            "It does not depend on the sum, but on the price.",
            "They are different, if not opposing goals of it.",
        ],
    )
    def test_leaves_no_torso(self, text: str) -> None:
        assert texts(text, "clipped") == set()


class TestMisattributed:
    def test_names_a_source_that_does_not_have_it(self) -> None:
        quote = "The bridge was closed."
        given = {"a": f"{quote} {BACKGROUND}", "b": f"So: “{quote}”", "c": BACKGROUND}
        (found,) = negatives(quote, given, source_id="a", kinds=["misattributed"])
        assert (found.text, found.source_id, found.original_source_id) == (quote, "c", "a")
        assert found.changes == ()

    def test_needs_a_second_source(self) -> None:
        assert made("The bridge was closed.", "misattributed") is None


class TestFabricated:
    def test_changes_several_facts_of_another_sentence(self) -> None:
        more = "In 1998 the bridge had seven arches and 12 lamps, which were made of the best iron."
        found = made("The bridge was closed in the spring.", "fabricated", more=more)
        assert found is not None
        assert "which were made of the best iron" in found.text
        assert len({"1998", "seven", "12"} & set(found.text.split())) < 2

    def test_is_not_made_of_nothing(self) -> None:
        assert made("The bridge was closed in the spring.", "fabricated", more="") is None
