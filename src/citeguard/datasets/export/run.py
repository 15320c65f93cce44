"""Samples written for trainers: `export_samples`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from typing import Any

from citeguard.datasets.export.advice import warnings_of
from citeguard.datasets.export.card import Card, card_of
from citeguard.datasets.export.folder import CARD, appearing, folder_named, written
from citeguard.datasets.export.preparing import Preparing
from citeguard.datasets.export.rendering import AnswerKind, Form, PromptKind, Rendering
from citeguard.datasets.export.splits import (
    SPLITS,
    Shares,
    Split,
    counts_of_documents,
)
from citeguard.datasets.export.spool import Spool
from citeguard.datasets.export.summary import ExportSummary, NothingExportedError, SplitFacts
from citeguard.datasets.fields import Fields
from citeguard.datasets.reading import CHUNK_SIZE, reader_of
from citeguard.datasets.samples import SampleChecker
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy

_SPOOL = "samples.spool"


def export_samples(
    samples: Any,
    to: str | PathLike[str],
    *,
    form: Form = "chat",
    prompt: PromptKind = "instruction",
    answer: AnswerKind | None = None,
    system: str | None = None,
    validation: float = 0.1,
    test: float = 0.0,
    seed: int = 0,
    group: str | None = None,
    model: Any = Answer,
    sources: Any = None,
    policy: Policy | Callable[[], Policy] | None = None,
    fields: Fields | None = None,
    rejected: str = "rejected",
    card: Card | None = None,
    overwrite: bool = False,
) -> ExportSummary:
    """Write samples to train with: a JSONL file for each split, and a card.

    Every sample is validated anew, so that what is written are the sources' own words. What fails
    is not written, and counted by its codes: those of validation, and `question_missing`,
    `group_missing`, `rejected_missing`, `rejected_passes`, `rejected_same`, `text_unencodable` (a
    lone surrogate), and `answer_not_restored` (a model of yours that does not read what it writes).
    Samples that say the same are all written, and counted.

    The folder appears when it is complete; until then it grows under a hidden name beside it. The
    samples are read once and in constant memory, but for some 200 bytes for each different document
    and some 100 for each sample. The same samples in the same order give the same bytes.

    Args:
        samples: What `reader_of` takes: a path, a table, or an iterable of objects.
        to: The folder to write.
        form: `chat` and `preference` as OpenAI reads them; `completion`, with a text each for
            prompt and completion; `chosen-rejected`, pairs with messages as TRL reads them.
        prompt: `instruction`: the question with its sources, as `Sources.as_prompt` has them;
            `simple`: the question alone, to be answered from what the model has learnt.
        answer: `json`: the object that the language model is to fill in, as `model` reads it;
            `text`: sentences, each with its quotes in brackets; `plain`: sentences alone, for
            simple prompts. By default `json`, and `plain` for simple prompts without pairs.
        system: A system message of yours; an empty one for none.
        validation: The share of groups to validate with, from 0 to below 1.
        test: The share of groups to test with, likewise.
        seed: Another one gives other splits.
        group: Where samples name the group that is not to be split, as a key or an expression; by
            default samples that share a document are a group, as `split_by_source` has it.
        model: What answers are validated as.
        sources: What all samples share; else each has its own.
        policy: What fails. Or a function that returns it.
        fields: Where samples keep what.
        rejected: Where samples keep earlier attempts, one or a list, for pairs: objects, or texts
            as the language model wrote them. The last one that fails is written.
        card: What the card is to say besides.
        overwrite: Replace an earlier export; a folder with anything else in it is never replaced.

    Raises:
        NothingExportedError: no sample could be exported.
        CiteguardError: arguments out of range, samples that cannot be read, a folder that is there
            or cannot be written.
    """
    rendering = Rendering(form=form, prompt=prompt, answer=answer, system=system, model=model)
    shares = Shares(validation=validation, test=test, seed=seed)
    checker = SampleChecker(model, sources=sources, policy=policy, fields=fields)
    preparing = Preparing(checker, rendering, group=group, rejected=rejected)
    folder = folder_named(to)
    with appearing(folder, overwrite=overwrite) as partial, ExitStack() as stack:
        spool = Spool(partial / _SPOOL, folder, stack)
        for chunk in reader_of(samples).chunks(CHUNK_SIZE, 0):
            for exported in preparing.of(chunk):
                spool.add(exported)
        if not spool.count:
            raise NothingExportedError(preparing.summary(folder))
        splits = spool.groups.splits(shares)
        sizes = spool.distribute(partial, splits)
        documents, shared = counts_of_documents(spool.groups, splits)
        summary = replace(
            preparing.summary(folder),
            splits=_facts(sizes, documents),
            groups=len(splits),
            duplicates=spool.duplicates,
            longest=spool.longest,
            fingerprint=spool.fingerprint,
        )
        summary = replace(summary, warnings=warnings_of(summary, shares, form, shared=shared))
        text = card_of(
            summary,
            Card() if card is None else card,
            rendering=rendering,
            shares=shares,
            policy=checker.policy,
            group=group,
        )
        with written(folder):
            partial.joinpath(CARD).write_text(text, "utf-8", newline="\n")
    return summary


def _facts(
    sizes: Mapping[Split, tuple[int, int]], documents: Mapping[Split, int]
) -> dict[Split, SplitFacts]:
    return {
        split: SplitFacts(
            samples=sizes[split][0], documents=documents[split], bytes=sizes[split][1]
        )
        for split in SPLITS
        if split in sizes
    }
