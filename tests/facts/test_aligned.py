"""What alignment proves of a statement and a sentence, and what it leaves to reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.facts.aligned import (
    denies,
    differences,
    figure_without_source,
    in_the_same_form,
    may_follow,
    quoted,
)

SENTENCE = (
    "The harbour office in Selby closed 12 berths on 3 May 2019 because of a 5 mg/l oil spill."
)
DIFFERENT = {
    "a number": ("closed 12 berths", "closed 14 berths", "number"),
    "a number in words": ("closed 12 berths", "closed twenty berths", "number"),
    "a unit": ("5 mg/l", "5 kg", "number"),
    "a date": ("3 May 2019", "4 May 2019", "number"),
    "a negator": ("closed 12", "never closed 12", "negation"),
    "a name": ("Selby", "Whitby", "name"),
}


class TestDifferences:
    @pytest.mark.parametrize(("old", "new", "kind"), DIFFERENT.values(), ids=DIFFERENT)
    def test_another_fact_in_the_same_words(self, old: str, new: str, kind: str) -> None:
        statement = SENTENCE.replace(old, new)
        (found,) = differences(statement, SENTENCE)
        assert found.kind == kind
        assert statement[found.start : found.end] == found.stated != found.found
        assert SENTENCE[found.text_start : found.text_end] == found.found

    @pytest.mark.parametrize(
        ("statement", "text"),
        [
            ("It sold half of its 1,200 goats.", "It sold 50 % of its 1200 goats."),
            ("It lasted two hours.", "It lasted 120 minutes."),
            ("Over 500 people came.", "Some 512 people came."),
            ("About 4.9 million came.", "About 4,912,000 came."),
            ("It opened in May 2019.", "It opened on 3 May 2019."),
            ("Noël Coward wrote it.", "Noel Coward wrote it."),
            ("Smith of the WHO left.", "Smith of the World Health Organization left."),
            ("The office never closed.", "The office did not close."),
            ("Not only Ann left.", "Ann left."),
            ("The rate was 1e-5 an hour.", "The rate was 0.00001 an hour."),
            ("The rate was 3 x 10^5 an hour.", "The rate was 300,000 an hour."),
            ("The gap is 5 MeV wide.", "The gap is 5000 keV wide."),
            ("The dose was 5 MG daily.", "The dose was 5 mg daily."),
            ("The margin was (5)% last year.", "The margin was -5% last year."),
            ("Profit was ▲5 million yen.", "Profit was -5 million yen."),
            ("Profit fell by 5% in May.", "Profit was -5% in May."),
            ("In the group (5) 5 million left.", "In the group (5) five million left."),
        ],
    )
    def test_the_same_fact_otherwise_written_is_none(self, statement: str, text: str) -> None:
        assert differences(statement, text) == ()

    def test_of_a_sentence_about_something_else_are_none(self) -> None:
        assert differences("The tower is 12 metres high.", "He paid 14 euros for a ticket.") == ()

    @pytest.mark.parametrize("sign", ["-5 °C", "−5 °C"])
    def test_a_sign_is_one_where_the_scale_goes_below_zero(self, sign: str) -> None:
        (found,) = differences(f"It was {sign} at noon.", "It was 5 °C at noon.")
        assert (found.stated, found.found) == (sign, "5 °C")

    @pytest.mark.parametrize(
        ("stated", "found"),
        [
            ("1e-5", "1e5"),
            ("3 × 10⁵", "3 × 10⁻⁵"),
            ("3 x 10^5", "3 x 10^-5"),
            ("5 meV", "5 MeV"),
            ("5 mW", "5 MW"),
            ("5 Mb", "5 MB"),
            ("5 kb", "5 kB"),
            ("5 mm", "5 Mm"),
            ("5 m2", "5 m3"),
            ("▲5 million yen", "5 million yen"),
            ("-5%", "5%"),
            ("5)%", "5%"),
            ("$(509) million", "$509 million"),
        ],
    )
    def test_exponent_case_and_sign_are_a_part_of_a_number(self, stated: str, found: str) -> None:
        bracket = "(" if stated[:2] == "5)" else ""
        (each,) = differences(
            f"The mean of it was {bracket}{stated} then.", f"The mean of it was {found} then."
        )
        assert (each.kind, each.stated, each.found) == ("number", stated, found)

    @pytest.mark.parametrize(
        ("stated", "found"),
        [
            ("p < 0.05 in the trial", "p > 0.05 in the trial"),
            ("p<.05 in the trial", "p≥.05 in the trial"),
            ("M≠0 holds here", "M=0 holds here"),
            ("M=\u03380 holds here", "M=0 holds here"),
            ("M!=0 holds here", "M=0 holds here"),
            ("|x|<1 in the trial", "|x|>1 in the trial"),
            ("The change was ±5 units", "The change was 5 units"),
            ("Mortality ↑ by half", "Mortality ↓ by half"),
            ("✓ Safe for use", "✗ Safe for use"),
            ("Safe for use", "It rained. ☐ Safe for use"),
            ("A ∉ B in this case", "A ∈ B in this case"),
            ("it grew +5 points", "it grew -5 points"),
            ("It was -5 °C", "It rained. It was 5 °C. It rained."),
        ],
    )
    def test_symbols_are_facts(self, stated: str, found: str) -> None:
        for one, other in ((stated, found), (found, stated)):
            if len(one) <= len(other):
                assert [each.kind for each in differences(one, other)] == ["number"]

    @pytest.mark.parametrize(
        ("stated", "found"),
        [
            ("Safe for use", "It rained. ☑ Safe for use"),
            ("It grew 5 points", "→ It grew +5 points"),
            ("p is below 0.05 in the trial", "p < 0.05 in the trial"),
            ("Acme makes it", "Acme® makes it"),
            ("M!=0 and a<=b", "M≠0 and a≤b"),
            ("Fares bring in £312,000", "Fares bring in 312,000 pounds"),
            ("It covers 1.9 million square kilometres", "It covers 1,900,000 km2"),
            ("It covers 190 ha", "It covers 1.9 km²"),
        ],
    )
    def test_ornaments_and_words_for_symbols_are_none(self, stated: str, found: str) -> None:
        assert differences(stated, found) == ()

    @given(text=st.lists(st.sampled_from([*SENTENCE.split(), "not", "never", "14"])).map(" ".join))
    def test_of_a_text_and_itself_are_none(self, text: str) -> None:
        assert differences(text, text) == ()

    @given(one=st.text(max_size=60), other=st.text(max_size=60))
    def test_slice_back(self, one: str, other: str) -> None:
        for each in differences(one, other):
            assert one[each.start : each.end] == each.stated
            assert other[each.text_start : each.text_end] == each.found


def test_the_bound_of_a_number_is_shown() -> None:
    (found,) = differences("Fewer than 50 people came.", "More than 50 people came.")
    assert found.reason == "it says 'Fewer than 50' where the source says 'More than 50'"


class TestQuoted:
    def test_is_where_a_text_has_the_same_words(self) -> None:
        text = f"It rained. {SENTENCE}"
        found = quoted(SENTENCE.replace(" ", "  "), ["Nothing.", text])
        assert found == (1, 11, len(text), "whole")

    def test_the_wholest_place_counts(self) -> None:
        texts = [
            "It is false that the shop opened.",
            "It was closed when the shop opened in May.",
            "In May, the shop opened; nobody came.",
            "It rained. The shop opened!",
        ]
        kinds = [
            found.kind if (found := quoted("The shop opened.", [each])) else "" for each in texts
        ]
        assert kinds == ["framed", "cut", "part", "whole"]
        for last, kind in enumerate(kinds):
            found = quoted("The shop opened.", texts[: last + 1])
            assert found is not None
            assert (found.text, found.kind) == (last, kind)
            assert texts[last][found.start : found.end].rstrip("!").lower() == "the shop opened"

    @pytest.mark.parametrize(
        "text",
        [
            "It is false that the shop opened.",
            "The shop opened not.",
            "✗ The shop opened.",
            "~~The shop opened.~~",
            "<!-- The shop opened. -->",
            "Anna says the shop opened.",
            "The shop opened if it rained.",
        ],
    )
    def test_is_framed_where_the_sentence_turns_it(self, text: str) -> None:
        found = quoted("The shop opened.", [text])
        assert found is None or found.kind == "framed"

    def test_a_question_is_quoted_nowhere(self) -> None:
        assert quoted("The shop opened?", ["The shop opened."]) is None

    @pytest.mark.parametrize(
        ("statement", "denied"),
        [("No patient died.", True), ("It isn't open.", True), ("None came.", True), ("A", False)],
    )
    def test_denies(self, statement: str, denied: bool) -> None:
        assert denies(statement) == denied


@pytest.mark.parametrize("bound", ["Fewer than", "Up to", "At most", "Less than"])
def test_an_upper_bound_differs_from_what_is_above_it(bound: str) -> None:
    (found,) = differences(f"{bound} 100 people came.", "312 people came.")
    assert found.found == "312"
    assert differences(f"{bound} 400 people came.", "312 people came.") == ()


@pytest.mark.parametrize("number", ["30,000 kg", "30 tonnes"])
def test_two_bounds_are_one_only_if_their_numbers_are(number: str) -> None:
    text = f"Lorries over {number} are banned."
    (found,) = differences("Lorries over 20 tonnes are banned.", text)
    assert (found.stated, found.found) == ("20 tonnes", number)
    assert differences("Lorries above 30 tonnes are banned.", text) == ()


@pytest.mark.parametrize(
    ("statement", "text", "as_written"),
    [
        ("It has 12,000 inhabitants.", "It had 12000.", "It has 12000 inhabitants."),
        ("About 50 came.", "50.4 % came, 52 in all.", "About 50 came."),  # rounded is not the same
        ("It weighs 2 kg.", "The mass is 2000 g.", "It weighs 2000 g."),
    ],
)
def test_the_same_number_is_written_as_in_the_text(
    statement: str, text: str, as_written: str
) -> None:
    assert in_the_same_form(statement, text) == as_written


@pytest.mark.parametrize(
    ("statement", "text", "figure"),
    [
        ("It sold 1.2 million litres.", "Sales: 1,200,000 l.", ""),
        ("Half of them left.", "50 % of them left.", ""),
        ("About a third of them left.", "Of 90, 31 left.", "a third"),
        ("Two of them left.", "Ann and Bob left.", ""),
        ("The deposit is up to 600 euros.", "The deposit is up to 500 euros.", "600 euros"),
        ("The deposit is up to 600 euros.", "The deposit is at most 600 euros.", ""),
        ("At least 20 came.", "At least 21 came.", "20"),
        ("The tank holds more than 6 litres.", "It holds 6.5 litres.", ""),
        ("Lorries above 20 tonnes pay.", "Lorries over 30 tonnes pay.", "20 tonnes"),
        ("Lorries above 20 tonnes pay.", "The 30 lorries pay.", "20 tonnes"),
        ("Lorries above 30 tonnes pay.", "Lorries over 30,000 kg pay.", ""),
        ("It was minus 22 °F.", "It was −22 °C.", "minus 22 °F"),
        ("It opened in 1999.", "It opened on 3 May 1999.", ""),
        ("It rose by 17 percentage points.", "From 20 % to 37 %.", "17 percentage points"),
        ("See Form 1040.", "Form 1040 is due.", ""),
    ],
)
def test_figures_that_no_text_has(statement: str, text: str, figure: str) -> None:
    assert figure_without_source(statement, [text]) == figure


@pytest.mark.parametrize(
    ("statement", "text", "follows"),
    [
        ("It has 11 men and women.", "It has 5 men and 6 women.", True),
        ("Together they move 1,000 litres.", "Four pumps move 250 litres each.", True),
        ("It lasted 12 years.", "It began in 1990 and ended in 2002.", True),
        ("A third of them left.", "Of 90, 30 left.", True),
        ("The notice period is two months.", "The notice period is one month.", False),
        ("It weighs 11 kg.", "It has 5 men and 6 women.", False),
        ("It has 12 men and women.", "It has 5 men and 6 women.", False),
        ("It takes 90 minutes.", "It takes 1 hour there and 30 minutes back.", True),
        ("Park for three hours.", "Park for two hours. Notice is one month.", False),
    ],
)
def test_a_number_that_may_follow_from_others(statement: str, text: str, follows: bool) -> None:
    assert may_follow(statement, text) is follows
