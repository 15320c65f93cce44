"""Samples written for trainers: `export_samples`, in a folder that appears when it is complete.

The folder has a file for each split, and the dataset card; `ExportSummary` is what is reported.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from dataclasses import fields as fields_of
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import IO, Any, cast

from citeguard.datasets.fields import Fields, MalformedSampleError, field_getter
from citeguard.datasets.filter_files import FilterSummary, summary_of
from citeguard.datasets.formats import (
    AnswerKind,
    Form,
    PromptKind,
    Rendering,
    as_json,
    rejected_text,
)
from citeguard.datasets.readers import CHUNK_SIZE, errors_naming, reader_of
from citeguard.datasets.samples import CheckedSample, SampleChecker, failed
from citeguard.datasets.splits import SPLITS, Shares, SourceGroups, Split, digest_of
from citeguard.errors import CiteguardError, check_text
from citeguard.language.excerpts import counted_as, escaped, shown
from citeguard.validation.models import Answer
from citeguard.validation.policy import DEFAULT_POLICY, Policy

_FEWEST = 10  # OpenAI's guide to supervised fine-tuning
_SHOWN = 300
_COUNTS = ("read", "kept", "rejected", "undecided", "codes", "duplicates")
_CONTENTS: dict[Form, str] = {
    "chat": "messages, the last of which is the answer",
    "completion": "a prompt and its completion",
    "preference": "a prompt, the preferred answer, and the one that was rejected before it",
    "chosen-rejected": "a prompt, the chosen answer, and the one that was rejected before it",
}
CARD = "README.md"
_OWN_FILES = frozenset({CARD, *(f"{split}.jsonl" for split in SPLITS)})


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
    license: str | None = None,
    overwrite: bool = False,
) -> ExportSummary:
    """Write samples to train with: a JSONL file for each split, and a card.

    Every sample is validated again, so that the quotes written are the sources' own words. Samples
    that fail are not written, and are counted by code: those of validation, and `question_missing`,
    `group_missing`, `rejected_missing`, `rejected_passes`, `rejected_same`, and `text_unencodable`
    (a lone surrogate). Duplicates are written, and counted.

    The folder appears when it is complete; until then it has a hidden name beside it. The samples
    are read once and in constant memory, except for some 200 bytes for each different document and
    some 100 for each sample. The same samples in the same order give the same bytes.

    Args:
        samples: What `filter_samples` takes: a path, a table, or an iterable of objects.
        to: The folder to write.
        form: `chat` and `preference` as OpenAI reads them; `completion`, with one text each for
            prompt and completion; `chosen-rejected`, pairs with messages as TRL reads them.
        prompt: `instruction`: the question with its sources, as `Sources.as_prompt` writes them;
            `simple`: the question alone, to be answered from what the model has learnt.
        answer: `json`: the object that the language model is to fill in, as `model` reads it;
            `text`: sentences, each with its quotes in brackets; `plain`: sentences alone, for
            simple prompts. By default `json`, and `plain` for simple prompts without pairs.
        system: Your own system message; an empty one for none.
        validation: The share of groups to validate with, from 0 to below 1.
        test: The share of groups to test with, from 0 to below 1.
        seed: Determines the splits.
        group: Where samples name the group that must not be divided, as a key or an expression; by
            default samples that share a document are a group, as by `split_by_source`.
        model: The model that answers are validated as.
        sources: What all samples share; else each has its own.
        policy: What fails, or a function that returns it.
        fields: Where samples keep their parts.
        rejected: Where samples keep earlier attempts, one or a list, for pairs: objects, or texts
            as the language model wrote them. The last one that fails is written.
        license: The licence of the data, as the hub names it ("cc-by-4.0"), for the card. Only you
            know it: it depends on the licences of the sources.
        overwrite: Replace an earlier export; a folder with anything else in it is never replaced.

    Raises:
        NothingExportedError: no sample could be exported.
        CiteguardError: arguments out of range, samples that cannot be read, or a folder that exists
            or cannot be written.
    """
    check_text("license", license)
    rendering = Rendering(form=form, prompt=prompt, answer=answer, system=system, model=model)
    shares = Shares(validation=validation, test=test, seed=seed)
    checker = SampleChecker(model, sources=sources, policy=policy, fields=fields)
    exporter = _Exporter(checker, rendering, group=group, rejected=rejected)
    if not os.fspath(to):  # would be the working directory
        raise CiteguardError("the path of the folder to write is empty")
    folder = Path(to)
    with new_folder(folder, overwrite=overwrite) as partial, ExitStack() as stack:
        writer = SplitWriter(partial, folder, stack)
        counts = FilterSummary()
        for chunk in reader_of(samples).chunks(CHUNK_SIZE, 0):
            results = checker.check_chunk(chunk)
            for i, checked in enumerate(results):
                if checked.outcome == "kept":
                    try:
                        writer.add(*exporter.export(checked))
                    except MalformedSampleError as error:
                        results[i] = failed(checked.sample, error)
            counts += summary_of(results)
        known = {each.name: getattr(counts, each.name) for each in fields_of(counts)}
        if not writer.count:
            raise NothingExportedError(ExportSummary(folder=folder, **known))
        splits = writer.groups.splits(shares)
        sizes = writer.distribute(splits)
        documents, shared = writer.groups.document_counts(splits)
        summary = ExportSummary(
            **known,
            folder=folder,
            splits={
                split: SplitFacts(samples=sizes[split], documents=documents[split])
                for split in SPLITS
                if split in sizes
            },
            groups=len(splits),
            duplicates=writer.duplicates,
            longest=writer.longest,
            fingerprint=writer.fingerprint,
        )
        warnings = tuple(warnings_of(summary, shares, form, shared=shared))
        summary = replace(summary, warnings=warnings)
        text = card_of(
            summary,
            license=license,
            rendering=rendering,
            shares=shares,
            policy=checker.policy,
            group=group,
        )
        with errors_writing(folder):
            partial.joinpath(CARD).write_text(text, "utf-8", newline="\n")
    return summary


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFacts:
    """How many samples a split has, and how many different documents these were checked against."""

    samples: int
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSummary(FilterSummary):
    """How many samples were read and written, by outcome, and what to know of the result.

    Attributes:
        folder: Where they were written to.
        splits: The size of each split; empty ones are omitted.
        groups: How many groups of samples there are that share no document.
        duplicates: How many of the kept samples equal an earlier one.
        longest: The longest sample in characters, with all its messages.
        fingerprint: A digest of the samples and their splits; the card has it, too.
        warnings: What you should know before you train with it.
    """

    folder: Path
    splits: Mapping[Split, SplitFacts] = field(default_factory=dict[Split, SplitFacts])
    groups: int = 0
    duplicates: int = 0
    longest: int = 0
    fingerprint: str = ""
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the counts on one line, and a line for each split, code and warning."""
        counts, *codes = FilterSummary.__str__(self).splitlines()
        splits = (
            f"  {split}: {counted_as(facts.samples, 'sample')}, "
            f"{counted_as(facts.documents, 'document')}"
            for split, facts in self.splits.items()
        )
        return "\n".join([counts, *splits, *codes, *(f"  ! {each}" for each in self.warnings)])


