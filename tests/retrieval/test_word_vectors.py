import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from citeguard import CiteguardError, Sources
from citeguard.retrieval import (
    BM25Retriever,
    DenseRetriever,
    Embedder,
    HybridRetriever,
    SIFEmbedder,
    Windows,
    read_word_vectors,
)
from tiny_entailment import MINILM

pytestmark = pytest.mark.torch

WORDS = "the a cat dog price of fish rises falls today".split()
TEXTS = [
    "The cat rises today.",
    "A dog falls",
    "the price of fish",
    "the price of the dog",
    "today a fish rises",
]
HANDBOOK = Sources(
    {
        "handbook": "Notice is one month. Lunch is free. Holidays are agreed with the team. "
        "Visitors wear a badge. * * * Salaries are paid on the last day."
    }
)


def word_vectors(width: int = 7, *, seed: int = 0) -> dict[str, NDArray[np.float64]]:
    """Return a vector for each of the words, with much in common."""
    numbers = np.random.default_rng(seed)
    return {word: 1 + numbers.normal(size=width) for word in WORDS}


def tokens_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def by_the_paper(
    vectors: Mapping[str, NDArray[Any]], texts: Sequence[str], asked: Sequence[str], a: float
) -> NDArray[np.float64]:
    """Return the vectors of the paper's algorithm 1, by a full singular value decomposition."""
    counts = Counter(word for text in texts for word in tokens_of(text))
    total = sum(counts.values())

    def mean(text: str) -> NDArray[np.float64]:
        words = tokens_of(text)
        weighted = [a / (a + counts[word] / total) * vectors[word] for word in words]
        return np.sum(weighted, axis=0) / len(words)

    first = np.linalg.svd(np.array([mean(text) for text in texts]))[2][0]
    means = np.array([mean(text) for text in asked])
    return np.array([each - first * (first @ each) for each in means])


@pytest.fixture(scope="module")
def minilm() -> dict[str, NDArray[np.float32]]:
    """Return the pieces of words that MiniLM reads, and their vectors."""
    from sentence_transformers import SentenceTransformer

    loaded: Any = SentenceTransformer(str(MINILM))
    matrix = loaded[0].auto_model.get_input_embeddings().weight.detach().numpy()
    words = loaded.tokenizer.convert_ids_to_tokens(range(len(matrix)))
    return dict(zip(words, matrix, strict=True))


@pytest.fixture(scope="module")
def handbook(minilm: dict[str, NDArray[np.float32]]) -> SIFEmbedder:
    sentences = re.findall(r"[^.]+\.", HANDBOOK["handbook"].text)
    return SIFEmbedder(minilm, sentences)


class TestSIFEmbedder:
    def test_is_an_embedder(self) -> None:
        embedder = SIFEmbedder(word_vectors(), TEXTS)
        assert isinstance(embedder, Embedder)
        assert embedder(TEXTS).shape == (5, 7)
        assert embedder(TEXTS).dtype == np.float32
        assert repr(embedder) == "SIFEmbedder(<10 words, 7 dimensions>, a=0.001)"

    @pytest.mark.parametrize("a", [1e-5, 1e-3, 0.1, 1])
    def test_is_the_formula_of_the_paper(self, a: float) -> None:
        asked = ["The fish falls", "a cat", *TEXTS]
        np.testing.assert_allclose(
            SIFEmbedder(word_vectors(), TEXTS, a=a)(asked),
            by_the_paper(word_vectors(), TEXTS, asked, a),
            rtol=1e-5,
            atol=1e-7,
        )

    def test_the_batch_makes_no_difference(self) -> None:
        embedder = SIFEmbedder(word_vectors(), TEXTS)
        together = embedder(TEXTS)
        for text, row in zip(TEXTS, together, strict=True):
            np.testing.assert_array_equal(embedder([text])[0], row)
        assert embedder([]).shape == (0, 7)


class TestUnknownWords:
    @pytest.mark.parametrize("text", ["", " ", "* * *", "[3]", "Zyzzyva", "雨", "\ud800"])
    def test_share_one_vector(self, text: str) -> None:
        embedder = SIFEmbedder(word_vectors(), TEXTS)
        one, other, known = embedder([text, "Xylem", "cat"])
        np.testing.assert_allclose(one, other)
        assert np.isfinite(one).all()
        assert not np.allclose(one, known)

    def test_what_is_nothing_but_common_has_no_vector(self) -> None:
        vectors = {"one": [2.0, 0.0], "two": [3.0, 0.0], "three": [0.0, 1.0]}
        embedder = SIFEmbedder(vectors, ["one", "one two"])
        rows = embedder(["two", "two three"])
        assert np.isnan(rows).all(axis=1).tolist() == [True, False]


