"""Sources out of what people have: texts, records, documents of other libraries, dataframes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from citeguard.errors import InvalidSourcesError, described
from citeguard.sources.links import web_url

# The names that LangChain, LlamaIndex, Haystack, Hugging Face and plain records use, in the order
# in which they are looked for.
_TEXTS = ("text", "page_content", "content")
_IDS = ("id", "source_id", "node_id", "doc_id")
_METADATA = ("metadata", "meta")
_TITLES = ("title", "source", "file_name")
_URLS = ("url", "source")


class Record(NamedTuple):
    """A text and what is known about it; `id` is `None` if it is to be numbered."""

    id: str | None
    text: str
    title: str | None
    url: str | None


def rows(given: Any) -> Any:
    """Return the items of a list, or the rows of a dataframe (pandas, Polars, `datasets`)."""
    # In this order, as a lazy frame of Polars, which has no rows yet, warns when asked for columns.
    if hasattr(given, "to_dicts") and hasattr(given, "columns"):  # Polars
        return cast("Iterable[Any]", given.to_dicts())
    if hasattr(given, "to_dict") and hasattr(given, "columns"):  # pandas
        return cast("Iterable[Any]", given.to_dict("records"))
    return given


def read_record(item: Any) -> Record:
    """Return a dict, or a document of another library, as a record.

    The `source` of its metadata is a URL or a title, never an id: the chunks of one file share it.
    A `NodeWithScore` of LlamaIndex is read as its node.
    """
    fields = _Fields(getattr(item, "node", item))
    text = next((value for name in _TEXTS if isinstance(value := fields.get(name), str)), None)
    if text is None:
        raise InvalidSourcesError(fields.problem)
    own_id = next((value for name in _IDS if not _is_missing(value := fields.get(name))), None)
    if isinstance(own_id, float) and own_id.is_integer():  # so does a missing id make the others
        own_id = int(own_id)
    about = _Fields(next((value for name in _METADATA if (value := fields.get(name))), None))
    both = (fields, about)
    urls = (web_url(value) for where in both for value in where.texts(_URLS))
    url = next(filter(None, urls), None)
    titles = (value for where in both for value in where.texts(_TITLES) if web_url(value) is None)
    return Record(None if own_id is None else str(own_id), text, next(titles, None), url)


def is_record(given: Any) -> bool:
    """Return whether something is one record or document, and not several.

    A mapping is one if it has a text, by a name that records use, and either an id or only what
    records have.
    """
    if isinstance(given, Mapping):
        names = set(cast("Mapping[Any, Any]", given))
        known = {*_TEXTS, *_IDS, *_METADATA, *_TITLES, *_URLS}
        is_about = len(names) > 1 and (names <= known or not names.isdisjoint(_IDS))
        return is_about and not names.isdisjoint(_TEXTS)
    fields = _Fields(getattr(given, "node", given))
    return any(isinstance(fields.get(name), str) for name in _TEXTS)


def _is_missing(value: Any) -> bool:
    # `None`, NaN, and what pandas has for them, which cannot all be compared.
    return value is None or (not isinstance(value, str) and str(value) in ("nan", "<NA>", "NaT"))


class _Fields:
    """What a dict holds under its keys, or an object in its attributes."""

    def __init__(self, item: Any) -> None:
        self._item = item
        self._keys = cast("Mapping[Any, Any]", item) if isinstance(item, Mapping) else None

    def get(self, name: str) -> Any:
        if self._keys is not None:
            return self._keys.get(name)
        value = getattr(self._item, name, None)
        return None if callable(value) else value

    def texts(self, names: Iterable[str]) -> Iterator[str]:
        return (value for name in names if isinstance(value := self.get(name), str) and value)

    @property
    def problem(self) -> str:
        """What is there in place of a text."""
        if self._keys is None:
            return f"its text must be a string, not {described(self._item)}"
        for name in _TEXTS:
            if name in self._keys:
                return f"its text must be a string, not {described(self._keys[name])}"
        keys = ", ".join(map(repr, list(self._keys)[:5])) or "none"
        names = " or ".join(map(repr, _TEXTS))
        return f"it must have its text, a string, in {names}; got a dict with the keys {keys}"
