"""The sources that most tests quote from, and how their errors are read."""

from __future__ import annotations

import gc
import os
from collections.abc import Awaitable, Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from pydantic import ValidationError

from citeguard import Policy, Source, Sources, averify, verify
from citeguard.validation.context import Context

if TYPE_CHECKING:
    from llm_server import LLMServer
    from reports.page.chromium import Browser

# No test asserts a time. Each run tries other examples, so that many runs try many; those of the
# tests that are derandomized are always the same. CITEGUARD_EXAMPLES=1000 tries more at once.
# (Imported before the `freeze` below, or trio's plug-in for it would warn.)
hypothesis.settings.register_profile(
    "unhurried", deadline=None, max_examples=int(os.environ.get("CITEGUARD_EXAMPLES", "25"))
)
hypothesis.settings.load_profile("unhurried")

# One thread each for the models: two processes of tests on two cores have four spinning threads
# otherwise, and a call of a small model takes up to ten times as long. (Read on PyTorch's import.)
os.environ.setdefault("OMP_NUM_THREADS", "1")

# No test downloads a model: whatever tries to fails at once. (The hub reads this on import.)
os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Look for garbage neither while modules are imported nor, later on, in all that they hold.

    There is none; looking takes a quarter of the collection. Later on, the models and modules
    that tests load are as large: there Python looks more rarely than it would.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests that load PyTorch first: one process has them all, and loads it alone."""
    items.sort(key=lambda item: item.get_closest_marker("torch") is None)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Return a Chromium that all tests share."""
    from reports.page.chromium import Browser  # of a package that other tests do without

    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def server() -> Iterator[LLMServer]:
    """A language model that says what the test pushes."""
    from llm_server import LLMServer  # it imports a client, which many tests do without

    with LLMServer() as server:
        yield server


HANDBOOK = (
    "The notice period is one month. During probation, either party may end the contract within "
    "fourteen days.\n\n"
    "Visitors may not enter the laboratory without a badge. The deposit is 25 million euros."
)
FAQ = "Lunch is free for all employees. It is false that the canteen serves wine on Fridays."


@pytest.fixture(scope="session")
def sources() -> Sources:
    return Sources({"handbook": HANDBOOK, "faq": FAQ})


@pytest.fixture(scope="session")
def context(sources: Sources) -> Context:
    return sources.as_context()


PAPER = Path(__file__).parents[1] / "docs" / "example" / "paper" / "minimap2.pdf"


@pytest.fixture(scope="session")
def paper() -> Source:
    """A paper in PDF, which takes seconds to read."""
    return Sources.from_paths(PAPER)["minimap2"]


Failures = Callable[[Callable[[], Any]], list[dict[str, Any]]]


@pytest.fixture(scope="session")
def failures() -> Failures:
    """Return the line errors that a validation fails with."""

    def read(validate: Callable[[], Any]) -> list[dict[str, Any]]:
        with pytest.raises(ValidationError) as caught:
            validate()
        return [dict(line) for line in caught.value.errors(include_url=False)]

    return read


Verifying = Callable[..., Awaitable[Any]]


async def by_verify(*args: Any, **kwargs: Any) -> Any:
    return verify(*args, **kwargs)


async def by_model_validate(model: Any, data: Any, *, sources: Sources, policy: Policy) -> Any:
    return model.model_validate(data, context=sources.as_context(policy))


@pytest.fixture(
    params=[by_verify, averify, by_model_validate], ids=["verify", "averify", "model_validate"]
)
def verifying(request: pytest.FixtureRequest) -> Verifying:
    """Return a way of validating; each is awaited."""
    return request.param
