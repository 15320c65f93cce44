import gc
import sys
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest

from citeguard import CiteguardError
from citeguard.retrieval.embeddings import (
    EmbeddingFailedError,
    SentenceEmbedder,
    Vectors,
    vectors_of,
)
from tiny_entailment import MINILM, save_model

pytestmark = pytest.mark.torch

LABELS = ["entailment", "neutral", "contradiction"]
TEXTS = ["Notice is one month.", "", "x " * 2_000, "雨が降った。", "🎉", "\ud800 alone", "Notice."]


class Counting:
    """An embedder that remembers what it was asked."""

    def __init__(self, row: Sequence[float] | None = None) -> None:
        self.row = row
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str], /) -> Any:
        self.asked.append(list(texts))
        return [self.row or [len(text), 1.0] for text in texts]


@pytest.fixture(scope="module")
def minilm() -> SentenceEmbedder:
    return SentenceEmbedder(MINILM)


class TestSentenceEmbedder:
    def test_puts_like_things_together(self, minilm: SentenceEmbedder) -> None:
        month, thirty, lunch = Vectors(minilm)(
            ["Notice is one month.", "You have to give a month's notice.", "Lunch is free."]
        )
        assert month @ thirty > 0.7 > 0.3 > month @ lunch

    def test_has_a_name_and_a_version(self, minilm: SentenceEmbedder) -> None:
        assert minilm.name == MINILM.name
        assert repr(minilm) == f"SentenceEmbedder({str(MINILM)!r})"
        assert "modules.json" in str(minilm.version)

    @pytest.mark.parametrize("part", ["config.json", "2_Dense/config.json"])
    def test_version_changes_with_the_files(self, part: str, tmp_path: Path) -> None:
        before = SentenceEmbedder(tmp_path).version
        (tmp_path / part).parent.mkdir(exist_ok=True)
        (tmp_path / part).write_text("{}")
        assert SentenceEmbedder(tmp_path).version != before

    def test_tells_what_is_not_read_to_its_end(self, minilm: SentenceEmbedder) -> None:
        texts = [
            "short",
            "word " * 250,
            "word " * 260,
            "雨" * 260,
            "antidisestablish" * 30,
            "\ud800",
        ]
        assert minilm.cut_off(texts) == [False, False, True, True, False, False]


