"""How fast quotes are found, or found absent, against `str.find`, rapidfuzz and edlib."""

from collections.abc import Callable, Iterator
from functools import partial

from rapidfuzz import fuzz

from citeguard import Sources, locate

from .texts import (
    Change,
    Prose,
    misspelled,
    passage,
    quotes,
    three_edits,
    typographic,
    verbatim,
    without_not,
)
from .timing import Action, Row, compared

_LENGTHS = (60, 100, 200, 400)
_KINDS: dict[str, Change] = {
    "typographic": typographic,
    "misspelled": misspelled,
    "three edits": three_edits,
    "altered": without_not,
    "absent": verbatim,
}
Peer = Callable[[str], Action]


def verbatim_rows(prose: Prose) -> Iterator[Row]:
    """Compare verbatim quotes with `str.find`."""
    text = prose.first(100_000)
    sources = Sources(text)
    for name, near in (("start", 500), ("middle", 50_000), ("end", 99_000)):
        found = [passage(text, near + 50 * i, 100) for i in range(8)]
        pairs = [(partial(locate, q, sources), partial(text.find, q)) for q in found]
        case = f"verbatim at the {name} of 100,000"
        yield compared(case, pairs, peer="`str.find`", rounds=15)


def rapidfuzz_rows(prose: Prose) -> Iterator[Row]:
    """Compare all other kinds of quotes with rapidfuzz."""
    text = prose.first(100_000)

    def peer(quote: str) -> Action:
        return partial(fuzz.partial_ratio_alignment, quote, text, score_cutoff=87.5)

    return _rows(prose, text, peer, name="rapidfuzz", count=8, rounds=7)


def edlib_rows(prose: Prose) -> Iterator[Row]:
    """Compare them with edlib's infix mode in a text ten times as long."""
    import edlib

    text = prose.first(1_000_000)
    # edlib takes bytes as they are, and a str of more than ASCII by way of a slow mapping.
    encoded = text.encode("ascii", "replace")

    def peer(quote: str) -> Action:
        pattern = quote.encode("ascii", "replace")
        budget = len(quote) // 8
        return partial(edlib.align, pattern, encoded, mode="HW", task="locations", k=budget)

    return _rows(prose, text, peer, name="edlib", count=4, rounds=3)


def _rows(
    prose: Prose, text: str, peer: Peer, *, name: str, count: int, rounds: int
) -> Iterator[Row]:
    sources = Sources(text)
    for kind, change in _KINDS.items():
        for length in _LENGTHS:
            found = quotes(prose.unseen if kind == "absent" else text, change, length, count)
            hits = sum(locate(quote, sources) is not None for quote in found)
            pairs = [(partial(locate, quote, sources), peer(quote)) for quote in found]
            case = f"{kind}, {length} in {len(text):,} ({hits} of {len(found)} found)"
            yield compared(case, pairs, peer=name, rounds=rounds)
