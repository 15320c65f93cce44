from typing import Literal, get_origin

import pytest
from inline_snapshot import snapshot

import citeguard
from rows import each_row

# An alias of a type cannot bear a docstring.
ALIASES = {"Outcome"}


class TestFacade:
    def test_names(self) -> None:
        assert citeguard.__all__ == snapshot(
            [
                "Alignment",
                "AlignmentJudge",
                "AlignmentQuestion",
                "Answer",
                "Budget",
                "Citation",
                "CiteguardError",
                "Dropped",
                "Evidence",
                "ExactQuote",
                "FuzzyQuote",
                "InvalidSourcesError",
                "Judge",
                "JudgeFailedError",
                "JudgeSettings",
                "JudgedSupported",
                "LLMJudge",
                "Library",
                "Match",
                "MissingSourcesError",
                "Outcome",
                "Policy",
                "Prompt",
                "Quote",
                "ReaderJudge",
                "Reference",
                "Reply",
                "Report",
                "ShortAnswers",
                "Similarity",
                "Source",
                "Sources",
                "Span",
                "Statement",
                "StatementError",
                "SupportQuestion",
                "SupportedBySource",
                "UndecidedError",
                "UnknownSourceError",
                "Usage",
                "Verdict",
                "Vote",
                "aaudit",
                "afact_check",
                "audit",
                "averify",
                "fact_check",
                "guard",
                "locate",
                "track_usage",
                "use_sources",
                "verify",
            ]
        )

    def test_are_few_sorted_and_complete(self) -> None:
        assert len(citeguard.__all__) <= 60
        assert list(citeguard.__all__) == sorted(citeguard.__all__)
        assert all(hasattr(citeguard, name) for name in citeguard.__all__)
        assert set(citeguard.__all__) <= set(dir(citeguard))

    def test_has_no_other_names(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'Guard'"):
            citeguard.Guard  # noqa: B018

    @each_row("name", [n for n in citeguard.__all__ if n not in ALIASES], ids=lambda name: name)
    def test_is_documented(self, name: str) -> None:
        assert getattr(citeguard, name).__doc__

    @each_row("name", sorted(ALIASES))
    def test_has_aliases_that_are_closed_choices(self, name: str) -> None:
        assert get_origin(getattr(citeguard, name)) is Literal

    def test_errors_are_nothing_that_pydantic_catches(self) -> None:
        """But set-up errors, all of one family, a judge that fails is the only error."""
        values = [getattr(citeguard, name) for name in citeguard.__all__]
        errors = [v for v in values if isinstance(v, type) and issubclass(v, BaseException)]
        assert len(errors) == 6
        assert not any(issubclass(each, ValueError | AssertionError) for each in errors)
        assert not any(issubclass(each, LookupError | TypeError) for each in errors)
        set_up = [each for each in errors if issubclass(each, citeguard.CiteguardError)]
        assert {*errors} - {*set_up} == {citeguard.JudgeFailedError}
        assert all(issubclass(each, RuntimeError) for each in set_up)
