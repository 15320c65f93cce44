"""What language models read about their mistakes: one function per error code.

Every message says what is wrong, shows the nearest passage of the source and the words that differ,
written `[-what the quote says-] {+what the source says+}` as by `wdiff`, and ends with what to do.
None is longer than `excerpts.LIMIT` characters; the advice is never cut.

A message about a field of a user's own model names it (`field`), and does not mention statements.
Neither does one about a `Citation`, which any model may have.

Ids and passages are written as JSON strings, which a model that writes JSON can copy unchanged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches

from citeguard.language.excerpts import (
    CUT,
    LIMIT,
    STOPS,
    as_excerpt,
    as_json,
    shown,
    with_passage,
)
from citeguard.language.lexicon import union
from citeguard.language.scripts import UNSPACED, is_unspaced
from citeguard.quotes.differences import SPLICE, STRUCK
from citeguard.quotes.find import ASKING
from citeguard.sources.matches import Edit, Framing, Match

_Interval = tuple[int, int]  # half-open; of code points

_DIFF_LIMIT = 180
# One difference always fits: words before it, both its sides, and the marks.
_SIDE_LIMIT = 60
_CONTEXT_LIMIT = 40
# Bounds of work, not of output: what lies beyond them could not be shown anyway.
_DIFF_CHARACTERS = 60_000
_DIFF_TOKENS = 150

# A script without spaces has no words to compare, so each character is a token.
_TOKEN = f"[{UNSPACED}]|[^\\W{UNSPACED}]+(?:[.,:/'’-][^\\W{UNSPACED}]+)*|[^\\w\\s]"
_BLANKS = {"\n": "⏎", "\t": "⇥", " ": "␣"}  # any other is shown as "⍽"
_GLYPHS = str.maketrans("‘’‚‛“”„‟‐‑", "''''\"\"\"\"--")


def word_diff(
    quote: str, passage: str, edits: Sequence[Edit] = (), exact: bool = False, around: int = 3
) -> str:
    """Show the words that differ, `[-quote-] {+source+}`, in at most 180 characters.

    Starts at the first visible material edit, with up to `around` equal words or signs on either
    side of each; "…" stands for the others. Words that differ only in the shape of quotation marks
    or hyphens are equal, and so are different blanks, and capitals and signs if no material edit is
    about them; unless `exact`, which shows all blanks but a single space. If nothing differs, lists
    the edits.
    """

    def shown_blanks(blanks: re.Match[str]) -> str:
        return " " if blanks[0] == " " else "".join(_BLANKS.get(each, "⍽") for each in blanks[0])

    quote, passage = quote[:_DIFF_CHARACTERS], passage[:_DIFF_CHARACTERS]
    if exact:
        quote, passage = (re.sub(r"\s+", shown_blanks, text) for text in (quote, passage))
    changed = [(edit.quoted, edit.source) for edit in edits if edit.material]
    is_cased = any(ours.casefold() == theirs.casefold() for ours, theirs in changed)
    folded = bool(changed) and not (exact or is_cased)
    ours, theirs, matcher = _compared(quote, passage, exact, folded)
    # Signs that no material edit is about are not what is wrong.
    signs = "".join(side for pair in changed for side in pair) if folded else None

    groups: list[list[str]] = []
    end = 0
    for opcodes in matcher.get_grouped_opcodes(around):
        changes = (
            (_text(quote, ours[h:i]), _text(passage, theirs[j:k])) for _, h, i, j, k in opcodes
        )
        group = [*_pieces([opcode[0] == "equal" for opcode in opcodes], changes, signs)]
        if any(piece.startswith(("[-", "{+")) for piece in group):
            groups.append(group)
        end = opcodes[-1][4]
    if not groups:
        return list_edits(edits)
    sides = [each.strip() for pair in changed for each in pair]
    first = 0
    for number, group in enumerate(groups):
        changes = " ".join(piece for piece in group if piece.startswith(("[-", "{+")))
        if any(side and side in changes for side in sides):
            first = number
            break
    pieces = ["…"] if first else []
    for group in groups[first:]:
        pieces += [*group, "…"]
    rest = passage[theirs[end - 1][1] if end else 0 :]
    return _joined(pieces if any(map(str.isalnum, rest)) else pieces[:-1], " ")


def _pieces(
    alike: Iterable[bool], pairs: Iterable[tuple[str, str]], signs: str | None
) -> Iterator[str]:
    """Yield how words are shown, equal or changed; no other signs than these unless `None`."""
    for is_same, (ours, theirs) in zip(alike, pairs, strict=True):
        if is_same:
            yield shown(theirs, _CONTEXT_LIMIT)
        elif signs is None or any(char.isalnum() or char in signs for char in ours + theirs):
            yield _changed(ours, theirs)


def changed_at(quote: str, passage: str, exact: bool = False) -> _Interval:
    """Return where in the passage the words are that differ, with the one before them."""
    quote, passage = quote[:_DIFF_CHARACTERS], passage[:_DIFF_CHARACTERS]
    _, theirs, matcher = _compared(quote, passage, exact)
    changes = [(j, k) for tag, _, _, j, k in matcher.get_opcodes() if tag != "equal"]
    if not changes or not theirs:
        return 0, 0
    first, last = max(0, changes[0][0] - 1), max(changes[-1][1], changes[0][0])
    return theirs[min(first, len(theirs) - 1)][0], theirs[min(last, len(theirs) - 1)][1]


def _compared(
    quote: str, passage: str, exact: bool, folded: bool = False
) -> tuple[list[_Interval], list[_Interval], SequenceMatcher[str]]:
    """Return the tokens of both from shortly before the first change on, and what matches them."""

    def keys(text: str, tokens: list[_Interval]) -> list[str]:
        read = text if exact else text.translate(_GLYPHS)
        words = [read[start:end] for start, end in tokens]
        return [word.casefold() for word in words] if folded else words

    ours, theirs = _tokens(quote), _tokens(passage)
    a, b = keys(quote, ours), keys(passage, theirs)
    alike = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    # Little before the first difference, as `SequenceMatcher` may take quadratic time.
    skip = max(0, (min(len(a), len(b)) if alike is None else alike) - 4)
    window = slice(skip, skip + _DIFF_TOKENS)
    matcher = SequenceMatcher(None, a[window], b[window], autojunk=False)
    return ours[window], theirs[window], matcher


def _tokens(text: str) -> list[_Interval]:
    tokens: list[_Interval] = []
    for token in re.finditer(_TOKEN, text):
        start, end = token.span()
        # A vowel sign of Hindi is no letter to `re`, and would cut its word in two.
        if tokens and tokens[-1][1] == start:
            first = text[start]
            after_mark = unicodedata.category(text[start - 1])[0] == "M"
            goes_on = after_mark and first.isalnum() and not is_unspaced(first)
            if goes_on or unicodedata.category(first)[0] == "M":
                tokens[-1] = (tokens[-1][0], end)
                continue
        tokens.append((start, end))
    return tokens


def _text(text: str, tokens: Sequence[_Interval]) -> str:
    return text[tokens[0][0] : tokens[-1][1]] if tokens else ""


def _changed(quoted: str, source: str) -> str:
    sides = ("[-{}-]", quoted), ("{{+{}+}}", source)
    return " ".join(mark.format(shown(side, _SIDE_LIMIT)) for mark, side in sides if side)


def list_edits(edits: Sequence[Edit]) -> str:
    """Show the edits that are material, in at most 180 characters."""
    changes = (_changed(edit.quoted, edit.source) for edit in edits if edit.material)
    return _joined([change for change in dict.fromkeys(changes) if change], "; ")


def _joined(pieces: Sequence[str], separator: str) -> str:
    joined = ""
    for piece in pieces:
        longer = f"{joined}{separator}{piece}" if joined else piece
        if len(longer) > _DIFF_LIMIT - len(CUT):
            return joined + CUT
        joined = longer
    return joined


_ID_LIMIT = 40
_REASONS_LIMIT = 60
_REASON_LIMIT = 200
_QUESTION_LIMIT = 80
_UNDECIDED_LIMIT = 120
# Bounds of work, not of output: what lies beyond them could not be shown anyway.
_IDS_COMPARED = 1_000
_ID_COMPARED = 200
_FARTHEST_LIMIT = 60  # characters between a quote and what limits it
_AROUND_PASSAGES = 90  # characters of the words around two passages


def quote_empty(
    known: Sequence[str], source_id: str | None = None, field: str | None = None
) -> str:
    """Say that a quote has no letters or digits."""
    return (
        f"The quote is empty: it has no letters or digits. Copy words{_into(field)} verbatim from "
        f"{_one_of(known, source_id)}, or drop your claim."
    )


def quote_too_short(
    length: int,
    min_length: int,
    known: Sequence[str],
    source_id: str | None = None,
    field: str | None = None,
    sentence: str = "",
    often: bool = False,
) -> str:
    """Say that a quote is too short to prove anything; both lengths are in letters or digits.

    The sentence is the first one of the source that has the quote; if it is found `often`, others
    have it, too.
    """
    problem = f"The quote is too short: {length} of at least {min_length} letters or digits."
    if sentence:
        return with_passage(
            f"{problem} It is found in {_named(source_id)}{', first here' if often else ''}: ",
            sentence,
            f". Copy more of the passage that you mean{_into(field)} verbatim, or drop your claim.",
        )
    return (
        f"{problem} Copy a longer passage{_into(field)} verbatim from "
        f"{_one_of(known, source_id)}, or drop your claim."
    )


def quote_not_found(
    source_id: str | None,
    nearest_id: str | None = None,
    nearest: str | None = None,
    field: str | None = None,
) -> str:
    """Say that a quote is not found, and show the nearest passage."""
    problem = f"The quote is not found in {_named(source_id)}"
    advice = (
        f"Copy words{_into(field)} verbatim from a source, or drop your claim if no "
        "source supports it."
    )
    if nearest is None or nearest_id is None:
        return f"{problem}. No passage resembles it. {advice}"
    where = "its nearest passage" if nearest_id == source_id else f"nearest is {_named(nearest_id)}"
    return with_passage(f"{problem}; {where}: ", nearest, f". {advice}")


def quote_altered(match: Match, field: str | None = None, cited: str | None = None) -> str:
    """Say how a quote differs from the words that it was found at; another source may be cited."""
    quote, text, material, named = match.quote, match.text, match.material, _named(match.source_id)
    before, sentences = "", match.sentences()
    if cited not in (None, match.source_id):
        before = f"{_capital(_named(cited))} does not have the quote; cite {named}. "
    if not material:
        passage = sentences[0] if len(match.spans) == 1 else text
        return _with_difference(
            f"{before}The quote is not a verbatim copy of one passage of {named}",
            passage,
            [word_diff(quote, text, exact=True)],
            f"Copy one unbroken passage{_into(field)} character by character, or drop your claim.",
            _within(passage, text, *changed_at(quote, text, exact=True)),
        )
    if is_clipped(match):
        passage, whole = sentences[0], fuller(match)
        words = as_json(material[0].source, 80)
        cut, what = "cuts through a word or number", "whole words and numbers"
        if any(edit.reason == "limit" for edit in material):
            effect = (
                "makes it a question" if material[0].source in ASKING else "denies or limits it"
            )
            cut, what = f"leaves out {words}, which {effect},", "it as well"
        elif all(edit.source.casefold() in union("negators") for edit in material):
            cut = "omits the negation that follows it"
        return _with_difference(
            f"{before}The quote {cut} in {named}",
            passage,
            [word_diff(quote, whole, material)],
            f"Copy {what}{_into(field)} verbatim, and {_only(field)}, or drop your claim.",
            _within(passage, whole, *changed_at(quote, whole)),
        )
    reasons = ", ".join(dict.fromkeys(edit.reason for edit in material))
    says = f"says ({shown(reasons, _REASONS_LIMIT)})"
    if len(match.spans) > 1:
        return _misjoined(
            f"{before}With its ellipsis the quote is not what {named} {says}", match, field
        )
    problem = f"The quote is not what {named} {says}"
    advice = f"Copy the source's words{_into(field)} verbatim"
    # Its first word may be before the match if the next one was exchanged.
    first = f"{quote.partition(' ')[0]} "
    before_it = match.source.text[: match.span.start][-len(first) :]
    text = before_it + text if before_it.casefold() == first.casefold() else text
    if any(edit.reason == SPLICE for edit in material):
        problem = f"The quote runs two sentences or items of {named} into one"
        advice = (
            f"Copy one of them{_into(field)} verbatim"
            f"{' or make two citations' if field is None else ''}, or write … for whole sentences "
            "that you leave out"
        )
    if any(edit.reason == STRUCK for edit in material):
        problem = f"The quote has words that {named} strikes out"
        advice = f"Copy words that it shows{_into(field)}"
    text = _with_names(match) or text
    return _with_difference(
        f"{before}{problem}",
        sentences[0],
        [word_diff(quote, text, material), word_diff(quote, text, material, around=1)],
        f"{advice}, and {_only(field)}, or drop your claim.",
        _within(sentences[0], text, *changed_at(quote, text)),
    )


def _with_names(match: Match) -> str | None:
    """Return the cells that a quote names by their columns, written as such; `None` without."""
    quote, (start, end) = match.quote.casefold(), (match.span.start, match.span.end)
    if "|" not in match.text or "|" in quote or ":" not in quote:
        return None
    rows = (row for table in match.source.readings for row in table.rows)
    row = next((row for row in rows if row.start < end and start < row.end), None)
    named = [
        f"{value.column[-1]}: {value.text}"
        for value in (row.values if row else ())
        if value.column and value.column[-1].casefold() in quote
    ]
    return ", ".join([*row.names[-1:], *named]) if row and named else None


def _misjoined(problem: str, match: Match, field: str | None) -> str:
    """Say that the parts of an elided quote do not belong together, or what it must not omit."""
    text, sentences = match.source.text, match.sentences()
    first, last = (text[span.start : span.end] for span in (match.spans[0], match.spans[-1]))
    if len(sentences) > 1 and not (sentences[0] in sentences[-1] or sentences[-1] in sentences[0]):
        room = LIMIT - _AROUND_PASSAGES - len(problem)
        parts: list[str] = []
        # What one sentence leaves of its half of the room, the other may have.
        for ours, other, part in (
            (sentences[0], sentences[-1], first),
            (sentences[-1], sentences[0], last),
        ):
            spare = max(0, room // 2 - len(as_json(other, room)))
            parts.append(as_excerpt(ours, room // 2 + spare, *_within(ours, part, 0, len(part))))
        remedy = "Make two citations instead, from" if field is None else "Quote only one of"
        return f"{problem}. {remedy} {parts[0]} and {parts[1]}, or drop your claim."
    passage = max(sentences, key=len)
    start, end = passage.find(first), passage.rfind(last) + len(last)
    return _with_difference(
        problem,
        passage,
        [word_diff(match.quote, text[match.span.start : match.span.end], match.edits)],
        f"Copy one unbroken passage{_into(field)} without an ellipsis, or drop your claim.",
        (max(0, start), end),
    )


def quote_wrong_source(
    source_id: str, found_in: Sequence[str], passage: str, field: str | None = None
) -> str:
    """Say that a quote is found in other sources than the cited one; the passage is their first."""
    return with_passage(
        f"The quote is not found in {_named(source_id)}, but in {_sources(found_in)}: ",
        passage,
        f". Cite {_named(found_in[0])} instead, or copy a quote{_into(field)} verbatim from "
        f"{_named(source_id)}.",
    )


def quote_wrong_speaker(source_id: str, speaker: str, found: Sequence[str]) -> str:
    """Say that somebody else says a quote."""
    names = " and ".join(as_json(each, _NAME_LIMIT) for each in found)
    given = as_json(speaker, _NAME_LIMIT)
    return (
        f"In {_named(source_id)}, this is said by {names}, not by {given}. Set the speaker to "
        f"{as_json(found[0], _NAME_LIMIT)}, and say so in the statement, too; or quote words of "
        f"{given}."
    )


_NAME_LIMIT = 80
_FRAMINGS = {
    "denied": "deny it",
    "attributed": "attribute it to somebody else",
    "conditional": "make it depend on a condition",
    "asked": "ask whether it is so",
}


def quote_framed(source_id: str, framing: Framing, passage: str, field: str | None = None) -> str:
    """Say that the sentence that a quote was cut from does not assert it."""
    return with_passage(
        f"{_capital(_named(source_id))} does not say this itself; "
        f"the words {as_json(framing.words, 80)} {_FRAMINGS[framing.kind]}: ",
        passage,
        f". Quote the whole sentence{_into(field)}, including these words, and word your claim "
        "accordingly, or drop it.",
        *_within(passage, framing.words, 0, len(framing.words)),
    )


def source_unknown(
    source_id: str,
    known: Sequence[str],
    found_in: Sequence[str] = (),
    suggestion: str | None = None,
    quoted: bool = True,
    field: str | None = None,
    nearest_id: str | None = None,
    passage: str = "",
    seen: _Interval = (0, 0),
) -> str:
    """Say that a source id is unknown, which ids are known, and which of them is meant.

    The quote, if there is one, is `found_in` these sources, or else a passage of another is nearest
    to it, of which `seen` must be shown.
    """
    problem = f"There is no {_named(source_id)}; cite {_one_of(known, None)}."
    if len(found_in) == 1:
        before = f"{problem} The quote is found in {_named(found_in[0])} only: "
        return with_passage(before, passage, ". Cite that one.")
    if found_in:
        before = f"{problem} The quote is found in {_sources(found_in, 3)}: "
        return with_passage(before, passage, ". Cite one of them.")
    meant = "" if suggestion is None else f" Did you mean {_name(suggestion)}?"
    if not quoted:
        return f"{problem}{meant}"
    problem = f"{problem}{meant} The quote is not found in any source"
    advice = f"Copy words{_into(field)} verbatim from the source that you cite, or drop your claim."
    if nearest_id is None:
        return f"{problem}. No passage resembles it. {advice}"
    before = f"{problem}; nearest is {_named(nearest_id)}: "
    return with_passage(before, passage, f". {advice}", *seen)


def source_unread(field: str) -> str:
    """Say that a quote cannot be checked because the field that names its source is not valid."""
    return (
        f"The quote cannot be checked: the field {_name(field)}, which names its source, is "
        "missing or wrong. Correct that field first. (In the schema it must precede the quote.)"
    )


def evidence_missing(evidence_field: str, field: str | None) -> str:
    """Say that the text of a field has no evidence in the field that is meant for it."""
    return (
        f"{_capital(_subject(field))} has no evidence. Copy the words that support it verbatim "
        f"from a source into {_name(evidence_field)}, or omit it."
    )


def evidence_unread(evidence_field: str, field: str | None) -> str:
    """Say that a field cannot be judged because the field with its evidence is not valid."""
    return (
        f"{_capital(_subject(field))} cannot be judged: {_name(evidence_field)}, which holds its "
        f"evidence, is missing or wrong. Correct {_name(evidence_field)} first. (In the schema it "
        "must come first, too.)"
    )


def statement_empty(field: str | None = None) -> str:
    """Say that a statement's text is blank."""
    if field is not None:
        return f"{_capital(_subject(field))} is blank. Write what the sources support, or omit it."
    return "The statement is blank. Write what its citations support, or drop the statement."


