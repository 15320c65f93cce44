"""Set-up errors are no value errors: Pydantic must not swallow them."""

from __future__ import annotations

import pytest

from citeguard import CiteguardError, InvalidSourcesError, MissingSourcesError, UnknownSourceError

ERRORS = [CiteguardError, InvalidSourcesError, MissingSourcesError, UnknownSourceError]


@pytest.mark.parametrize("error", ERRORS)
class TestErrors:
    def test_are_of_one_family(self, error: type[Exception]) -> None:
        assert issubclass(error, CiteguardError)
        assert issubclass(error, RuntimeError)

    def test_are_nothing_that_pydantic_catches(self, error: type[Exception]) -> None:
        assert not issubclass(error, ValueError | AssertionError)

    def test_are_no_lookup_errors(self, error: type[Exception]) -> None:
        assert not issubclass(error, LookupError | TypeError)
