"""Set-up errors are no value errors: Pydantic must not swallow them."""

from __future__ import annotations

import re

import pytest

from citeguard import (
    CiteguardError,
    InvalidSourcesError,
    JudgeFailedError,
    MissingSourcesError,
    UndecidedError,
    UnknownSourceError,
)
from citeguard.errors import optional_packages

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


class TestOptionalPackages:
    @pytest.mark.parametrize(
        ("module", "install"),
        [
            ("sklearn.metrics", '"pydantic-citeguard[metrics]"'),
            ("fastapi", '"pydantic-citeguard[server]"'),
            ("some_package", "some-package"),
        ],
    )
    def test_a_missing_one_says_what_to_install(self, module: str, install: str) -> None:
        with (
            pytest.raises(CiteguardError, match=re.escape(f"pip install {install}")),
            optional_packages("this"),
        ):
            raise ModuleNotFoundError(name=module)

    def test_a_module_of_citeguard_is_not_optional(self) -> None:
        with pytest.raises(ImportError), optional_packages("this"):
            raise ImportError(name="citeguard.no_such_module")
