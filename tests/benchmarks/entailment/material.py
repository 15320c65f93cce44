"""What the shipped entailment model is trained on, from the folder of labelled data.

Public pairs (`nli/`), statements of the labelled sets with the window of their evidence that has
most of their words, and pairs that are made by rule from texts, in which only who, what, when or
how much is wrong; then claims that were written for the training. Nothing is taken from documents
that figures are measured on.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast

from citeguard.datasets import synthesize
from citeguard.judges.entailment import Selection
from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.language.windows import sentence_pieces
from citeguard.training.pairs import EntailmentPair, PairLabel, read_pairs, with_distractors
from citeguard.verifier.evidence import index_of
from citeguard.verifier.features import measure
from citeguard.verifier.model import shipped_model

from ..adversarial.corpus import rows
from ..floors.data import document_key, excluded_documents
from ..grounding.entailed import reading_of
from .recombined import recombined

SEED = 20261123

# The most pairs of a public set. Left out: sets made by templates beyond a few hundred pairs, other
# languages, figures of speech, and news whose licence is not known.
_CAPS: Mapping[str, int] = {
    "fever_train_gold": 18_854,
    "fever_dev_gold": 13_432,
    "vitaminc_real": 34_289,
    "vitaminc_synth": 8_000,
    "feverous_dev": 2_961,
    "creak_expl": 1_000,
    "factcg_musique": 300,
    "evidence_inference": 5_000,
    "propsegment_dev": 1_031,
    "drop_nli": 2_000,
    "monotonicity_help": 3_000,
    "frag_boolean": 300,
    "frag_counting": 300,
    "frag_negation": 300,
    "frag_comparative": 300,
    "frag_conditional": 300,
    "spatial": 500,
    "temporal_tracie": 1_500,
    "wikisplit": 6_000,
    "snli_sub": 4_000,
    "cnli": 3_000,
    "mnli_dev": 14_000,
    "taxinli": 3_153,
    "conjnli_adv": 3_000,
    "hans": 2_500,
    "entailmentbank": 3_632,
    "fig_qa": 500,
    "impli": 2_000,
}

# Of each labelled set, the share of documents that is trained on. Of the first four, half is kept
# for the figures of the model card; of the rest, what is left trains the verifier's trees.
RESERVED = ("ragtruth_sent", "attributionbench", "summedits", "bump")
_SHARES: Mapping[str, float] = {
    **dict.fromkeys(RESERVED, 0.3),
    **dict.fromkeys(("factcheck_gpt", "wice", "wice_tokens", "clapnq", "quotesum"), 0.5),
}
_TEXTS = ("xquad_en", "clapnq", "quotesum", "wice", "ragtruth_sent", "factcheck_gpt")
_LEAST_RELEVANT = 0.4  # of a window, for a supported statement: else it is not the evidence
_MADE = 38_000  # pairs by rule
REPLAYED = 12_000  # pairs of the first stage that the second reads again
_LONGEST = 1_000  # characters of a premise


def share_of(document: str) -> float:
    """Return a number from 0 to 1 that is the same for a document in every set and on every day."""
    digest = hashlib.sha256(f"{SEED} {document_key(document)}".encode()).digest()
    return int.from_bytes(digest[:6]) / 2**48


def is_reserved(name: str, evidence: Sequence[str]) -> bool:
    """Whether an item is kept for the last measurement, of which nothing may know."""
    return name in RESERVED and share_of(evidence[0]) >= 0.5


def is_trained(name: str, evidence: Sequence[str]) -> bool:
    """Whether the entailment model is trained on an item."""
    kept = any(document_key(text) in excluded_documents() for text in evidence)
    return not kept and share_of(evidence[0]) < _SHARES.get(name, 0)


def all_pairs(folder: Path, show: Callable[[str], object] = print) -> list[EntailmentPair]:
    """Return all pairs, shuffled."""
    known = set(_evaluated(folder))
    public = [
        pair
        for name in _CAPS
        for pair in _public(folder, name)
        if known.isdisjoint(_sentences(f"{pair.premise}\n{pair.hypothesis}"))
    ]
    show(f"{len(public):,} public pairs")
    pairs = list(with_distractors(public, share=0.35, seed=SEED))
    judged = [pair for name in _SHARES for pair in _judged(folder, name)]
    show(f"{len(judged):,} statements of the labelled sets")
    made = sorted(set(_made(folder)))
    made = Random(SEED).sample(made, min(len(made), _MADE))
    show(f"{len(made):,} pairs made by rule")
    pairs += judged + judged + made
    Random(SEED).shuffle(pairs)
    return pairs


def _public(folder: Path, name: str) -> list[EntailmentPair]:
    pairs = [
        pair
        for pair in read_pairs(folder / "nli" / f"{name}.jsonl.gz")
        if len(pair.premise) <= _LONGEST * 1.5
    ]
    Random(f"{SEED} {name}").shuffle(pairs)
    return pairs[: _CAPS[name]]


_STOP = re.compile(r"[.!?\n]+")
_WORDS = 6  # of a sentence that can be recognized


def _sentences(text: str) -> Iterator[str]:
    for sentence in _STOP.split(text):
        words = re.findall(r"\w+", sentence.casefold())
        if len(words) >= _WORDS:
            yield " ".join(words)


def _evaluated(folder: Path) -> Iterator[str]:
    """Yield the sentences of all labelled sets."""
    for path in sorted(folder.glob("*.jsonl.gz")):
        for row in rows(folder, path.name.removesuffix(".jsonl.gz")):
            yield from _sentences(row["statement"] or "")
            for passage in row["context"]:
                yield from _sentences(passage["text"])


_LABELS: Mapping[str, PairLabel] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "unsupported": "not_supported",
}


def _judged(folder: Path, name: str) -> Iterator[EntailmentPair]:
    selection = Selection(size=3, overlap=1, passages=2)
    for row in rows(folder, name):
        texts = [passage["text"] for passage in row["context"]]
        if row["label"] is None or not row["statement"] or not is_trained(name, texts):
            continue
        evidence = tuple(Evidence(text=text[:20_000]) for text in texts[:8])
        for statement, label in _parts(row):
            question = SupportQuestion(statement=statement, evidence=evidence)
            read = [each for each in selection.premises(question) if not each.whole]
            if not read or (label == "supported" and read[0].relevance < _LEAST_RELEVANT):
                continue
            two = "\n".join(each.text for each in read[:2])
            for premise in {read[0].text, two if len(two) <= _LONGEST else read[0].text}:
                yield EntailmentPair(premise, statement, label)


def _parts(row: Mapping[str, Any]) -> Iterator[tuple[str, PairLabel]]:
    """Yield the sentences of a statement: those that an edit did not touch are supported."""
    statement, label = row["statement"], _LABELS[row["label"]]
    pieces = sentence_pieces(statement)
    if label == "supported" or not row["spans"] or len(pieces) == 1:
        if len(pieces) == 1 or label == "supported":
            yield from ((statement[start:end].strip(), label) for start, end in pieces)
        return
    for start, end in pieces:
        touched = any(first < end and last > start for first, last, _ in row["spans"])
        yield statement[start:end].strip(), label if touched else "supported"


@cache
def _texts(folder: Path) -> list[str]:
    found: dict[str, None] = {}
    for name in _TEXTS:
        for row in rows(folder, name):
            for passage in row["context"]:
                text = passage["text"]
                share = 0.5 if name not in RESERVED else 0.3
                fits = 200 <= len(text) <= 12_000 and share_of(text) < share
                if fits and document_key(text) not in excluded_documents():
                    found[text] = None
    for name in ("drop_nli", "evidence_inference", "propsegment_dev", "feverous_dev"):
        for pair in read_pairs(folder / "nli" / f"{name}.jsonl.gz"):
            if len(pair.premise) >= 300:
                found[pair.premise] = None
    texts = list(found)
    Random(SEED).shuffle(texts)
    return texts


def _made(folder: Path) -> Iterator[EntailmentPair]:
    random = Random(SEED)
    for text in _texts(folder):
        yield from recombined(text, random, most=14)
    yield from _synthesized(_texts(folder)[:2_500])


def _synthesized(texts: Iterable[str]) -> Iterator[EntailmentPair]:
    """Yield sentences that one change makes wrong, each in the window where it stands."""
    for text in texts:
        pieces = sentence_pieces(text)
        chosen = [place for place, (s, e) in enumerate(pieces) if 50 <= e - s <= 300][:3]
        for place in chosen:
            sentence = text[slice(*pieces[place])].strip()
            first, last = pieces[max(0, place - 1)][0], pieces[min(len(pieces) - 1, place + 1)][1]
            window = text[first:last].strip()
            items = [(sentence, "1", {"1": window})]
            for wrong in synthesize(items, each=2, seed=place, target="statement"):
                label = "contradicted" if wrong.kind in _CONTRADICTING else "not_supported"
                yield EntailmentPair(window, wrong.text, cast(PairLabel, label))
            yield EntailmentPair(window, sentence, "supported")


_CONTRADICTING = ("negation", "number", "unit", "date")

CLAIMS = Path(__file__).with_name("claims.jsonl.gz")
"""Claims about texts, written for the training: true in other words, wrong in the same words."""


def written_pairs(path: Path = CLAIMS) -> list[EntailmentPair]:
    """Return claims that were written for the training, each with the passages read for it."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    model = shipped_model()
    pairs: dict[EntailmentPair, None] = {}
    for row in rows:
        evidence = index_of((row["text"],))
        for claim, label, _, where in row["claims"]:
            places = [_plain(each) for each in ([where] if isinstance(where, str) else where)]
            measured = measure(claim, evidence, model.rarity_of)
            if measured is None:
                continue
            read = [premise for premise, _ in reading_of(measured, evidence).pairs(evidence)]
            read += [row["text"]] if len(row["text"]) <= _LONGEST else []
            for premise in read:
                found = [place in _plain(premise) for place in places]
                # Who reads only a part of what decides cannot tell that the claim is true.
                if all(found):
                    pairs[EntailmentPair(premise, claim, label)] = None
                elif label != "supported":
                    pairs[EntailmentPair(premise, claim, "not_supported")] = None
                elif not any(found):
                    pairs[EntailmentPair(premise, claim, "neutral")] = None
    return list(pairs)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
