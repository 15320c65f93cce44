from __future__ import annotations

import pytest
from inline_snapshot import snapshot

import citeguard


class TestFacade:
    def test_names(self) -> None:
        assert citeguard.__all__ == snapshot(
            [
                "Answer",
                "Citation",
                "CiteguardError",
                "Edit",
                "ExactQuote",
                "FuzzyQuote",
                "Grade",
                "InvalidSourcesError",
                "Match",
                "MissingSourcesError",
                "Policy",
                "Source",
                "Sources",
                "Span",
                "Statement",
                "UnknownSourceError",
                "locate",
                "use_sources",
            ]
        )

    def test_is_sorted_and_complete(self) -> None:
        assert list(citeguard.__all__) == sorted(citeguard.__all__)
        assert all(hasattr(citeguard, name) for name in citeguard.__all__)
        assert set(citeguard.__all__) <= set(dir(citeguard))

    def test_has_no_other_names(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'Guard'"):
            citeguard.Guard  # noqa: B018

    @pytest.mark.parametrize(
        "name", [n for n in citeguard.__all__ if n != "Grade"], ids=lambda name: name
    )
    def test_is_documented(self, name: str) -> None:
        assert getattr(citeguard, name).__doc__

    def test_errors_are_no_value_errors(self) -> None:
        errors = [
            value
            for name in citeguard.__all__
            if isinstance(value := getattr(citeguard, name), type)
            and issubclass(value, BaseException)
        ]
        assert len(errors) == 4
        assert all(issubclass(error, citeguard.CiteguardError) for error in errors)
        assert not any(issubclass(error, ValueError) for error in errors)