class NothingExportedError(CiteguardError):
    """No sample could be exported, and nothing was written.

    Attributes:
        summary: The counts, and why.
    """

    def __init__(self, summary: ExportSummary) -> None:
        codes = ", ".join(f"{code} {count:,}" for code, count in summary.codes.items())
        message = f"none of {summary.read:,} samples could be exported ({codes})"
        super().__init__(message if summary.read else "there are no samples to export")
        self.summary = summary


class _Exporter:
    """Renders samples that passed, unless they cannot be exported."""

    def __init__(
        self, checker: SampleChecker, rendering: Rendering, *, group: str | None, rejected: str
    ) -> None:
        self._checker = checker
        self._rendering = rendering
        self._attempts = SampleChecker(checker.model, policy=checker.policy)
        self._rejected_of = field_getter("rejected", rejected)
        self._group_of = None if group is None else field_getter("group", group)

    def export(self, checked: CheckedSample) -> tuple[str, list[bytes], str | None]:
        """Return the line of a sample, the digests of its documents, and its group."""
        sample = cast("Mapping[str, Any]", checked.sample)
        sources = self._checker.sources_of(sample)
        question = self._checker.fields.question_of(sample)
        question = getattr(checked.answer, "question", None) if question is None else question
        if not isinstance(question, str) or not question.strip():
            raise MalformedSampleError("the sample has no question", "question_missing")
        chosen = self._rendering.answer_text(checked.answer)
        rejected = ""
        if self._rendering.has_pairs:
            attempts = self._rejected_of(sample)
            rejected = rejected_text(self._attempts, attempts, question, sources, chosen)
        group = None
        if self._group_of is not None:
            if (value := self._group_of(sample)) is None:
                raise MalformedSampleError("the sample names no group", "group_missing")
            group = json.dumps(value, sort_keys=True, default=str)
        line = as_json(self._rendering.record(question, sources, chosen, rejected))
        try:
            line.encode()
        except UnicodeEncodeError as error:
            message = f"a text cannot be encoded as UTF-8: {error}"
            raise MalformedSampleError(message, "text_unencodable") from error
        return line, [digest_of(source.text) for source in sources], group