def statement_uncited(known: Sequence[str]) -> str:
    """Say that a statement cites nothing."""
    return (
        "The statement has no citation. Cite words copied verbatim from "
        f"{_one_of(known, None)}, with the id of the source, or drop the statement. If no source "
        "answers the question, have no statements, and say why in `unanswerable`."
    )


def answer_empty(unanswerable: str = "unanswerable") -> str:
    """Say that an answer has no statements, nor a reason in the field of that name."""
    return (
        "The answer has no statements. Answer one statement at a time, each with its citations. If "
        f"the sources do not answer the question, say why not in `{unanswerable}`."
    )


def not_in_sources(unanswerable: str) -> str:
    """Say what a language model says is not in the sources, in words that no reader can mistake."""
    return f"Not in the sources, in the model's own, unchecked words: {unanswerable}"


def statement_judged(
    outcome: str, reason: str, words: str = "", *, cited: bool = True, field: str | None = None
) -> str:
    """Say that the cited passages, or the sources, do not support a statement, or contradict it."""
    if outcome == "contradicted":
        evidence, contradicts = (
            ("the cited text", "contradicts") if cited else ("the sources", "contradict")
        )
        problem = f"{_capital(evidence)} {contradicts} {_subject(field)}"
        advice = f"Correct it to agree with {evidence}, or drop it."
    elif cited:
        problem = f"The cited text does not support {_subject(field)}"
        advice = "Say no more than the cited text says, cite a passage that says it, or drop it."
    else:
        problem = f"The sources do not support {_subject(field)}"
        advice = "Say no more than the sources say, or drop it."
    return _judged(problem, reason, words, advice)


