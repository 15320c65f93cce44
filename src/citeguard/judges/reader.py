"""The judge that reads: `ReaderJudge`, with the reader that ships or an entailment model of yours.

Rules prove, models read. What a source has word for word is supported, whatever a model thinks of
it; a statement with another number or name at the same place is never supported; everything
between is read, and what the model is not sure about is undecided.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category, normalize

from citeguard.errors import check_number, check_text, check_whole
from citeguard.facts.aligned import (
    WORD_FOR_WORD,
    Quoted,
    denies,
    differences,
    figure_without_source,
    in_the_same_form,
    may_follow,
    quoted,
)
from citeguard.facts.cells import Placed, placed
from citeguard.judges.cache import VerdictCache
from citeguard.judges.verdicts import (
    Evidence,
    JudgeFailedError,
    JudgeSettings,
    Outcome,
    SupportQuestion,
    Verdict,
    local_settings,
)
from citeguard.language.citations import SUPERSCRIPTS
from citeguard.language.excerpts import as_json
from citeguard.language.markup import find_noise, unseen_parts
from citeguard.language.scripts import is_overlay
from citeguard.language.sentences import sentence_pieces, whole_sentences
from citeguard.language.tokens import has_words, tokenize
from citeguard.reader.cross_encoder import EntailmentModel, Probabilities
from citeguard.reader.entailing import Entailing, Scored, UnusableOutputError, entailing, foremost
from citeguard.reader.model import Pair, Reader
from citeguard.reader.windows import Window, windows

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

VERSION = "12"
"""Part of the key of cached verdicts; change it with the rules from probabilities to verdicts."""

INSTALL = 'pip install "pydantic-citeguard[reader]"'

_FEWEST_READ = 2
"""Words; of one word, such as "Lunch", nothing is stated. It costs: of 1,590 labelled statements,
eight are one word, the right answer to a question that the judge is not shown."""
_SHOWN = 200  # characters of a passage in a reason
_AS_GOOD = 0.5  # of the best window's probability, with which a shorter one is pointed at instead
_LONGEST_SPAN = 1_000  # characters from the first to the last sentence that a verdict points at
_RATHER = 0.8
"""The probability of a contradiction from which a statement that is surely not supported is
contradicted, rather than unsupported; it decides which of the two it is called, not whether. On
1,590 labelled statements it finds 17 contradictions more, of 128, and is wrong about 6."""
_ABOUT = 0.3
"""The share of a statement's words, by rarity, that a window must have to contradict it: a passage
that was searched for may be about another tower, or another person who was also born somewhere. Of
1,104 statements beside the passages of others, 9 were contradicted without it, and none with it; of
150 true contradictions it costs 5."""
_SAME_BUT_FOR_FACTS = 0.5
"""The share of a statement's words, by rarity, that a sentence must have to contradict it by a fact
alone; with fewer it is about something else. Of 800 false statements, 41 are contradicted so, and
6 of 790 true ones; from 0 on, 56 and 8, from 0.7 on, 26 and 1."""

_NAMED_FROM = 0.45
"""The probability from which a statement is supported whose figure is in the cell of a table that
it names. Of 158 claims about cells, half of them with another cell's figure, it supports 15 more
of the true ones, and no false one."""
_CLOSING = " \n\"'”’»)]*_!" + SUPERSCRIPTS
_ASKING = ("?", "‽", "؟", "⸮")  # as NFKC has them
# Elements that show their words and nothing else. What another one shows, nothing here knows.
_FORMATTING = frozenset(
    "a abbr b bdi bdo big blockquote body br center cite code dd div dl dt em font h1 h2 h3 h4 h5"
    " h6 hr html i kbd li mark ol p pre q ref s samp small span strong sub sup table tbody td tfoot"
    " th thead time tr tt u ul var wbr".split()
)
# "~not~", which some renderers of Markdown strike out, too.
_STRUCK_ONCE = re.compile(r"(?<![~\w\\])~(?=[^\s~])[^~\n]{1,2000}(?<=\S)~(?![~\w])")
_LAST_KNOWN = "\u024f"  # the last Latin letter of words; the others are phonetic, or Vietnamese
_SIGNS = ("So", "No")  # categories of Unicode: pictures, and raised or enclosed figures
_WORST_FIRST: tuple[Outcome, ...] = ("contradicted", "unsupported", "undecided", "supported")


class _Claim(NamedTuple):
    """A sentence of a statement."""

    text: str
    quoted: Quoted | None  # where the evidence has its words
    windows: list[Window]  # to read; none if it is a whole sentence there, or states nothing
    pairs: list[Pair]  # the same as the model reads it, one for each window


class _Asked(NamedTuple):
    """A question: the passages that are not blank, and the sentences of the statement."""

    passages: list[Evidence]
    claims: list[_Claim]
    unread: str  # why the statement may mean something other than its words


class ReaderJudge:
    """A judge that reads the evidence with a small model on this machine.

    A sentence that the evidence has word for word, as a whole one, is supported without being read,
    unless what stands around it denies it. Of other evidence the model reads a few windows: the
    sentences that have the statement's rarest words, wherever they are, and the best one by itself.
    Words out of a longer sentence are never contradicted, nor supported if it denies, asks,
    attributes or conditions them, or if they deny something and it goes on right beside them. The
    verdict is `supported` or `contradicted` if the model is sure enough, and `unsupported` if it is
    sure that the evidence does not say so; else it is `undecided`, so that a costlier judge can be
    asked next. A statement of which a number, unit, sign, negation or name differs from the
    evidence's at the same place is never supported, nor one with a figure that no passage has. A
    figure that is in the cell of a table which
    the statement names is supported from a lower probability on, and that of another cell is
    contradicted unless the model is sure. A statement of several sentences is as well supported as
    the weakest of them.

    The shipped reader needs the extra `reader`, no GPU and no download, and takes a tenth of a
    second or two a statement. From its threshold on, nine of ten statements are supported, at even
    odds, of those that it was chosen by, fewer of others: the model card has the figures. It reads
    English. Without the extra, what is verbatim is supported, what differs from the evidence in
    nothing but a fact is contradicted, and all else is undecided.

    Thread-safe. All windows of an answer are read once; the last ones are cached.

    Args:
        model: `None` for the reader that ships; or the folder of one, as `citeguard.training`
            writes it; the name or folder of a cross-encoder for entailment (extra `semantic`), a
            `CrossEncoder`, or an `EntailmentModel`.
        supported_from: The least probability, 0 to 1, inclusive, with which a statement is
            supported; by default the reader's own, and 0.5 for another model.
        contradicted_from: The same for contradicted.
        unsupported_below: The probability of support below which a statement is unsupported; the
            same as `supported_from` leaves nothing undecided that was read.
        labels: What the outputs of a cross-encoder stand for, in their order, if its configuration
            does not say: `entailment`, `neutral`, `contradiction`, `not_entailment`.
        batch_size: How many pairs a cross-encoder reads at once.
        timeout: Seconds that one answer may take, loading included; `None` for no limit.
        version: Names a model without a name, for a cache that outlives this object.
        cache: Where verdicts are kept; by default in memory, for the lifetime of this object.

    Raises:
        CiteguardError: Not a model, or a number out of range; and when first asked, if the model
            cannot be loaded, is not a classifier, or has unknown labels.

    Examples:
        >>> evidence = (Evidence(text="The dose was 50 mg, once a day.", source_id="trial"),)
        >>> questions = [
        ...     SupportQuestion(statement=f"The dose was {dose} mg, once a day.", evidence=evidence)
        ...     for dose in (50, 60)
        ... ]
        >>> [verdict.outcome for verdict in ReaderJudge().judge(questions)]
        ['supported', 'contradicted']
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | Reader | CrossEncoder | EntailmentModel | None = None,
        *,
        supported_from: float | None = None,
        contradicted_from: float | None = None,
        unsupported_below: float | None = None,
        labels: Sequence[str] | None = None,
        batch_size: int = 32,
        timeout: float | None = None,
        version: str | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        thresholds = {
            "supported_from": supported_from,
            "contradicted_from": contradicted_from,
            "unsupported_below": unsupported_below,
        }
        self._given = {name: each for name, each in thresholds.items() if each is not None}
        for name, value in self._given.items():
            check_number(f"ReaderJudge({name}=...)", value, 0, 1)
        if unsupported_below is not None and supported_from is not None:
            name = "ReaderJudge(unsupported_below=...), at most supported_from"
            check_number(name, unsupported_below, 0, supported_from)
        check_whole("ReaderJudge(batch_size=...)", batch_size, 1)
        check_text("ReaderJudge(version=...)", version)
        if timeout is not None:
            check_number("ReaderJudge(timeout=...)", timeout, 0, math.inf, above=True)
        self._model = entailing(model, labels=labels, batch_size=batch_size)
        self._version, self._cache, self._timeout = version, cache, timeout

    def __repr__(self) -> str:
        """Name the model, unless it is the shipped one, and the thresholds that were given."""
        shown = [] if self.name == "reader" else [repr(self._model)]
        shown += [f"{name}={value}" for name, value in self._given.items()]
        return f"ReaderJudge({', '.join(shown)})"

    @cached_property
    def settings(self) -> JudgeSettings:
        """How it is asked. Made when first needed: its version depends on the model's files."""
        own = "none" if self._model is None else self._model.version
        return local_settings(
            sorted(self._given.items()),
            VERSION,
            model=self._version or own,
            cache=self._cache,
            timeout=self._timeout,
        )

    @property
    def name(self) -> str:
        """Its name in verdicts: `reader`, or the name of the model."""
        return "reader" if self._model is None else self._model.name

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Return the verdicts, from one pass of the model over all new pairs.

        Raises:
            JudgeFailedError: The model returned another shape, or no probabilities.
            CiteguardError: The model cannot be used.
        """
        asked = [_prepared(question) for question in questions]
        pairs = dict.fromkeys(
            pair for each in asked for claim in each.claims for pair in claim.pairs
        )
        read: dict[Pair, Probabilities] = {}
        if self._model is not None:
            try:
                read = dict(zip(pairs, self._model.read(list(pairs)), strict=True))
            except UnusableOutputError as error:
                raise JudgeFailedError(str(error)) from error
        return [self._verdict(each, read) for each in asked]

    def _verdict(self, asked: _Asked, read: Mapping[Pair, Probabilities]) -> Verdict:
        """Return the verdict on a statement: that on its sentence which is supported least."""
        if not asked.passages:
            return self._undecided("there is no evidence")
        if not asked.claims:
            return self._undecided("the statement has no words")
        verdicts = [self._on_claim(claim, asked.passages, read) for claim in asked.claims]
        worst = min(
            verdicts, key=lambda each: (_WORST_FIRST.index(each.outcome), each.score or 0.0)
        )
        if worst.outcome == "supported" and asked.unread:
            return self._undecided(f"its words are supported, but {asked.unread}", worst.score)
        return worst

    def _on_claim(
        self, claim: _Claim, passages: Sequence[Evidence], read: Mapping[Pair, Probabilities]
    ) -> Verdict:
        if claim.quoted and claim.quoted.proves:
            return self._decided("supported", 1.0, WORD_FOR_WORD, passages, claim.quoted[:3])
        if not claim.windows:
            return self._undecided("one word states nothing")
        # The last window is the best single sentence.
        nearest = claim.windows[-1]
        if self._model is None:
            return self._without_model(claim, nearest, passages)
        every = [(each, read[pair]) for each, pair in zip(claim.windows, claim.pairs, strict=True)]
        scored = [each for each in every if not math.isnan(each[1].entailment)]
        if not scored:
            return self._undecided("it is longer than the model reads, or the model returned NaN")
        verdict = self._as_read(claim.text, scored, passages, self._model)
        return (
            self._as_part(claim.text, part, passages, verdict)
            if (part := claim.quoted)
            else verdict
        )

    def _as_part(
        self, claim: str, part: Quoted, passages: Sequence[Evidence], verdict: Verdict
    ) -> Verdict:
        """Return the verdict on words of a longer sentence: unless framed, they are not wrong.

        What is denied of the whole need not be denied of what was cut out of it. Of other cuts the
        model decides: of 9,000 written statements, 19 of such were true, and none was false.
        """
        text = passages[part.text].text
        shown = as_json(text[slice(*whole_sentences(text, part.start, part.end))], _SHOWN)
        if verdict.outcome == "supported":
            if part.kind == "part" or (part.kind == "cut" and not denies(claim)):
                return verdict
            reason = f"the source's sentence says more, which may limit it: {shown}"
            return self._undecided(reason, verdict.score)
        if part.kind == "framed":
            return verdict
        reason = f"the source has its words in a longer sentence: {shown}"
        return self._undecided(reason, verdict.score)

    def _as_read(
        self, claim: str, scored: Scored, passages: Sequence[Evidence], model: Entailing
    ) -> Verdict:
        """Return the verdict on a claim by what the model says of its windows."""
        nearest = scored[-1][0]
        least = {**model.thresholds, **self._given}
        support, against = foremost(scored)
        found = differences(claim, support.text)
        supported, contradicted = model.combined(scored, differs=bool(found))
        # Never what the model finds contradicted with more certainty, however low the threshold is.
        is_supported = supported >= max(least["supported_from"], contradicted)
        if cell := placed(claim, [each.text for each in passages]):
            found = found or ((cell.difference,) if cell.difference else ())
            is_own = not found and supported >= _NAMED_FROM
            if not is_supported and (
                cell.difference or (is_own and contradicted < least["contradicted_from"])
            ):
                return self._on_cell(cell, supported, passages)
        if is_supported:
            # Beside other sentences, a figure of theirs may hide the one that differs.
            shortest = _shortest([(each, given.entailment) for each, given in scored])
            if found := found or differences(claim, shortest.text):
                return self._undecided(f"it may be supported, but {found[0].reason}", supported)
            texts = [each.text for each in passages]
            titles = (each.title for each in passages if each.title)
            if figure := figure_without_source(claim, [*texts, *titles]):
                reason = f"no passage has {figure}, and what has to be worked out is not proven"
                return self._undecided(reason, supported)
            if any(
                # The other way round: the statement may frame a whole sentence of the source,
                # "Nobody says …".
                (place := quoted(passages[each.text].text[each.start : each.end], [claim]))
                and (place.kind == "framed" or _is_labelled(claim[: place.start], texts))
                for each in support.sentences
            ):
                reason = "it may deny, ask, attribute or condition what the source says"
                return self._undecided(reason, supported)
            reason = f"The passage supports it ({supported:.0%} sure)."
            place = _place(shortest, nearest)
            return self._decided("supported", supported, reason, passages, place)
        unsupported = supported < least["unsupported_below"]
        refuted = unsupported and contradicted >= _RATHER
        if against.relevance >= _ABOUT and (contradicted >= least["contradicted_from"] or refuted):
            # "33 % of them" for "5 of 15" is no other figure.
            if may_follow(claim, against.text):
                reason = "a figure of it may follow from those of the passage, which is not proven"
                return self._undecided(reason, supported)
            found = found or differences(claim, against.text)
            reason = f"The passage contradicts it ({contradicted:.0%} sure)"
            reason += f": {found[0].reason}." if found else "."
            shortest = _shortest([(each, given.contradiction) for each, given in scored])
            place = _place(shortest, nearest)
            return self._decided("contradicted", supported, reason, passages, place)
        if unsupported:
            number, start, end = _place(nearest, nearest)
            shown = as_json(passages[number].text[start:end], _SHOWN)
            stop = "" if shown[-2] in ".!?" else "."  # before its quotation mark
            reason = f"The nearest sentence is {shown}{stop}"
            reason = reason if nearest.relevance else "No sentence has a word of it."
            return Verdict("unsupported", reason=reason, score=supported, judge=self.name)
        sure = math.floor(100 * supported)  # 76.8 % is not the 77 % from which it is supported
        return self._undecided(
            f"the model is only {sure}% sure that the passages say it; from"
            f" {least['supported_from']:.0%} on it is supported",
            supported,
        )

    def _on_cell(self, cell: Placed, score: float, passages: Sequence[Evidence]) -> Verdict:
        """Return the verdict on a statement whose figure is in its own cell, or in another one."""
        place = cell.text, *whole_sentences(passages[cell.text].text, cell.start, cell.end)
        if cell.difference is not None:
            reason = f"The figure is another cell's: {cell.difference.reason}."
            return self._decided("contradicted", score, reason, passages, place)
        reason = f"The cell that it names has its figure ({score:.0%} sure)."
        return self._decided("supported", score, reason, passages, place)

    def _without_model(
        self, claim: _Claim, nearest: Window, passages: Sequence[Evidence]
    ) -> Verdict:
        """Return what is proven without reading: another fact in otherwise the same words."""
        found = differences(claim.text, nearest.text)
        if found and found[0].kind != "negation":
            # That another sentence has the fact is seen in the longer window.
            found = found if differences(claim.text, claim.windows[0].text) else ()
        if found and nearest.relevance >= _SAME_BUT_FOR_FACTS:
            reason = f"In the same words, {found[0].reason}."
            return self._decided("contradicted", 0.0, reason, passages, _place(nearest, nearest))
        same = (
            "a longer sentence has the same words"
            if claim.quoted
            else "no passage has the same words"
        )
        return self._undecided(f"{same}, and nothing reads: {INSTALL}")

    def _undecided(self, reason: str, score: float | None = None) -> Verdict:
        return Verdict("undecided", reason=reason, score=score, judge=self.name)

    def _decided(
        self,
        outcome: Outcome,
        score: float,
        reason: str,
        passages: Sequence[Evidence],
        place: tuple[int, int, int],
    ) -> Verdict:
        number, start, end = place
        return Verdict(
            outcome,
            reason=reason,
            score=score,
            words=passages[number].text[start:end],
            span=passages[number].span(start, end),
            judge=self.name,
        )


def _prepared(question: SupportQuestion) -> _Asked:
    passages = [each for each in question.evidence if each.text.strip()]
    texts, titles = [each.text for each in passages], [each.title for each in passages]
    claims: dict[str, _Claim] = {}
    for start, end in sentence_pieces(question.statement) if texts else ():
        text = " ".join(question.statement[start:end].split())
        if text not in claims and has_words(text):
            found = quoted(text, texts)
            is_proven = found is not None and found.proves
            is_read = not is_proven and _words_of(text) >= _FEWEST_READ
            read = windows(text, texts, titles=titles) if is_read else []
            # Models take "12,000" for another number than "12000".
            pairs = [(in_the_same_form(text, each.text), each.text) for each in read]
            claims[text] = _Claim(text, found, read, pairs)
    return _Asked(passages, list(claims.values()), _unread(question.statement, texts))


def _is_labelled(before: str, texts: Sequence[str]) -> bool:
    """Return whether words before a sentence are a label that no text has: "Myth: …"."""
    label = before.rstrip()
    return label.endswith(":") and not any(label[:-1].lower() in text.lower() for text in texts)


def _unread(statement: str, texts: Sequence[str]) -> str:
    """Return what of a statement, if anything, is not in its words, and may say the opposite.

    Parts that its markup hides or strikes out, images, and, if no text has them, pictures, raised
    figures, overlays, and letters of other alphabets: `❌`, `⁰`, a struck letter, a Cyrillic "о" in
    "nоt". Those of Latin-1, such as `½`, are characters that models know, unless they raise a
    number: `50²`. What asks states nothing.
    """
    if unseen_parts(statement):
        return "a part of it is struck out or hidden"
    bare, done = "", 0
    for noise in find_noise(statement):
        shown = statement[noise.start : noise.end]
        tag = re.match(r"</?([a-z][\w:.-]*)", shown, re.IGNORECASE)
        if shown.startswith("![") or (tag and tag[1].lower() not in _FORMATTING):
            return "it shows more than its words"
        bare, done = bare + statement[done : noise.start], noise.end
    bare += statement[done:]
    if _STRUCK_ONCE.search(statement):
        return "a part of it is struck out or hidden"
    if normalize("NFKC", bare.rstrip(_CLOSING)).rstrip(_CLOSING).endswith(_ASKING):
        return "it asks"
    # "!(…)", and "… :-(" or "… ⊥": signs that neither begin nor end a sentence.
    first, last = statement.lstrip()[:1], statement.rstrip()[-1:]
    if (
        first in ("!", "?")
        or category(last or ".") == "Ps"
        or (last > "~" and category(last) == "Sm")
    ):
        return "a sign stands before or after it"
    signs = {
        char
        for char in statement
        if char > _LAST_KNOWN and (char.isalpha() or category(char) in _SIGNS or is_overlay(char))
    }
    signs |= {
        power for digit, power in pairwise(statement) if digit.isdigit() and power in SUPERSCRIPTS
    }
    unknown = signs.difference(*texts)
    return f"nothing reads its {min(unknown)!r}" if unknown else ""


def _words_of(text: str) -> int:
    return sum(each.kind in ("word", "number", "character") for each in tokenize(text))


def differs(statement: str, scored: Scored) -> bool:
    """Return whether the best of the windows has another fact in the place of the statement's."""
    return bool(differences(statement, foremost(scored)[0].text))


def _shortest(scored: Sequence[tuple[Window, float]]) -> Window:
    """Return the shortest window that is about as sure as the surest one."""
    least = _AS_GOOD * max(probability for _, probability in scored)
    found = (window for window, probability in scored if probability >= least)
    return min(found, key=lambda window: len(window.text))


def _place(window: Window, nearest: Window) -> tuple[int, int, int]:
    """Return the words that decide: the window's if they are a run, else the best sentence."""
    first, last = window.sentences[0], window.sentences[-1]
    if first.text != last.text or last.end - first.start > _LONGEST_SPAN:
        first = last = nearest.sentences[0]
    return first.text, first.start, last.end
