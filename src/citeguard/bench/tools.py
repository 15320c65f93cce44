"""The tools that the benchmark compares, each as a function of a quote and a text.

Each is used as its documentation says, or as its users use it, with its own default settings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from citeguard.sources.collection import Sources
from citeguard.validation.models import Citation

_DIFFLIB_RATIO, _PARTIAL_RATIO, _EDITS_PER_LETTER = 0.9, 90, 10
# Of a fuzzy regular expression. The rule says a hundred errors, but each makes the search three
# times as long. A limit of time instead would make the outcome depend on the machine.
_MOST_ERRORS, _MOST_SECONDS = 8, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Whether a tool lets a quote stand, and where it says the quote is, in code points.

    `framed` is whether it warns that the sentence around the quote changes what it says.
    """

    accepted: bool
    spans: tuple[tuple[int, int], ...] | None = None
    framed: bool = False


Check = Callable[[str, str], Judgement]  # judges a quote, given the text that it is said to be from


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool of the benchmark; `load` imports what its check needs and returns it.

    The package is the distribution that it needs; `None` for what Python can do.
    """

    name: str
    package: str | None
    load: Callable[[], Check]

    @property
    def version(self) -> str | None:
        """The version that is installed; `None` if it is not, empty for what Python can do."""
        if self.package is None:
            return ""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def installed(names: tuple[str, ...] = ()) -> Iterator[Tool]:
    """Yield the tools that can be run here, citeguard first; of those named, if any are."""
    for tool in TOOLS:
        if tool.version is not None and (not names or tool.name in names):
            yield tool


def _at(start: int, end: int) -> Judgement:
    return Judgement(accepted=True, spans=((start, end),))


def _found(text: str, quote: str) -> Judgement:
    start = text.find(quote)
    return _at(start, start + len(quote)) if start >= 0 else Judgement(accepted=False)


def _citeguard(quote: str, text: str) -> Judgement:
    try:
        citation = Citation.model_validate({"quote": quote}, context=Sources(text).as_context())
    except ValidationError:
        return Judgement(accepted=False)
    spans = tuple((span.start, span.end) for span in citation.spans)
    return Judgement(accepted=True, spans=spans, framed=citation.framing is not None)


def _folded(quote: str, text: str) -> Judgement:
    folded = " ".join(quote.casefold().split())
    return Judgement(accepted=folded in " ".join(text.casefold().split()))


def _difflib(quote: str, text: str) -> Judgement:
    """As quote checks for agents do: the words of the same count that are most alike."""
    words, count = list(re.finditer(r"\S+", text)), len(quote.split())
    matcher = SequenceMatcher(b=" ".join(quote.split()), autojunk=False)
    for first in range(max(1, len(words) - count + 1)):
        window = words[first : first + count]
        matcher.set_seq1(" ".join(word[0] for word in window))
        ratios = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)  # ever slower
        if all(ratio() >= _DIFFLIB_RATIO for ratio in ratios):
            return _at(window[0].start(), window[-1].end())
    return Judgement(accepted=False)


def _partial_ratio() -> Check:
    fuzz: Any = import_module("rapidfuzz.fuzz")

    def check(quote: str, text: str) -> Judgement:
        found = fuzz.partial_ratio_alignment(quote, text, score_cutoff=_PARTIAL_RATIO)
        return _at(found.dest_start, found.dest_end) if found else Judgement(accepted=False)

    return check


def _edlib() -> Check:
    edlib: Any = import_module("edlib")

    def check(quote: str, text: str) -> Judgement:
        # It takes at most 256 different characters. Those of the text that are not in the quote can
        # match nothing, so one stands for all.
        codes = {char: chr(1 + number) for number, char in enumerate(dict.fromkeys(quote))}
        coded = ("".join(codes.get(char, "\0") for char in each) for each in (quote, text))
        budget = len(quote) // _EDITS_PER_LETTER
        found = edlib.align(*coded, mode="HW", task="locations", k=budget)
        if found["editDistance"] < 0:
            return Judgement(accepted=False)
        start, last = found["locations"][0]
        return _at(start or 0, last + 1)

    return check


def _instructor() -> Check:
    mixin: Any = import_module("instructor").CitationMixin

    def check(quote: str, text: str) -> Judgement:
        given = {"substring_quotes": [quote]}
        kept = mixin.model_validate(given, context={"context": text}).substring_quotes
        return _found(text, kept[0]) if kept else Judgement(accepted=False)

    return check


def _langchain() -> Check:
    """By the rule of its chain for citations: the fewest errors of a pattern, here up to eight."""
    regex: Any = import_module("regex")

    def check(quote: str, text: str) -> Judgement:
        for errors in range(_MOST_ERRORS + 1):
            # Not escaped, as by the chain: a quote with a bracket alone finds nothing there either.
            pattern = f"({quote}){{e<={errors}}}"
            try:
                found = regex.search(pattern, text, timeout=_MOST_SECONDS)
            except (TimeoutError, regex.error):
                break
            if found is not None:
                return _at(*found.span())
        return Judgement(accepted=False)

    return check


def _langextract() -> Check:
    extraction: Any = import_module("langextract.core.data").Extraction
    aligner: Any = import_module("langextract.resolver").WordAligner

    def check(quote: str, text: str) -> Judgement:
        group = [extraction(extraction_class="quote", extraction_text=quote)]
        aligned = aligner().align_extractions([group], text)
        for each in chain(*aligned):
            if each.char_interval is not None:
                return _at(each.char_interval.start_pos, each.char_interval.end_pos)
        return Judgement(accepted=False)

    return check


def _gtrex() -> Check:
    verifier: Any = import_module("gtrex").Verifier

    def check(quote: str, text: str) -> Judgement:
        found = verifier(text).verify(quote)
        return _at(found.start, found.end) if found.grounded else Judgement(accepted=False)

    return check


def _citations() -> Check:
    resolve: Any = import_module("citations.verify").resolve_in
    return lambda quote, text: Judgement(
        accepted=resolve(quote, text).state in ("found", "ambiguous")
    )


def _grounded_check() -> Check:
    claims, sources, verify = map(
        import_module, ("grounded.claims", "grounded.sources", "grounded.verify")
    )
    kind: Any = claims.Kind.QUOTE

    def check(quote: str, text: str) -> Judgement:
        claim: Any = claims.Claim(kind, quote, 0, len(quote))
        result: Any = verify.verify([claim], [sources.Source(Path("source.txt"), text)])
        return Judgement(accepted=bool(result.passed))

    return check


TOOLS = (
    Tool(name="citeguard", package="pydantic-citeguard", load=lambda: _citeguard),
    Tool(name="in", package=None, load=lambda: lambda quote, text: _found(text, quote)),
    Tool(name="in, white space and case folded", package=None, load=lambda: _folded),
    Tool(name="difflib, ratio at least .90", package=None, load=lambda: _difflib),
    Tool(name="rapidfuzz, partial ratio at least 90", package="rapidfuzz", load=_partial_ratio),
    Tool(name="edlib, at most 10 % edits", package="edlib", load=_edlib),
    Tool(name="instructor CitationMixin", package="instructor", load=_instructor),
    Tool(name="LangChain's rule for citations", package="regex", load=_langchain),
    Tool(name="langextract WordAligner", package="langextract", load=_langextract),
    Tool(name="gtrex", package="gtrex", load=_gtrex),
    Tool(name="citations", package="citations", load=_citations),
    Tool(name="grounded-check", package="grounded-check", load=_grounded_check),
)
