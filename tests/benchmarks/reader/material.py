"""Pairs to train the reader on, and to measure it on, from a folder of labelled data.

Every set is divided by document. `written.jsonl.gz`, beside this module, has texts, statements and
questions that were written for the reader; those of some texts are reserved, and so are half of
each labelled set, all of `HELD_OUT`, and the test parts of the questions.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from citeguard.documents.loading import read_sources
from citeguard.language.tables import read_passage
from citeguard.reader.windows import windows
from citeguard.training import AnswerPair, EntailmentPair, read_pairs, with_distractors
from citeguard.training.pairs import PairLabel

from ..data import rows

Part = Literal["train", "reserved"]

WRITTEN = Path(__file__).with_name("written.jsonl.gz")

# The most pairs of a public set: fewer of what templates made, none of what is not English.
_CAPS: Mapping[str, int] = {
    "fever_train_gold": 18_854,
    "fever_dev_gold": 13_432,
    "vitaminc_real": 34_289,
    "vitaminc_synth": 8_000,
    "feverous_dev": 2_961,
    "creak_expl": 1_000,
    "factcg_doc": 2_060,
    "factcg_musique": 300,
    "evidence_inference": 6_419,
    "propsegment_dev": 1_031,
    "drop_nli": 8_000,
    "monotonicity_help": 1_500,
    "frag_boolean": 200,
    "frag_counting": 200,
    "frag_negation": 200,
    "frag_comparative": 200,
    "frag_conditional": 200,
    "spatial": 500,
    "temporal_tracie": 1_500,
    "wikisplit": 4_000,
    "snli_sub": 4_000,
    "cnli": 3_000,
    "mnli_dev": 14_000,
    "taxinli": 3_153,
    "conjnli_adv": 3_000,
    "hans": 2_000,
    "entailmentbank": 3_632,
    "fig_qa": 1_000,
    "impli": 2_000,
}

# Of each labelled set, the share of documents that is trained on.
_SHARES: Mapping[str, float] = {
    **dict.fromkeys(("q2_wow", "nli_conj"), 1.0),
    **dict.fromkeys(("ragtruth_sent", "attributionbench", "bump", "factcheck_gpt"), 0.5),
    **dict.fromkeys(("summedits", "wice", "wice_tokens", "fever_symmetric"), 0.5),
    **dict.fromkeys(("nli_negation", "halueval_qa"), 0.5),
    "nli_breaking": 0.3,
}

HELD_OUT = ("fm2", "scifact_abs", "storysumm")
"""Labelled sets of which nothing is trained on."""

# Sets of questions whose licence allows weights to be made of them, and of what was crowd-labelled.
_QUESTIONS = ("squad2", "selqa", "qed_nq", "fairytaleqa", "policyqa")
ASKED = (*_QUESTIONS, "wikiqa", "unansq", "subjqa", "trecqa", "cast_passage")
"""Sets of questions that the reader is measured on."""

_LABELS: Mapping[str, PairLabel] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "neutral": "neutral",
    "unsupported": "not_supported",
    "not_supported": "not_supported",
}
_MOST_WORDS = 190  # of a text that is read whole, too
_WORD = re.compile(r"[^\W_]+")


class Statement(NamedTuple):
    """A labelled statement with its evidence, whole, to measure on."""

    set: str
    kind: str
    text: str
    evidence: tuple[str, ...]
    label: PairLabel


class Question(NamedTuple):
    """A question with a text, whole, to measure on."""

    set: str
    text: str
    passage: str
    answered: bool


def share(text: str) -> float:
    """Return a number from 0 to 1, the same for a document whenever it is asked for."""
    digest = hashlib.sha256(f"reader {text[:400]}".encode()).digest()
    return int.from_bytes(digest[:6]) / 2**48


def trained_pairs(folder: Path) -> list[EntailmentPair]:
    """Return what the head that entails is trained on, once each."""
    public: list[EntailmentPair] = []
    for name, most in _CAPS.items():
        pairs = read_pairs(folder / "nli" / f"{name}.jsonl.gz")
        Random(name).shuffle(pairs)
        public += (
            pair._replace(premise=windows(pair.hypothesis, [pair.premise])[0].text)
            for pair in pairs[:most]
        )
    judged = [
        EntailmentPair(windows(each.text, each.evidence)[0].text, each.text, each.label)
        for each in _labelled(folder, reserved=False)
    ]
    return [*with_distractors(public, share=0.35), *judged, *written_pairs(folder)]


def written_pairs(folder: Path) -> Iterator[EntailmentPair]:
    """Yield the written statements, each with all windows that would be read for it.

    A window without the pieces that decide does not support a true statement. Of claims about
    cells of tables the pieces are the figures.
    """
    for row in _written(folder, "train"):
        text = row["text"]
        for statement, label, _, where in row["claims"]:
            pieces = [_plain(piece) for piece in where]
            for read in _windows(statement, text):
                found = [piece in _plain(read) for piece in pieces]
                if all(found):
                    yield EntailmentPair(read, statement, label)
                elif label != "supported":
                    yield EntailmentPair(read, statement, "not_supported")
                elif not any(found):
                    yield EntailmentPair(read, statement, "neutral")


def trained_questions(folder: Path) -> Iterator[AnswerPair]:
    """Yield what the head that answers is trained on."""
    for name in _QUESTIONS:
        for row in rows(folder / "answerability" / f"{name}.jsonl.gz"):
            if row["split"] == "test" or row["label"] not in ("answers", "does_not"):
                continue
            answers = row["label"] == "answers"
            read = windows(row["question"], [row["passage"]])[0].text
            if answers and not any(text in read for *_, text in row["answers"]):
                read = row["passage"]
            yield AnswerPair(row["question"], read, answers)
    for row in _written(folder, "train"):
        for asked in row["questions"]:
            where = _plain(asked["where"])
            for read in {*_windows(asked["question"], row["text"]), asked["where"]}:
                answers = asked["label"] == "answers" and where in _plain(read)
                yield AnswerPair(asked["question"], read, answers)


def measured_statements(folder: Path, most: int) -> Iterator[Statement]:
    """Yield statements that nothing was trained on, at most so many of a set."""
    for row in _written(folder, "reserved"):
        for statement, label, kind, _ in row["claims"]:
            yield Statement(row.get("set", "written"), kind, statement, (row["text"],), label)
    by_set: dict[str, list[Statement]] = {}
    for each in _labelled(folder, reserved=True):
        by_set.setdefault(each.set, []).append(each)
    for name, statements in by_set.items():
        Random(name).shuffle(statements)
        for supported in (True, False):
            alike = [each for each in statements if (each.label == "supported") == supported]
            yield from alike[: most // 2]


def measured_questions(folder: Path, most: int) -> Iterator[Question]:
    """Yield questions that nothing was trained on, at most so many of a set."""
    for row in _written(folder, "reserved"):
        for asked in row["questions"]:
            answered = asked["label"] == "answers"
            yield Question(row.get("set", "written"), asked["question"], row["text"], answered)
    for name in ASKED:
        read = [
            row
            for row in rows(folder / "answerability" / f"{name}.jsonl.gz")
            if row["split"] == "test" and row["label"] in ("answers", "does_not")
        ]
        Random(name).shuffle(read)
        for answered in (True, False):
            alike = [row for row in read if (row["label"] == "answers") == answered]
            for row in alike[: most // 2]:
                yield Question(name, row["question"], row["passage"], answered)


def _labelled(folder: Path, *, reserved: bool) -> Iterator[Statement]:
    for name in (*_SHARES, *HELD_OUT):
        part = _SHARES.get(name, 0.0)
        for row in rows(folder / f"{name}.jsonl.gz"):
            evidence = tuple(each["text"] for each in row["context"])
            held = share("\n".join(evidence)) >= part
            if row["label"] in _LABELS and row["statement"] and held == reserved:
                yield Statement(name, "", row["statement"], evidence, _LABELS[row["label"]])


def _written(folder: Path, part: Part) -> Iterator[dict[str, Any]]:
    """Yield the written rows; the texts of some are in the folder, under the ids of their sets."""
    texts: dict[tuple[str, str], str] = {}
    for row in rows(WRITTEN):
        if row["part"] != part:
            continue
        if "from" in row and (row["from"], row["id"]) not in texts:
            for number, each in enumerate(rows(next(folder.rglob(f"{row['from']}.jsonl.gz")))):
                passages = [passage["text"] for passage in each.get("context") or ()]
                read = "\n".join(passages) or each.get("passage") or each.get("premise") or ""
                texts[row["from"], each.get("id", number)] = read
        if "from" in row:
            # Of a long text only the beginning was read by those who wrote.
            row["text"] = texts[row["from"], row["id"]][: row.get("characters")]
        if "format" in row:
            row["text"] = _with_cells_as_sentences(row)
        yield row


def _with_cells_as_sentences(row: Mapping[str, Any]) -> str:
    """Return the text of a document with tables as judges read it."""
    (source,) = read_sources([(f"{row['id']}.{row['format']}", row["text"].encode())])
    return read_passage(source.text, 0, len(source.text), source.readings)[0]


def _windows(asked: str, text: str) -> dict[str, None]:
    read: Sequence[str] = [each.text for each in windows(asked, [text])]
    whole = [" ".join(text.split())] if len(text.split()) < _MOST_WORDS else []
    return dict.fromkeys((*read, *whole))


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