def answer_misaligned(
    reason: str, question: str | None, unanswerable: str = "unanswerable", *, is_open: bool = False
) -> str:
    """Say that the statements do not answer the question, or, of one left open, that sources do."""
    asked = "" if question is None else f" {as_json(question, _QUESTION_LIMIT)}"
    if is_open:
        problem = f"The sources do answer the question{asked}"
        advice = (
            f"Answer it in statements, each with its citations, and leave `{unanswerable}` empty."
        )
    else:
        problem = f"The statements together do not answer the question{asked}"
        advice = (
            "Answer all of it and nothing else. State in "
            f"`{unanswerable}` what the sources do not say."
        )
    return _judged(problem, reason, "", advice)


def undecided(reason: str, subject: str = "statement", *, has_read: bool = False) -> str:
    """Say that a check could not be carried out; or, if it `has_read`, that it could not decide.

    The first must not be corrected; in the second case another wording may help.
    """
    # The first line only: the others are for those who run the judge.
    cause = shown(reason.strip().partition("\n")[0].removesuffix("."), _UNDECIDED_LIMIT)
    if has_read:
        why = f" (What it found: {cause}.)" if cause else ""
        return (
            f"The check could not decide on the {subject}. Use words closer to those of the "
            f"passage that supports it, cite a better passage, or drop it.{why}"
        )
    why = f" (The check gave no verdict: {cause}.)" if cause else ""
    return (
        f"The {subject} could not be checked. This is not your mistake, and nothing is known to be "
        f"wrong with it. Repeat the {subject} unchanged.{why}"
    )


