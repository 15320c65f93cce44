"""Libraries whose process is killed while it changes them, and what is left of them.

    python -m killed_library FOLDER POINTS SEED

Writes what was wrong, a line each, and then how many processes were killed and how many changes
they had made.
"""

import os
import signal
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from citeguard.language.tokens import terms
from citeguard.library.catalogue import Catalogue, StoredQuestion
from citeguard.library.database import LibraryFile
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import StoredPassage
from citeguard.sources.collection import Source

_DOCUMENTS = 8
_WORDS = ("lunch", "notice", "badge", "garden", "euro")
_WIDTH = 16
_LONGEST = 0.15  # seconds before a process is killed
_OPENING = 5  # of so many processes one may be killed while it opens the file
_OF_A_FILE = 20  # processes, before they begin another file


def killed(folder: Path, *, points: int, seed: int = 0) -> tuple[list[str], int]:
    """Kill so many processes at random, and return what is wrong with what they leave.

    Args:
        folder: Where libraries are kept.
        points: The number of processes.
        seed: For the times after which they are killed, and what they change.

    Returns:
        A line for each fault, and the number of changes that were finished.
    """
    random, faults, changes = Random(seed), list[str](), 0
    terms("Lunch is free.")  # loads here what each process would load again
    for point in range(points):
        path = folder / f"{point // _OF_A_FILE}.db"
        begun, done = os.pipe()
        child = os.fork()
        if child == 0:
            _change(path, Random(f"{seed} {point}"), done)
        os.close(done)
        if point % _OPENING:
            os.read(begun, 1)
        time.sleep(random.uniform(0, _LONGEST))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(begun, "rb") as finished:
            changes += finished.read().count(b"+")
        faults += [f"point {point}: {fault}" for fault in faults_of(path)]
    return faults, changes


def _change(path: Path, random: Random, done: int) -> None:
    """Change a library until this process is killed."""
    file = LibraryFile(path)
    catalogue, store = Catalogue(file), SQLiteStore(file)
    os.write(done, b"-")
    while True:
        source_id = f"document {random.randrange(_DOCUMENTS)}"
        known = catalogue.versions()
        if source_id in known and random.random() < 0.2:
            with file.writing():
                catalogue.delete([source_id])
                store.delete([source_id])
        else:
            version = str(int(known.get(source_id, 0)) + random.randrange(1, 9))
            passages = passages_of(source_id, version)
            source = Source(source_id, "".join(each.text for each in passages))
            with file.writing():
                store.put(source_id, version, passages, vectors_of(source_id, version))
                catalogue.put(source, version=version, passages=len(passages))
                asked = StoredQuestion(question="What now?", answer={}, source_id=source_id)
                catalogue.add_questions([asked], vectors=np.eye(1, _WIDTH, dtype=np.float32))
        os.write(done, b"+")


def passages_of(source_id: str, version: str) -> list[StoredPassage]:
    """Return the passages that a version of a document has; each has the version's word."""
    random = Random(f"{source_id} {version}")
    passages: list[StoredPassage] = []
    start = 0
    for _ in range(random.randrange(1, 60)):
        words = random.choices(_WORDS, k=random.randrange(90))
        text = f"{_word(source_id, version)} {' '.join(words)}. "
        passages.append(StoredPassage(start, start + len(text), text, tuple(text.lower().split())))
        start += len(text)
    return passages


def _word(source_id: str, version: str) -> str:
    """Return a word that no other version or document has, nor another inflection of it."""
    letters = str.maketrans("0123456789", "bcdfghjklm")
    return f"{source_id.split()[-1]}z{version}q".translate(letters)


def vectors_of(source_id: str, version: str) -> NDArray[np.float32]:
    """Return the vectors of these passages: those of one version are the same."""
    at = Random(f"{source_id} {version}").randrange(_WIDTH)
    return np.eye(_WIDTH, dtype=np.float32)[[at] * len(passages_of(source_id, version))]


def faults_of(path: Path) -> list[str]:
    """Return what is wrong with a library; documents are as `passages_of` says."""
    if not path.exists():
        return []
    file = LibraryFile(path)
    try:
        return [*_faults(file)]
    finally:
        file.close()


def _faults(file: LibraryFile) -> list[str]:
    catalogue, store = Catalogue(file), SQLiteStore(file)
    faults: list[str] = []
    with file.writing() as connection:
        faults += [
            f"integrity: {row}"
            for row in connection.execute("PRAGMA integrity_check")
            if row != ("ok",)
        ]
        faults += [f"orphan: {row}" for row in connection.execute("PRAGMA foreign_key_check")]
        for index in ("passages", "questions"):
            connection.execute(
                f"INSERT INTO {index}_words ({index}_words) VALUES ('integrity-check')"
            )
            different = (
                f"SELECT id FROM {index} EXCEPT SELECT rowid FROM {index}_words "
                f"UNION ALL SELECT rowid FROM {index}_words EXCEPT SELECT id FROM {index}"
            )
            faults += [f"words of {index}: {row}" for row in connection.execute(different)]
        counted = connection.execute("SELECT count(*) FROM passages").fetchone()[0]
        asked = connection.execute("SELECT count(*) FROM questions").fetchone()[0]
        without = connection.execute(
            "SELECT count(*) FROM passages_documents "
            "WHERE id NOT IN (SELECT document FROM passages_vectors)"
        ).fetchone()[0]
    versions = catalogue.versions()
    if versions != store.versions():
        faults.append(f"documents {versions}, but passages of {store.versions()}")
    expected = {each: passages_of(each, version) for each, version in versions.items()}
    if not counted == len(store) == sum(map(len, expected.values())):
        faults.append(f"{counted} passages, {len(store)} counted, of {versions}")
    if without:
        faults.append(f"{without} documents without vectors")
    if asked != len(catalogue.questions()):
        faults.append(f"{asked} questions that are found, of {len(catalogue.questions())}")
    for source_id, passages in expected.items():
        texts = [each.text for each in passages]
        if catalogue.document(source_id).text != "".join(texts):
            faults.append(f"{source_id} has another text")
        word = _word(source_id, versions[source_id])
        found = store.matching(word, k=100)
        if sorted(each.span.start for each in found) != [each.start for each in passages]:
            faults.append(f"{source_id} has {len(found)} passages with {word}, not {len(texts)}")
        vector = vectors_of(source_id, versions[source_id])[0]
        near = store.nearest(vector, k=100, source_ids=[source_id])
        if [each.text for each in near if each.score > 0.99] != texts:
            faults.append(f"{source_id} has {len(near)} passages with vectors, not {len(texts)}")
    return faults


def main(arguments: list[str]) -> int:
    """Kill processes, and write what is wrong."""
    folder, points, seed = arguments
    faults, changes = killed(Path(folder), points=int(points), seed=int(seed))
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(f"{points} killed, {changes} changes\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
