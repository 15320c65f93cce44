"""The OpenAPI description, and random requests made from it."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings

from citeguard.server import Chatting, Limits, create_app
from citeguard.server.schemas import openapi_of
from server.documents import small_library
from server.facts import small_web
from server.serving import served

SCHEMA = openapi_of(create_app(facts=small_web, library="unopened.db"))


@pytest.fixture(scope="module")
def whole_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of a service that checks facts on a small web, and has a library."""
    with small_library(tmp_path_factory.mktemp("library")) as (library, *_):
        app = create_app(
            limits=Limits(workers=1), facts=small_web, library=Chatting(library=library)
        )
        with served(app) as address:
            yield address


@pytest.mark.slow
def test_random_requests_never_cause_internal_errors(whole_address: str) -> None:
    # To import it takes seconds, which other tests do not need.
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    conform = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    for found in schemathesis.openapi.from_dict(SCHEMA).get_all_operations():
        operation = found.ok()

        @settings(max_examples=8, suppress_health_check=list(HealthCheck), deadline=None)
        @given(operation.as_strategy())
        def check(case: Any) -> None:
            case.call_and_validate(base_url=whole_address, checks=conform, timeout=60)

        check()


class TestDescription:
    def test_is_served(self, client: httpx.Client) -> None:
        assert client.get("/openapi.json").json() == openapi_of(create_app())

    def test_omits_what_is_not_configured(self) -> None:
        described = openapi_of(create_app())
        assert set(described["paths"]) == {"/audit", "/check", "/health"}
        assert not {"AskRequest", "FactCheckRequest"} & set(described["components"]["schemas"])
