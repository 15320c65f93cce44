"""What comes of the tools' judgements."""

from inline_snapshot import snapshot

from citeguard.bench.scores import Case, CaseLabel, ToolScore, as_data, as_markdown, run
from citeguard.bench.tools import Check, Judgement, Tool

TEXT = "“Lunch is free.” Nobody says that cake is."


def case(label: CaseLabel, quote: str, *spans: tuple[int, int], kind: str = "made") -> Case:
    name = f"{label}-{quote[:1]}"
    return Case(
        id=name,
        language="en",
        genre="note",
        kind=kind,
        label=label,
        text=TEXT,
        quote=quote,
        spans=spans,
    )


CASES = [
    case("true", "Lunch is free", (1, 15)),
    case("true", "dinner", (1, 15)),
    case("part", "free", (10, 14)),
    case("clipped", "cake is", (34, 41)),
    case("changed", "Lunch is tea."),
    case("changed", "error"),
    case("grey", "Lunch"),
]
JUDGED = {
    "Lunch is free": Judgement(accepted=True, spans=((0, 16),)),
    "dinner": Judgement(accepted=False),
    "free": Judgement(accepted=True, spans=((9, 14),), framed=True),
    "cake is": Judgement(accepted=True, spans=((34, 41),)),
    "Lunch is tea.": Judgement(accepted=True),
}


def _load() -> Check:
    return lambda quote, text: JUDGED[quote]


TOOL = Tool(name="a tool", package=None, load=_load)


def score() -> ToolScore:
    return run(TOOL, CASES)


class TestRun:
    def test_counts_by_label(self) -> None:
        assert [str(each) for each in score().measures.values()] == snapshot(
            ["33.3 (1 of 3)", "50.0 (1 of 2)", "100.0 (1 of 1)", "100.0 (1 of 1)", "100.0 (2 of 2)"]
        )

    def test_takes_an_exception_for_a_rejection(self) -> None:
        found = score()
        assert found.failures == 1
        assert [each.failed for each in found.outcomes if each.case.quote == "error"] == [True]


class TestReports:
    def test_data_names_what_is_wrong(self) -> None:
        (tool,) = as_data([score()])["tools"]
        assert tool["wrong"] == ["true-d", "clipped-c", "changed-L"]
        assert tool["by_kind"]["changed: made"] == {"number": 1, "of": 2}

    def test_markdown_has_tables(self) -> None:
        lines = as_markdown([score()]).splitlines()
        assert lines[0].startswith("| tool | version | true quotes refused % |")
        assert lines[2].startswith("| a tool | – | 33.3 (1 of 3) | 50.0 (1 of 2) |")
        assert "| en | 6 | 50.0 |" in lines
        assert "| true: made | 2 | 1 |" in lines