class TestSentenceEmbedderMistakes:
    def test_a_folder_that_is_no_model(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("no model")
        with pytest.raises(CiteguardError, match=r"cannot be loaded \(.*Give the folder of a Sent"):
            SentenceEmbedder(tmp_path)(["rain"])

    def test_a_name_that_cannot_be_downloaded(self) -> None:
        embedder = SentenceEmbedder("nobody/has-this-model")
        with pytest.raises(CiteguardError, match="a name works once it has been downloaded"):
            embedder(["rain"])

    def test_a_classifier(self, tmp_path: Path) -> None:
        save_model(tmp_path, LABELS)
        with pytest.raises(CiteguardError, match="is a classifier, and its vectors mean nothing"):
            SentenceEmbedder(tmp_path)(["rain"])

    def test_a_missing_package(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        with pytest.raises(CiteguardError, match=r'pip install "pydantic-citeguard\[semantic\]"'):
            SentenceEmbedder(MINILM)(["rain"])

    def test_what_is_no_model(self) -> None:
        from sentence_transformers import SentenceTransformer

        for model in [5, None, len, SentenceTransformer]:
            with pytest.raises(
                CiteguardError, match="takes the name or folder of a SentenceTransf"
            ):
                SentenceEmbedder(model)


class TestVectors:
    def test_are_computed_once_longest_first(self) -> None:
        embedder = Counting()
        vectors = Vectors(embedder)
        rows = vectors(["a", "ccc", "bb", "a"])
        assert rows.shape == (4, 2)
        np.testing.assert_array_equal(rows[0], rows[3])
        vectors(["bb", "dddd"])
        assert embedder.asked == [["ccc", "bb", "a"], ["dddd"]]

    def test_used_last_are_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("citeguard.retrieval.embeddings._MOST_KEPT", 2)
        embedder = Counting()
        vectors = Vectors(embedder)
        for texts in (["a"], ["b"], ["a"], ["c"], ["a"], ["b"]):
            vectors(texts)
        assert embedder.asked == [["a"], ["b"], ["c"], ["b"]]

    def test_that_mean_nothing_are_nan(self) -> None:
        for row in [[float("nan"), 1.0], [float("inf"), 1.0], [-float("inf"), 1.0], [0.0, 0.0]]:
            assert np.isnan(Vectors(Counting(row))(["a", "b"])).all()

    def test_of_any_size_are_vectors(self) -> None:
        for size in [1e-300, 1e-30, 1e30, 1e300]:
            np.testing.assert_allclose(Vectors(Counting([3 * size, 4 * size]))(["a"]), [[0.6, 0.8]])

    @pytest.mark.parametrize(
        "given",
        [
            pytest.param(None, id="nothing"),
            pytest.param("vectors", id="a text"),
            pytest.param([[1.0, 2.0], [1.0]], id="rows of different lengths"),
            pytest.param([["a", "b"], ["c", "d"]], id="texts"),
            pytest.param([1.0, 2.0], id="one dimension"),
            pytest.param([[1.0, 2.0]], id="one row too few"),
            pytest.param([[1.0], [2.0], [3.0]], id="one row too many"),
            pytest.param([[], []], id="no columns"),
            pytest.param([[[1.0]], [[2.0]]], id="three dimensions"),
            pytest.param({"a": [1.0]}, id="a mapping"),
        ],
    )
    def test_of_another_shape_are_an_error(self, given: Any) -> None:
        assert issubclass(EmbeddingFailedError, CiteguardError)
        with pytest.raises(EmbeddingFailedError, match=r"the embedder .*returned"):
            Vectors(lambda _: given)(["a", "b"])

    def test_that_change_their_width_are_an_error(self) -> None:
        vectors = Vectors(lambda texts: np.ones((len(texts), len(texts[0]))))
        vectors(["ab"])
        with pytest.raises(EmbeddingFailedError, match=r"shape \(1, 3\) for 1 texts, not \(1, 2\)"):
            vectors(["abc"])

    def test_are_computed_by_one_thread_at_a_time(self) -> None:
        embedder, together = Counting(), Barrier(8)
        vectors = Vectors(embedder)

        def embed(_: int) -> Any:
            together.wait()
            return vectors(["a", "b"]).tolist()

        with ThreadPoolExecutor(8) as pool:
            rows = list(pool.map(embed, range(8)))
        assert all(row == rows[0] for row in rows)
        assert len(embedder.asked) == 1


class TestVectorsOf:
    def test_are_shared_as_long_as_somebody_uses_them(self) -> None:
        embedder = Counting()
        one = vectors_of(embedder)
        assert vectors_of(embedder) is one
        assert vectors_of(str(MINILM)) is not one
        alive = weakref.ref(one)
        del one
        gc.collect()
        assert alive() is None

    def test_of_a_model_that_is_loaded(self) -> None:
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(MINILM))
        one = vectors_of(model)
        assert vectors_of(model) is one
        assert isinstance(one.embedder, SentenceEmbedder)

    def test_of_what_is_no_embedder(self, tmp_path: Path) -> None:
        from sentence_transformers import CrossEncoder, SentenceTransformer

        save_model(tmp_path, LABELS)
        cross_encoder: Any = CrossEncoder(str(tmp_path))
        for model in [5, None, ["a"], Counting, SentenceTransformer, cross_encoder]:
            with pytest.raises(CiteguardError, match="expected the name or folder of a"):
                vectors_of(model)

        async def embedder(_: Sequence[str]) -> Any: ...

        with pytest.raises(CiteguardError, match="expected an embedder that is a plain function"):
            vectors_of(embedder)


class TestWhatIsNoNumber:
    def test_of_masked_arrays_counts_as_missing(self) -> None:
        masked = np.ma.array(np.ones((2, 3)), mask=[[True] * 3, [False] * 3])
        rows = vectors_of(lambda _: masked)(["one", "more"])
        assert sorted(np.isnan(rows).all(axis=1).tolist()) == [False, True]

    def test_is_asked_for_again(self) -> None:
        asked: list[str] = []

        def failing_once(texts: Sequence[str]) -> Any:
            asked.extend(texts)
            return np.full((len(texts), 2), np.nan if len(asked) == 1 else 1.0)

        vectors = vectors_of(failing_once)
        assert np.isnan(vectors(["one"])).all()
        assert not np.isnan(vectors(["one"])).any()
