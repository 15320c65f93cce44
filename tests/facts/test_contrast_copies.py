"""What is replaced in a statement that is nearly a copy of its passage."""

import pytest

from citeguard.facts import Contrast, contrasts

# Statement, passage, and what stands for what: most names stand elsewhere in the passage, too.
EXCHANGED = [
    (
        "Newcastle United lost to Manchester City in the semi-final of the cup.",
        "Newcastle United lost to Manchester United in the semi-final of the cup. "
        "Leeds beat Manchester City.",
        ("City", "United"),
    ),
    (
        "Al Carey, Brooke Shields, Pastor Lucious Smith, Usher and Stevie Wonder.",
        "Al Sharpton, Brooke Shields, Pastor Lucious Smith, Usher and Stevie Wonder. "
        "Mariah Carey sang.",
        ("Carey", "Sharpton"),
    ),
    (
        "Shahnaz says that her chain will have nothing to do with Tesco.",
        "Shahnaz says that her chain will have nothing to do with Starbucks.",
        ("Tesco", "Starbucks"),
    ),
]

SAME = [
    ("The WHO published the report in May.",
     "The World Health Organization published the report in May."),
    ("The World Health Organization published the report in May.",
     "The WHO published the report in May."),
    ("Williams helped England win in Toyko last year.",
     "Williams helped England win in Tokyo last year."),
    ("Bill Clinton signed the law in the morning.",
     "William Clinton signed the law in the morning."),
    ("Enrollment at the largest for-profit college, the University of Phoenix, has fallen by half.",
     "Many for-profit colleges of the United States are closing. Enrollment at the University of "
     "Phoenix, the largest for-profit college, has fallen by half."),
]  # fmt: skip


# The same of words and numbers, which all stand elsewhere in the passage.
DISPLACED = [
    ("opposite", "The museum is closed from Tuesday to Sunday.",
     "The museum is open from Tuesday to Sunday, and last entry is an hour before closing.",
     ("closed", "open")),
    ("exclusive", "In September the judge barred the state from enforcing the act.",
     "In November the judge barred the state from enforcing the act. It was passed in September.",
     ("September", "November")),
    ("number", "The tank holds 24 litres and is emptied by hand.",
     "The tank holds 36 litres and is emptied by hand. It takes 24 litres a day from the air.",
     ("24", "36")),
]  # fmt: skip


def of_names(statement: str, passage: str) -> list[Contrast]:
    return [found for found in contrasts(statement, passage) if found.kind == "name"]


class TestExchangedNames:
    @pytest.mark.parametrize(("statement", "passage", "words"), EXCHANGED)
    def test_in_a_copy_a_name_elsewhere_is_no_excuse(
        self, statement: str, passage: str, words: tuple[str, str]
    ) -> None:
        assert words in [(found.stated, found.found) for found in of_names(statement, passage)]

    @pytest.mark.parametrize(("statement", "passage"), SAME)
    def test_forms_of_a_name_are_the_same(self, statement: str, passage: str) -> None:
        assert of_names(statement, passage) == []

    def test_beyond_the_ends_of_the_passage_there_is_nothing(self) -> None:
        statement = "Yesterday the mayor opened the new bridge over the river in Leeds"
        found = of_names(statement, "the mayor opened the new bridge over the river")
        assert [(each.stated, each.found) for each in found] == [("Leeds", "")]


class TestDisplaced:
    @pytest.mark.parametrize(("kind", "statement", "passage", "words"), DISPLACED)
    def test_in_a_copy_what_stands_elsewhere_is_no_excuse(
        self, kind: str, statement: str, passage: str, words: tuple[str, str]
    ) -> None:
        found = [(each.kind, each.stated, each.found) for each in contrasts(statement, passage)]
        assert (kind, *words) in found