def closest(source_id: str, known: Sequence[str]) -> str | None:
    """Return the known id that is most similar to an unknown one, ignoring case, or `None`."""
    folded = {other.casefold()[:_ID_COMPARED]: other for other in known[:_IDS_COMPARED]}
    found = get_close_matches(source_id.casefold()[:_ID_COMPARED], folded, n=1)
    return folded[found[0]] if found else None


def is_clipped(match: Match) -> bool:
    """Return whether all that is wrong with a match is where the quote begins or ends."""
    return {edit.reason for edit in match.material} <= {"clipped", "limit"}


def fuller(match: Match) -> str:
    """Return the words of a clipped match with those that it cuts off."""
    text, start, end = match.source.text, match.span.start, match.span.end
    for cut in (edit.source for edit in match.material):
        head = len(text[:start].rstrip())
        if text.endswith(cut, 0, head):
            start = head - len(cut)
        elif (place := text.find(cut, end, end + len(cut) + _FARTHEST_LIMIT)) >= 0:
            end = place + len(cut)
    return text[start:end]


def _with_difference(
    problem: str, passage: str, differences: Sequence[str], advice: str, seen: _Interval
) -> str:
    """Show a passage and the first of the differences that fits beside the whole of it, if any.

    If the passage alone does not fit, it is cut, and the shortest difference is shown.
    """
    before = f"{problem}. It says: "
    listed = [
        f" Difference, [-yours-] {{+source+}}: {each}{'' if each.endswith((*STOPS, CUT)) else '.'}"
        for each in differences
        if each
    ]
    room = LIMIT - len(before) - len(f". {advice}") - len(as_json(passage, LIMIT))
    shortest = min(listed, key=len, default="")
    shown = next((text for text in listed if len(text) <= room), "" if room >= 0 else shortest)
    return with_passage(before, passage, f".{shown} {advice}", *seen)


