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
    item = getattr(item, "node", item)
    # An empty text is one, too: that of a page without words.
    text = next(_texts(item, _TEXTS, empty=True), None)
    if text is None:
        raise InvalidSourcesError(_problem(item))
    own_id = next((value for name in _IDS if not _is_missing(value := _field(item, name))), None)
    # A missing id makes the whole column of a dataframe floats: 7.0.
    if isinstance(own_id, float) and own_id.is_integer():
        own_id = int(own_id)
    both = item, next((value for name in _METADATA if (value := _field(item, name))), None)
    urls = (web_url(value) for where in both for value in _texts(where, _URLS))
    url = next(filter(None, urls), None)
    titles = (value for where in both for value in _texts(where, _TITLES) if web_url(value) is None)
    return Record(None if own_id is None else str(own_id), text, next(titles, None), url)


def is_record(given: Any) -> bool:
    """Return whether something is one record or document, and not several.

    A mapping is one if it has a text, by a name that records use, and either an id or only what
    records have.
    """
    if isinstance(given, Mapping):
        names = set(cast("Mapping[Any, Any]", given))
        known = {*_TEXTS, *_IDS, *_METADATA, *_TITLES, *_URLS}
        # {"text": "…"} alone is a source with the id "text".
        is_about = len(names) > 1 and (names <= known or not names.isdisjoint(_IDS))
        return is_about and not names.isdisjoint(_TEXTS)
    return next(_texts(getattr(given, "node", given), _TEXTS, empty=True), None) is not None


def _is_missing(value: Any) -> bool:
    # `None`, NaN, and what pandas has for them, which cannot all be compared.
    return value is None or (not isinstance(value, str) and str(value) in ("nan", "<NA>", "NaT"))


def _field(item: Any, name: str) -> Any:
    if isinstance(item, Mapping):
        return cast("Mapping[Any, Any]", item).get(name)
    value = getattr(item, name, None)
    # Of another library's object, it may be a method.
    return None if callable(value) else value


def _texts(item: Any, names: Iterable[str], *, empty: bool = False) -> Iterator[str]:
    values = (_field(item, name) for name in names)
    return (value for value in values if isinstance(value, str) and (value or empty))


def _problem(item: Any) -> str:
    """Return what is there in place of a text."""
    if not isinstance(item, Mapping):
        return f"its text must be a string, not {described(item)}"
    given = cast("Mapping[Any, Any]", item)
    if (wrong := next(filter(given.__contains__, _TEXTS), None)) is not None:
        return f"its text must be a string, not {described(given[wrong])}"
    keys = ", ".join(map(repr, list(given)[:5])) or "none"
    names = " or ".join(map(repr, _TEXTS))
    return f"it must have its text, a string, in {names}; got a dict with the keys {keys}"
