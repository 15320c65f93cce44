# ruff: noqa: E501 - a snapshot holds a message as it is
import asyncio
import threading
from copy import copy
from types import SimpleNamespace
from typing import Any

import pytest

from citeguard import (
    Answer,
    Citation,
    CiteguardError,
    InvalidSourcesError,
    MissingSourcesError,
    Policy,
    Source,
    Sources,
    use_sources,
)
from citeguard.validation.context import Context, Grounding, resolve
from rows import each_row

TEXT = "The notice period is one month."
QUOTE = {"quote": "one month"}


def place(context: Any) -> str:
    return Citation.model_validate(QUOTE, context=context).span.source_id


class TestContext:
    def test_stays_falsy_when_merged_or_copied(self) -> None:
        context = Sources({"a": TEXT}).as_context()
        for merged in (context | {"x": 1}, {"x": 1} | context, context.copy(), copy(context)):
            assert isinstance(merged, Context)
            assert not merged
            assert place(merged) == "a"
        assert (context | {"x": 1})["x"] == 1

    def test_plain_takes_no_policy(self) -> None:
        with pytest.raises(CiteguardError, match="as_context"):
            place({"sources": {"a": TEXT}, "policy": Policy()})
        with pytest.raises(CiteguardError, match="as_context"):
            place(Sources({"a": TEXT}).as_context() | {"policy": Policy()})
        assert place({"sources": {"a": TEXT}, "policy": "of the house"}) == "a"

    def test_works_as_a_plain_dict(self) -> None:
        assert place({**Sources({"a": TEXT}).as_context(), "x": 1}) == "a"


