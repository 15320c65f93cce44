"""The sources of samples, prepared once however many samples share them: `Shelf`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from citeguard.datasets.fields import MalformedSampleError
from citeguard.errors import InvalidSourcesError
from citeguard.language.excerpts import shown
from citeguard.sources.collection import Source, Sources

# Code points of source text; what is prepared of it takes some thirty bytes for each.
_ROOM = 2_000_000
_ID_SHOWN = 80
_FACTS = ("id", "text", "title", "url")


class Shelf:
    """Keeps the sources that were asked for last, whoever brought them.

    Args:
        shared: Sources that all samples share; a sample without its own is checked against them.
        room: How much text is kept, in code points; what was not asked for longest goes first.
    """

    def __init__(self, shared: Sources | None = None, *, room: int = _ROOM) -> None:
        self._shared = shared
        self._room = room
        self._used = 0
        self._kept: OrderedDict[Source, Source] = OrderedDict()
        self._last: tuple[list[Source], Sources] | None = None

    def sources_of(self, given: Any) -> Sources:
        """Return the sources that a sample names or brings along.

        Raises:
            MalformedSampleError: there are none, or they cannot be read as sources.
        """
        try:
            if listed := [self._prepared(source) for source in self._read(given)]:
                return self._together(listed)
        except InvalidSourcesError as error:
            raise MalformedSampleError(str(error), "sources_invalid") from error
        if self._shared is None:
            raise MalformedSampleError("the sample has no sources", "sources_missing")
        return self._shared

    def _together(self, listed: list[Source]) -> Sources:
        # Samples of one document often stand side by side.
        if self._last is None or not _same(self._last[0], listed):
            self._last = listed, Sources(listed)
        return self._last[1]

    def _read(self, given: Any) -> Iterator[Source]:
        if given is None:
            return
        if isinstance(given, Mapping):
            yield from _of_mapping(cast("Mapping[Any, Any]", given))
            return
        listed = cast("Sequence[Any]", given if isinstance(given, (list, tuple)) else [given])
        for number, each in enumerate(listed, start=1):
            if isinstance(each, (str, int)) and self._shared is not None:
                yield self._of_id(str(each), self._shared)
            else:
                yield _source(str(number), each)

    def _of_id(self, source_id: str, shared: Sources) -> Source:
        if source_id not in shared:
            told = f"none of the shared sources has the id '{shown(source_id, _ID_SHOWN)}'"
            raise InvalidSourcesError(f"{told}; a text of the sample's own needs an id")
        return shared[source_id]

    def _prepared(self, source: Source) -> Source:
        """Return the source that is equal and was kept, or keep this one."""
        if (kept := self._kept.get(source)) is not None:
            self._kept.move_to_end(source)
            return kept
        self._kept[source] = source
        self._used += len(source.text)
        while self._used > self._room and len(self._kept) > 1:
            oldest, _ = self._kept.popitem(last=False)
            self._used -= len(oldest.text)
        return source


def _same(one: list[Source], other: list[Source]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _of_mapping(given: Mapping[Any, Any]) -> Iterator[Source]:
    """Read `{id: text}`, one object, or columns of ids and texts, as older tables have them."""
    if _is_source(given):
        yield _source("1", given)
    elif isinstance(given.get("text"), (list, tuple)):
        names = [name for name in _FACTS if isinstance(given.get(name), (list, tuple))]
        columns = [cast("Sequence[Any]", given[name]) for name in names]
        if len({len(column) for column in columns}) > 1:
            raise InvalidSourcesError("the columns of the sources are not of one length")
        for number, row in enumerate(zip(*columns, strict=True), start=1):
            yield _source(str(number), dict(zip(names, row, strict=True)))
    else:
        # A table gives every row the keys of all rows, with null for those that it has not.
        for source_id, text in given.items():
            if text is not None:
                yield _source(str(source_id), text)


def _is_source(given: Mapping[Any, Any]) -> bool:
    """Tell one object from `{id: text}`; one that has an id, but null for a text, is one."""
    if "text" not in given or not ("id" in given or set(given) <= {*_FACTS}):
        return False
    text = given["text"]
    return isinstance(text, str) or (text is None and given.get("id") is not None)


def _source(source_id: str, given: Any) -> Source:
    if isinstance(given, Mapping):
        facts = cast("Mapping[str, Any]", given)
        own_id = facts.get("id")
        return Source(
            source_id if own_id is None else str(own_id),
            cast("str", facts.get("text")),
            title=_text(facts.get("title")),
            url=_text(facts.get("url")),
        )
    return Source(source_id, given)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