def _within(sentences: str, passage: str, start: int, end: int) -> _Interval:
    """Return where `passage[start:end]` is in the sentences around the passage."""
    place = max(0, sentences.find(passage))
    return place + start, place + end


def _judged(problem: str, reason: str, words: str, advice: str) -> str:
    said = as_json(reason.strip(), _REASON_LIMIT)
    stop = "" if said.endswith(('."', '!"', '?"')) else "."
    before = f"{problem}. The judge: {said}{stop} " if reason.strip() else f"{problem}. "
    return with_passage(f"{before}The source: ", words, f". {advice}") if words else before + advice


def _subject(field: str | None) -> str:
    return "the statement" if field is None else f"the text of {_name(field)}"


def _only(field: str | None) -> str:
    claim = "`text`" if field is None else "your claim"
    return f"make {claim} say only what they say"


def _capital(subject: str) -> str:
    return subject[0].upper() + subject[1:]


def _into(field: str | None) -> str:
    return "" if field is None else f" into {_name(field)}"


def _named(source_id: str | None) -> str:
    return "any source" if source_id is None else f"source {_name(source_id)}"


def _sources(ids: Sequence[str], most: int = 5) -> str:
    names = ", ".join(_name(source_id) for source_id in ids[:most])
    more = f" and {len(ids) - most} more" if len(ids) > most else ""
    return f"source{'s' if len(ids) > 1 else ''} {names}{more}"


def _one_of(known: Sequence[str], source_id: str | None) -> str:
    if source_id is not None:
        return _named(source_id)
    return f"one of the {_sources(known)}" if len(known) > 1 else _sources(known)


def _name(source_id: str) -> str:
    return as_json(source_id, _ID_LIMIT)
