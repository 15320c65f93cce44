"""The cases of the benchmark of quotes."""

import json
from pathlib import Path

import pytest

from citeguard.bench.scores import LABELS, SHIPPED, read_cases
from citeguard.errors import CiteguardError

TEXT = "Notice is one month. Lunch is free."


def line(**changes: object) -> str:
    case = {"quote": "Lunch is free.", "label": "true", "kind": "verbatim", "spans": [[21, 35]]}
    row = {"id": "t1", "language": "en", "genre": "contract", "text": TEXT}
    return json.dumps({**row, "cases": [{**case, **changes}]})


class TestShippedCases:
    def test_are_many_in_many_languages(self) -> None:
        cases = read_cases()
        assert len(cases) >= 2_000
        assert len({case.language for case in cases}) >= 12
        assert {case.label for case in cases} == set(LABELS)
        assert len({case.id for case in cases}) == len(cases)

    def test_are_described_with_their_number(self) -> None:
        card = SHIPPED.with_name("quotes.md").read_text("utf-8")
        cases = read_cases()
        assert f"{len(cases):,} cases" in card
        assert f"{len({case.text for case in cases})} texts" in card
        assert f"{len({case.language for case in cases})} languages" in card


class TestReadCases:
    def test_reads_a_file_that_is_not_compressed(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.jsonl"
        file.write_text(line())
        (case,) = read_cases(file)
        assert (case.id, case.text[slice(*case.spans[0])]) == ("t1-1", case.quote)

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("{", "has no cases: "),
            ("[]", "has no cases: "),
            ('{"id": "t1"}', "lacks the field 'cases'"),
            (
                line(label="good"),
                "the label of case 1 is none of true, part, clipped, changed, grey",
            ),
            (line(spans=[[30, 99]]), "a span of case 1 is outside the text"),
            (line(spans=[3]), "has no cases: "),
        ],
    )
    def test_names_the_line_that_is_wrong(self, text: str, problem: str, tmp_path: Path) -> None:
        file = tmp_path / "mine.jsonl"
        file.write_text(f"{line()}\n{text}\n")
        with pytest.raises(CiteguardError, match=rf"line 2 of mine\.jsonl .*{problem}"):
            read_cases(file)
