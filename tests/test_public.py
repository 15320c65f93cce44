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

    def test_are_few(self) -> None:
        assert len(citeguard.__all__) <= 60

    def test_is_sorted_and_complete(self) -> None:
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

    def test_errors_are_no_value_errors(self) -> None:
        errors = [
            value
            for name in citeguard.__all__
            if isinstance(value := getattr(citeguard, name), type)
            and issubclass(value, BaseException)
        ]
        assert len(errors) == 6
        assert not any(issubclass(error, ValueError | AssertionError) for error in errors)

    def test_only_a_judge_may_fail_without_the_set_up_being_wrong(self) -> None:
        values = [getattr(citeguard, name) for name in citeguard.__all__]
        errors = {v for v in values if isinstance(v, type) and issubclass(v, BaseException)}
        others = {error for error in errors if not issubclass(error, citeguard.CiteguardError)}
        assert others == {citeguard.JudgeFailedError}
