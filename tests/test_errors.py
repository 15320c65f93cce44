"""Set-up errors are no value errors: Pydantic must not swallow them."""

from __future__ import annotations

import pytest

from citeguard import (
    CiteguardError,
    InvalidSourcesError,
    JudgeFailedError,
    MissingSourcesError,
    UndecidedError,
    UnknownSourceError,
)

ERRORS = [
    CiteguardError,
    InvalidSourcesError,
    MissingSourcesError,
    UndecidedError,
    UnknownSourceError,
]


@pytest.mark.parametrize("error", ERRORS)
class TestErrors:
    def test_are_of_one_family(self, error: type[Exception]) -> None:
        assert issubclass(error, CiteguardError)
        assert issubclass(error, RuntimeError)

    def test_are_nothing_that_pydantic_catches(self, error: type[Exception]) -> None:
        assert not issubclass(error, ValueError | AssertionError)

    def test_are_no_lookup_errors(self, error: type[Exception]) -> None:
        assert not issubclass(error, LookupError | TypeError)


class TestJudgeFailedError:
    def test_is_no_set_up_error(self) -> None:
        assert not issubclass(JudgeFailedError, CiteguardError)

    def test_is_nothing_that_pydantic_catches(self) -> None:
        assert not issubclass(JudgeFailedError, ValueError | AssertionError)