class TestResolve:
    @each_row(
        ("context", "source_id"),
        [
            pytest.param(Sources({"a": TEXT}).as_context(), "a", id="as_context"),
            pytest.param(Sources({"a": TEXT}), "a", id="Sources"),
            pytest.param(Grounding(Sources({"a": TEXT})), "a", id="Grounding"),
            pytest.param(SimpleNamespace(sources=Sources({"a": TEXT})), "a", id="has Sources"),
            pytest.param({"citeguard": Grounding(Sources({"a": TEXT}))}, "a", id="namespaced"),
            pytest.param({"citeguard": {"a": TEXT}}, "a", id="namespaced mapping"),
            pytest.param({"sources": {"a": TEXT}}, "a", id="sources: mapping"),
            pytest.param(
                {"sources": {"a": Source("b", TEXT)}}, "b", id="sources: Source in mapping"
            ),
            pytest.param({"sources": ["no", TEXT]}, "2", id="sources: list"),
            pytest.param({"sources": Source("a", TEXT)}, "a", id="sources: Source"),
            pytest.param({"sources": TEXT}, "1", id="sources: text"),
            pytest.param({"text_chunks": {7: TEXT}}, "7", id="text_chunks"),
            pytest.param({"context": TEXT}, "1", id="context"),
            pytest.param({"sources": None, "context": TEXT}, "1", id="None is not given"),
            pytest.param({"sources": {"a": TEXT}, "tenant": 3}, "a", id="beside other keys"),
        ],
    )
    def test_reads(self, context: Any, source_id: str) -> None:
        assert place(context) == source_id

    @pytest.mark.parametrize("key", ["citeguard", "sources"])
    def test_warns_of_sources_in_a_plain_dict(self, key: str) -> None:
        with pytest.warns(UserWarning, match=r"pass context=sources\.as_context\(\), or"):
            assert place({key: Sources({"a": TEXT})}) == "a"

    @each_row(
        ("context", "error"),
        [
            pytest.param(None, MissingSourcesError, id="None"),
            pytest.param({}, MissingSourcesError, id="empty dict"),
            pytest.param({"source": {"a": TEXT}}, MissingSourcesError, id="wrong key"),
            pytest.param({"a": TEXT}, MissingSourcesError, id="the texts themselves"),
            pytest.param({"sources": None}, MissingSourcesError, id="sources: None"),
            pytest.param({"sources": {}}, InvalidSourcesError, id="sources: empty"),
            pytest.param({"sources": ""}, InvalidSourcesError, id="sources: empty text"),
            pytest.param({"context": " \n"}, InvalidSourcesError, id="context: blank"),
            pytest.param({"sources": {"a": None}}, InvalidSourcesError, id="sources: no text"),
            pytest.param({"sources": {" ": TEXT}}, InvalidSourcesError, id="sources: blank id"),
            pytest.param({"sources": {1: "a", "1": "b"}}, InvalidSourcesError, id="same id twice"),
            pytest.param({"sources": 3}, InvalidSourcesError, id="sources: number"),
            pytest.param({"sources": b"bytes"}, InvalidSourcesError, id="sources: bytes"),
            pytest.param({"sources": {TEXT}}, InvalidSourcesError, id="sources: a set"),
            pytest.param({"citeguard": frozenset([TEXT])}, InvalidSourcesError, id="a frozenset"),
            pytest.param(TEXT, InvalidSourcesError, id="a text"),
            pytest.param([TEXT], InvalidSourcesError, id="a list"),
            pytest.param(0, InvalidSourcesError, id="a false value"),
            pytest.param(
                SimpleNamespace(sources={"a": TEXT}), InvalidSourcesError, id="has no Sources"
            ),
        ],
    )
    @each_row(
        "data",
        [
            pytest.param({"statements": [{"text": "x", "citations": [QUOTE]}]}, id="good"),
            pytest.param({"statements": [{"text": "x", "citations": []}]}, id="uncited"),
            pytest.param({"statements": []}, id="empty"),
            pytest.param({}, id="nothing"),
        ],
    )
    def test_never_lets_an_answer_through_or_blames_it(
        self, context: Any, error: type[CiteguardError], data: Any
    ) -> None:
        with pytest.raises(error, match=r"sources\.as_context\(\)"):
            Answer.model_validate(data, context=context)

    @each_row(
        ("context", "problem"),
        [
            (None, "there are no sources to check quotes against."),
            (
                {"source": 1, "x" * 99: 2},
                f"the validation context holds no sources; its keys: 'source', '{'x' * 39}; expected "
                "one of 'sources', 'text_chunks', 'text_chunk', 'context'.",
            ),
            ({"sources": None}, "the validation context holds no sources: 'sources' is None."),
            (
                {"sources": iter("")},
                "sources in a context must be a mapping, a list or a str, not str_ascii_iterator.",
            ),
            ([TEXT], "a validation context of type list cannot be read as sources."),
        ],
    )
    def test_shows_the_right_call(self, context: Any, problem: str) -> None:
        with pytest.raises(CiteguardError) as caught:
            resolve(context)
        assert str(caught.value) == (
            f'{problem} Pass context=sources.as_context(), or context={{"sources": {{"id": "text"}}}}, '
            "or validate inside `with use_sources(sources):`."
        )


class TestUseSources:
    def test_nests(self) -> None:
        with use_sources({"outer": TEXT}, Policy(uncited="pass"), "Outer?"):
            with use_sources({"inner": TEXT}):
                assert resolve(None).sources.ids == ("inner",)
                assert resolve(None).policy is None
                assert resolve(None).question is None
            assert resolve(None).question == "Outer?"
            assert resolve(None).sources.ids == ("outer",)
            assert resolve(None).policy == Policy(uncited="pass")

    def test_gives_way_to_a_context(self) -> None:
        with use_sources({"block": TEXT}):
            assert place({"sources": {"explicit": TEXT}}) == "explicit"
            assert place(None) == "block"

    async def test_is_seen_by_its_own_task_only(self) -> None:
        async def run(name: str) -> str:
            with use_sources({name: TEXT}):
                await asyncio.sleep(0)
                return place(None)

        names = [f"task-{number}" for number in range(5)]
        assert await asyncio.gather(*map(run, names)) == names

    def test_is_not_seen_by_a_bare_thread(self) -> None:
        caught: list[type[BaseException]] = []

        def run() -> None:
            try:
                place(None)
            except MissingSourcesError as error:
                caught.append(type(error))

        with use_sources(TEXT):
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
        assert caught == [MissingSourcesError]
