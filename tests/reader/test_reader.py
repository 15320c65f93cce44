"""The reader as a network: what it gives for pairs, whatever they are asked with."""

import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from citeguard import CiteguardError
from citeguard.reader.model import LONGEST, MODEL, SETTINGS, TOKENIZER, Reader, is_reader
from training_pairs import plans, save_reader

pytestmark = pytest.mark.torch

PAIRS = [(pair.hypothesis, pair.premise * times) for times, pair in enumerate(plans(12), 1)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_reader(tmp_path_factory.mktemp("readers") / "small")


class TestReader:
    def test_gives_the_same_logits_in_any_company(self, folder: Path) -> None:
        together = Reader(folder).entails(PAIRS)
        alone = np.concatenate([Reader(folder).entails([pair]) for pair in PAIRS[::-1]])[::-1]
        assert together.shape == (12, 3)
        assert (together == alone).all()

    def test_has_two_heads(self, folder: Path) -> None:
        reader = Reader(folder)
        assert reader.answers(PAIRS).shape == (12,)
        assert reader.entails([]).shape == (0, 3)
        assert reader.answers([]).shape == (0,)

    def test_reads_no_pair_in_part(self, folder: Path) -> None:
        long = ("It is.", "plan " * LONGEST)
        first, second, third = Reader(folder).entails([PAIRS[0], long, PAIRS[0]])
        assert (first == third).all()
        assert np.isnan(second).all()

    def test_can_be_shared_by_threads(self, folder: Path) -> None:
        reader, expected = Reader(folder), Reader(folder).entails(PAIRS)
        with ThreadPoolExecutor(4) as pool:
            for rows in pool.map(reader.entails, [PAIRS] * 8):
                assert (rows == expected).all()

    def test_can_be_sent_to_another_process_once_it_is_loaded(self, folder: Path) -> None:
        reader = Reader(folder)
        rows = reader.entails(PAIRS)
        assert (pickle.loads(pickle.dumps(reader)).entails(PAIRS) == rows).all()

    @pytest.mark.parametrize("missing", [MODEL, TOKENIZER, SETTINGS])
    def test_of_a_folder_without_a_file(self, missing: str, folder: Path, tmp_path: Path) -> None:
        other = Path(shutil.copytree(folder, tmp_path / "other"))
        (other / missing).unlink()
        assert not is_reader(other)
        with pytest.raises(CiteguardError, match=f"other has no {missing}"):
            _ = Reader(other).settings if missing == SETTINGS else Reader(other).entails(PAIRS)

    def test_of_a_damaged_file(self, folder: Path, tmp_path: Path) -> None:
        other = Path(shutil.copytree(folder, tmp_path / "other"))
        (other / MODEL).write_bytes(b"no model")
        with pytest.raises(CiteguardError, match="other: "):
            Reader(other).entails(PAIRS)


class TestTheShippedReader:
    def test_reads_what_words_alone_do_not_show(self) -> None:
        passage = "Northwind Ltd. was acquired by Harbour Group in 2019 for 40 million euros."
        asked = ["Harbour Group bought Northwind.", "Northwind was sold to an American rival."]
        supported = Reader().entails([(statement, passage) for statement in asked])[:, 0]
        assert supported[0] > supported[1]

    def test_sees_what_answers(self) -> None:
        question = "How long does the battery last?"
        passages = ["The battery lasts for nine hours.", "The battery is made in Norway."]
        answers = Reader().answers([(question, passage) for passage in passages])
        assert answers[0] > answers[1]
