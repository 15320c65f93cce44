from citeguard.judges.similarity import difference
from rows import each_row

PASSAGE = "There were around 487 million workers in India in 2012, and most are paid by the day."


class TestDifference:
    @each_row(
        ("statement", "expected"),
        [
            (PASSAGE.replace("2012", "2021"), ("2021", "2012")),
            ("Around 487 million workers were in Pakistan in 2012.", ("Pakistan", "India")),
        ],
    )
    def test_is_what_is_said_otherwise(self, statement: str, expected: tuple[str, str]) -> None:
        assert difference(statement, PASSAGE, [PASSAGE]) == expected

    @each_row(
        "statement",
        [
            PASSAGE.replace("There were", "There were not"),
            PASSAGE.replace("are paid", "are not paid"),
            "Most workers in India are never paid by the day.",
        ],
    )
    def test_is_a_negation(self, statement: str) -> None:
        found = difference(statement, PASSAGE, [PASSAGE])
        assert found is not None
        assert "not" in found.stated or "never" in found.stated

    @each_row(
        "statement",
        [
            PASSAGE,
            PASSAGE.upper(),
            PASSAGE.replace("487 million", "487  million").replace("are paid", "get paid"),
            "In 2012, India had some 487 million workers.",
            "Most workers are paid by the day.",
            "",
            "…",
            "雨",
        ],
    )
    def test_is_none_where_nothing_is_said_otherwise(self, statement: str) -> None:
        assert difference(statement, PASSAGE, [PASSAGE]) is None

    def test_is_none_in_a_name_of_other_evidence(self) -> None:
        statement, passage = "The archive in Leipzig opened in May.", "The archive opened in May."
        assert difference(statement, passage, [passage]) == ("Leipzig", "")
        assert difference(statement, passage, [passage, "LEIPZIG is a town."]) is None
