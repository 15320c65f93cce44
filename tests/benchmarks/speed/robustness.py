"""How long input takes that is far out of the ordinary: never a hang."""

from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter

from pydantic import ValidationError

from citeguard import Answer, Sources, locate

from .texts import Prose, curly, misspelled, passage, quotes
from .timing import Action, Row, seconds
from .validating import answer_from

_MOST = 2.0


def rows(prose: Prose) -> Iterator[Row]:
    """Time each case once, cold: sources are prepared within it."""
    for case, action in _cases(prose):
        start = perf_counter()
        with suppress(ValidationError):
            action()
        time = perf_counter() - start
        yield Row(case=case, ours=seconds(time), aim=f"≤ {seconds(_MOST)}", met=time <= _MOST)


def _cases(prose: Prose) -> Iterator[tuple[str, Action]]:
    yield from _long_quotes(prose)
    yield from _long_sources(prose)
    yield from _odd_quotes(prose.first(100_000))
    yield from _many_citations(prose)


def _long_quotes(prose: Prose) -> Iterator[tuple[str, Action]]:
    text = prose.first(200_000)
    words = passage(text, 60_000, 50_000)
    half = len(words) // 2
    long_quotes = {
        "verbatim": words,
        "typographic": curly(" ".join(words.split())),
        "one word misspelled": misspelled(words),
        "a sentence left out": curly(" ".join(words[:half].split() + words[half + 100 :].split())),
        "absent": prose.unseen[:50_000],
        "half absent": words[:half] + prose.unseen[:half],
    }
    for kind, quote in long_quotes.items():
        yield f"quote of 50,000, {kind}", _search(str(quote), Sources(text))
        yield f"quote of 50,000, {kind}: the error", _validate(str(quote), Sources(text))


def _long_sources(prose: Prose) -> Iterator[tuple[str, Action]]:
    text = prose.first(10_000_000)
    words = passage(text, 9_900_000, 120)
    wrong = quotes(text[9_900_000:], misspelled, 120, 1)[0]
    sources = Sources(text)
    yield "source of 10 MB, verbatim", _search(words, sources)
    yield "source of 10 MB, typographic, cold", _search("\n".join(words.split()), sources)
    yield "source of 10 MB, misspelled, builds the index", _search(wrong, sources)
    yield "source of 10 MB, misspelled", _search(wrong, sources)
    absent = passage(prose.unseen, 500, 120)
    yield "source of 10 MB, absent", _search(absent, sources)
    yield "source of 10 MB, absent: the error", _validate(absent, sources)


def _odd_quotes(text: str) -> Iterator[tuple[str, Action]]:
    same = "a" * 100_000
    odd = {
        '"a" * 100,000 in itself': (same, same),
        '"a" * 50,000 + "b" in "a" * 100,000': ("a" * 50_000 + "b", same),
        '"a" * 200 + "b" in "a" * 100,000': ("a" * 200 + "b", same),
        '"a " * 200 + "b" in "a " * 50,000': ("a " * 200 + "b", "a " * 50_000),
        "quote of 2,000 “(”": ("(" * 2_000, text),
        "quote of 2,000 “(” in 100,000 “(” and a word": ("(" * 2_000, "(" * 100_000 + "end"),
        "quote of 500 letters between ellipses": ("a ... " * 500, text),
        "quote of 19 letters between ellipses": ("a ... " * 19, text),
        "quote of 19 common words between ellipses": ("the ... " * 19, text),
        "quote of 2,000 “[”": ("[1" * 1_000, text),
        "quote of 20,000 zeros in 50,000 and a one": ("0" * 20_000, "0" * 50_000 + "1"),
        "quote of NULs": ("\0" * 2_000, text),
        "quote of combining marks": ("a" + "\u0301" * 20_000, text),
    }
    for case, (quote, source) in odd.items():
        yield case, _search(quote, Sources(source))
        yield f"{case}: the error", _validate(quote, Sources(source))


def _many_citations(prose: Prose) -> Iterator[tuple[str, Action]]:
    text = prose.first(50_000)
    texts = {f"s{i}": text[5_000 * i : 5_000 * (i + 1)] for i in range(10)}
    elsewhere = {name: prose.unseen[i * 5_000 :][:5_000] for i, name in enumerate(texts)}
    context = Sources(texts).as_context()
    for kind, quoted in (("verbatim", texts), ("absent", elsewhere)):
        for named in (True, False):
            answer = answer_from(quoted, named=named, each=50)
            case = f"500 citations, {kind}, {'with' if named else 'without'} source_id"
            yield case, lambda answer=answer: Answer.model_validate(answer, context=context)


def _search(quote: str, sources: Sources) -> Action:
    return lambda: locate(quote, sources)


def _validate(quote: str, sources: Sources) -> Action:
    answer = {"statements": [{"text": "So it says.", "citations": [{"quote": quote}]}]}
    return lambda: Answer.model_validate(answer, context=sources.as_context())