def warnings_of(
    summary: ExportSummary, shares: Shares, form: Form, *, shared: int
) -> Iterator[str]:
    """Yield the warnings, most serious first; `shared` documents are in several splits."""
    if shared:
        documents = "1 document is" if shared == 1 else f"{shared:,} documents are"
        yield f"{documents} in more than one split, as the given groups allow it."
    wanted: dict[Split, float] = {"validation": shares.validation, "test": shares.test}
    missing = [split for split in wanted if wanted[split] > 0 and split not in summary.splits]
    if missing and summary.groups == 1:
        yield (
            "All samples share sources, and such a group is not divided: all are in train. Give "
            "each only the sources that it is about, or name its group (group, --group-field)."
        )
    elif missing:
        yield f"There are too few groups of samples to fill {' and '.join(missing)}."
    if form in ("chat", "preference") and summary.splits["train"].samples < _FEWEST:
        yield f"train has fewer than {_FEWEST} samples, the fewest that OpenAI accepts."
    if summary.duplicates:
        yield f"{summary.duplicates:,} of the samples are the same as an earlier one."


def card_of(
    summary: ExportSummary,
    *,
    license: str | None,
    rendering: Rendering,
    shares: Shares,
    policy: Policy | None,
    group: str | None,
) -> str:
    """Return the card in Markdown, as the hub and `datasets` of Hugging Face read it.

    The same samples and settings give the same card.
    """
    sources = "the sources to answer it from" if rendering.prompt == "instruction" else "no sources"
    system = rendering.instructions
    facts: dict[str, Any] = {
        "samples": {name: getattr(summary, name) for name in _COUNTS},
        "splits": {split: asdict(each) for split, each in summary.splits.items()},
        "settings": {
            "fingerprint": summary.fingerprint,
            "form": rendering.form,
            "prompt": rendering.prompt,
            "answer": rendering.answer,
            "system message": None if system is None else system.identity,
            "model": getattr(rendering.model, "__name__", str(rendering.model)),
            "policy": dict(_changed_rules(policy or DEFAULT_POLICY)),
            **asdict(shares),
            "group": group,
            "citeguard": version("pydantic-citeguard"),
        },
    }
    # No text can close the block, or render as Markdown.
    block = json.dumps(facts, ensure_ascii=False, indent=2).replace("`", "\\u0060")
    splits = "No document is in more than one split."
    parts = [
        _front_matter(summary, license),
        f"# {escaped(summary.folder.name, _SHOWN)}",
        f"Each sample has {_CONTENTS[rendering.form]}. The prompt has the question and {sources}. "
        "citeguard has checked the quotes of every answer against the sources, and written them as "
        "they appear there.",
        splits if group is None else "The splits are by groups, not by documents.",
    ]
    if summary.warnings:
        warnings = "\n".join(f"- {each}" for each in summary.warnings)
        parts += ["## Before you train with it", warnings]
    parts += ["## How it was made", f"```json\n{block}\n```"]
    return "\n\n".join(parts) + "\n"


def _front_matter(summary: ExportSummary, license: str | None) -> str:
    # JSON is YAML, too, and stays on one line.
    def quoted(text: str) -> str:
        return json.dumps(shown(text, _SHOWN), ensure_ascii=False)

    return "\n".join(
        [
            "---",
            *([] if license is None else [f"license: {quoted(license)}"]),
            *("tags:", "- citations", "- citeguard"),
            *("configs:", "- config_name: default"),
            # Without a value that changes, `datasets` would serve an earlier export from its cache.
            f"  description: {quoted(f'export {summary.fingerprint}')}",
            "  data_files:",
            *(f"  - split: {split}\n    path: {split}.jsonl" for split in summary.splits),
            "---",
        ]
    )


def _changed_rules(policy: Policy) -> Iterator[tuple[str, str]]:
    for each in fields_of(policy):
        value = getattr(policy, each.name)
        if value == getattr(DEFAULT_POLICY, each.name):
            continue
        # Of judges only the types: their settings may hold keys and addresses.
        if each.name in ("support", "alignment", "retriever"):
            judges = cast("tuple[Any, ...]", value if isinstance(value, tuple) else (value,))
            yield each.name, "+".join(type(judge).__name__ for judge in judges)
        else:
            yield each.name, repr(value)