class TestMistakes:
    @pytest.mark.parametrize(
        "vectors",
        [
            {"cat": [1.0, 2.0], "dog": [1.0]},
            {"cat": ["a"], "dog": ["b"]},
            {"cat": [1.0, np.inf], "dog": [1.0, 2.0]},
            {"cat": [0.0, 0.0], "dog": [0.0, 0.0]},
        ],
    )
    def test_vectors(self, vectors: Any) -> None:
        with pytest.raises(CiteguardError, match=r"SIFEmbedder\(vectors\): expected"):
            SIFEmbedder(vectors, ["cat", "dog"])

    @pytest.mark.parametrize("texts", [[], ["the cat"], "the cat", ["the cat", "the cat"]])
    def test_texts(self, texts: Any) -> None:
        with pytest.raises(CiteguardError, match="expected two or more different texts"):
            SIFEmbedder(word_vectors(), texts)
        with pytest.raises(CiteguardError, match=r"in lower case, not as in \['CAT'\]"):
            SIFEmbedder({"CAT": [1.0]}, ["the cat", "a cat"])

    @pytest.mark.parametrize("a", [0, -1, 1.5, np.nan, "1", True])
    def test_a(self, a: Any) -> None:
        with pytest.raises(CiteguardError, match=r"SIFEmbedder\(a=...\) must be a number above 0"):
            SIFEmbedder(word_vectors(), TEXTS, a=a)


class TestUses:
    @pytest.mark.parametrize(
        ("query", "found"),
        [("wages", "Salaries"), ("dinner", "Lunch"), ("guests", "Visitors"), ("weeks", "Notice")],
    )
    def test_searches_with_real_vectors(
        self, query: str, found: str, handbook: SIFEmbedder
    ) -> None:
        retriever = DenseRetriever(handbook, passages=Windows(size=1, overlap=0))
        (passage,) = HANDBOOK.search(query, k=1, retriever=retriever)
        assert found in passage.text

    @pytest.mark.parametrize("query", ["Zyzzyva", "???", "雨"])
    def test_a_query_of_unknown_words_fails_nothing(
        self, query: str, handbook: SIFEmbedder
    ) -> None:
        dense = DenseRetriever(handbook, passages=Windows(size=1, overlap=0))
        hybrid = HybridRetriever(BM25Retriever(passages=Windows(size=1, overlap=0)), dense)
        assert len(HANDBOOK.search(query, k=2, retriever=hybrid)) == 2


def save(folder: Path, content: str | bytes) -> Path:
    path = folder / "vectors.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


class TestReadWordVectors:
    @pytest.mark.parametrize(
        "content",
        [
            pytest.param("cat 1 0.5 -2e-1\ndog 1 0 3\n", id="GloVe"),
            pytest.param("cat 1 0.5 -2e-1\ndog 1 0 3", id="without a last line end"),
            pytest.param("2 3\ncat 1 0.5 -2e-1 \ndog 1 0 3 \n", id="word2vec"),
            pytest.param("2 3\r\ncat 1 0.5 -2e-1\r\ndog 1 0 3\r\n", id="Windows"),
        ],
    )
    def test_reads_formats(self, content: str, tmp_path: Path) -> None:
        found = read_word_vectors(save(tmp_path, content))
        assert list(found) == ["cat", "dog"]
        np.testing.assert_allclose(list(found.values()), [[1, 0.5, -0.2], [1, 0, 3]])

    def test_reads_words_with_blanks_and_odd_characters(self, tmp_path: Path) -> None:
        names = [". . .", "1990", "\x85", "\u00a0", "a\u2028b", "雨", "\U0001f389"]
        content = "".join(f"{word} 1 2\n" for word in ["the", *names]).encode() + b"caf\xe9 1 2\n"
        read = list(read_word_vectors(save(tmp_path, content)))
        assert read == ["the", *names, "caf\ufffd"]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            pytest.param("", "line 0: .*, any on each line .*no words", id="empty"),
            pytest.param("2 3\n", "line 1: .*no words", id="only a head"),
            pytest.param("hello\n", "line 1: .*too few numbers", id="no numbers"),
            pytest.param("5\n", "line 1: .*too few numbers", id="no word"),
            pytest.param("cat 1 2\ndog 1\n", "line 2: .*, 2 on each line", id="too few"),
            pytest.param("cat 1 2\n\ndog 1 2\n", "line 2: .*too few numbers", id="a blank line"),
            pytest.param("cat 1 x\n", "line 1: .*could not convert", id="no number"),
        ],
    )
    def test_what_is_no_such_file(self, content: str, message: str, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match=message):
            read_word_vectors(save(tmp_path, content))
        with pytest.raises(CiteguardError, match="FileNotFoundError"):
            read_word_vectors(tmp_path / "missing.txt")