@contextmanager
def new_folder(to: Path, *, overwrite: bool) -> Generator[Path]:
    """Yield a hidden folder beside `to`, and rename it to `to` when the block is done.

    If the block fails, the hidden folder is deleted. Only a process that is killed leaves it
    behind, under a name that ends in ".partial".
    """
    to = to.resolve()
    _check_replaceable(to, overwrite=overwrite)
    partial = to.parent / f".{to.name}.{secrets.token_hex(4)}.partial"
    with errors_writing(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        partial.mkdir()
    try:
        yield partial
        with errors_writing(to):
            _check_replaceable(to, overwrite=overwrite)
            # A folder cannot be replaced in one step where it has files; until the new one has its
            # name, the old one can come back.
            old = partial.with_suffix(".old")
            if to.is_dir():
                to.rename(old)
            try:
                partial.rename(to)
            except OSError:
                if old.is_dir():
                    old.rename(to)
                raise
            shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def errors_writing(to: Path) -> AbstractContextManager[None]:
    """Turn errors of the file system into errors that name the folder."""
    return errors_naming(f"{to}: cannot be written")


def _check_replaceable(to: Path, *, overwrite: bool) -> None:
    with errors_writing(to):
        if not to.name:
            raise CiteguardError(f"{to}: name a folder to write to")
        if to.exists() and not to.is_dir():
            raise CiteguardError(f"{to}: already exists, and is not a folder")
        names = {path.name for path in to.iterdir()} if to.is_dir() else set[str]()
    if names and not overwrite:
        instead = "overwrite it (overwrite=True, --overwrite), or name another folder"
        raise CiteguardError(f"{to}: already exists; {instead}")
    if others := sorted(names - _OWN_FILES):
        other = f"{others[0]!r}, which no export wrote"
        raise CiteguardError(f"{to}: contains {other}; it is not replaced")


class SplitWriter:
    """Writes samples to one buffer file, and then each to the file of its split.

    Which split a sample belongs to is known only when all have been read. Errors name the
    `folder`, and the `stack` closes the files.
    """

    def __init__(self, partial: Path, folder: Path, stack: ExitStack) -> None:
        self.groups = SourceGroups()  # of the samples, by their documents
        self.count = 0
        self.longest = 0  # sample, in characters
        self.fingerprint = ""  # of what was written, and to which split
        self._partial, self._folder, self._stack = partial, folder, stack
        # Flat memory: eight bytes for each sample, and a digest for each different line.
        self._nodes, self._digests = array("q"), set[bytes]()
        self._buffer = partial / "samples.buffer"
        self._file = self._open(self._buffer)

    @property
    def duplicates(self) -> int:
        """How many of them equal an earlier one."""
        return self.count - len(self._digests)

    def add(self, line: str, documents: Iterable[bytes], group: str | None) -> None:
        """Write a sample to the buffer; its documents, or its group, determine its split."""
        encoded = f"{line}\n".encode()
        self.count += 1
        self._nodes.append(self.groups.add(documents, group))
        self._digests.add(hashlib.blake2b(encoded, digest_size=16).digest())
        self.longest = max(self.longest, len(line))
        with errors_writing(self._folder):
            self._file.write(encoded)

    def distribute(self, splits: Mapping[int, Split]) -> dict[Split, int]:
        """Write each sample to the file of its split; return how many samples each has."""
        sizes: dict[Split, int] = {}
        files: dict[Split, IO[bytes]] = {}
        fingerprint = hashlib.blake2b(digest_size=8)
        with errors_writing(self._folder):
            self._file.close()
            with self._buffer.open("rb") as lines:
                for node, line in zip(self._nodes, lines, strict=True):
                    split = splits[self.groups.root(node)]
                    if split not in files:
                        files[split] = self._open(self._partial / f"{split}.jsonl")
                    files[split].write(line)
                    fingerprint.update(f"{split} ".encode() + line)
                    sizes[split] = sizes.get(split, 0) + 1
            for file in files.values():
                file.close()
            self._buffer.unlink()
        self.fingerprint = fingerprint.hexdigest()
        return sizes

    def _open(self, path: Path) -> IO[bytes]:
        with errors_writing(self._folder):
            file = path.open("wb")

        def close_quietly() -> None:
            # What cannot be written has been raised before; closing would raise it again.
            with suppress(OSError):
                file.close()

        self._stack.callback(close_quietly)
        return file
