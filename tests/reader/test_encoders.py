import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard import CiteguardError
from citeguard.reader.cross_encoder import CrossEncoderModel, read_labels, to_probabilities
from rows import each_row
from tiny_entailment import save_model

pytestmark = pytest.mark.torch

NAN = math.nan


class TestReadLabels:
    @each_row(
        ("names", "labels"),
        [
            (["entailment", "neutral", "contradiction"],) * 2,
            (["contradiction", "entailment", "neutral"],) * 2,
            (
                ["CONTRADICTION", "NEUTRAL", "ENTAILMENT"],
                ["contradiction", "neutral", "entailment"],
            ),
            (["entailment", "not_entailment"],) * 2,
            (["Not-Entailment", "Entailment"], ["not_entailment", "entailment"]),
            (
                ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"],
                ["entailment", "contradiction", "neutral"],
            ),
            (["not supported", "supported"], ["not_entailment", "entailment"]),
            (["hallucinated", "consistent"], ["not_entailment", "entailment"]),
            (["entailment", "contradiction"],) * 2,
            (["entailment"],) * 2,
        ],
        ids=" ".join,
    )
    def test_by_name(self, names: list[str], labels: list[str]) -> None:
        assert read_labels(names) == tuple(labels)

    @each_row(
        "names",
        [
            ["LABEL_0", "LABEL_1", "LABEL_2"],
            ["LABEL_0", "LABEL_1"],
            ["LABEL_0"],
            ["entailment", "LABEL_1", "contradiction"],
            ["entailment", "entailment", "neutral"],
            ["entailment", "supports", "neutral"],
            ["neutral", "contradiction"],
            ["entailment", "neutral", "not_entailment"],
            ["POSITIVE", "NEGATIVE"],
            ["neutral"],
            [],
        ],
        ids=" ".join,
    )
    def test_refuses_what_tells_nothing(self, names: list[str]) -> None:
        with pytest.raises(CiteguardError, match="the meaning of the model's outputs"):
            read_labels(names)

    def test_warns_of_rerankers(self) -> None:
        with pytest.raises(CiteguardError, match="may be a reranker"):
            read_labels(["LABEL_0"])


class TestToProbabilities:
    @given(st.lists(st.tuples(*[st.floats(-50, 50)] * 3), min_size=1), st.permutations(range(3)))
    def test_add_up_and_keep_their_columns(
        self, logits: list[tuple[float, ...]], order: list[int]
    ) -> None:
        labels = ("entailment", "neutral", "contradiction")
        plain = to_probabilities(logits, labels)
        assert plain.sum(axis=1) == pytest.approx(1)
        shuffled = [[row[place] for place in order] for row in logits]
        assert to_probabilities(shuffled, [labels[place] for place in order]) == pytest.approx(
            plain
        )

    @given(st.floats(-30, 30))
    def test_of_one_logit_are_its_sigmoid(self, logit: float) -> None:
        (row,) = to_probabilities([logit], ["entailment"]).tolist()
        assert row == pytest.approx([1 / (1 + math.exp(-logit)), 1 / (1 + math.exp(logit)), 0])

    @each_row("bad", [NAN, math.inf])
    def test_are_nan_where_a_logit_is_no_number(self, bad: float) -> None:
        rows = to_probabilities(
            [[bad, bad, 0.0], [1.0, 1.0, 1.0]], ["entailment", "neutral", "contradiction"]
        )
        assert all(map(math.isnan, rows[0]))
        assert rows[1].tolist() == pytest.approx([1 / 3] * 3)

    def test_refuse_another_shape(self) -> None:
        with pytest.raises(ValueError, match=r"shape \(1, 2\) for 3 labels"):
            to_probabilities([[1.0, 2.0]], ["entailment", "neutral", "contradiction"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    labels = ["contradiction", "neutral", "entailment"]
    return save_model(tmp_path_factory.mktemp("models") / "three", labels)


class TestCrossEncoderModel:
    def test_is_asked_for_logits_whatever_it_was_saved_with(self, folder: Path) -> None:
        from sentence_transformers import CrossEncoder
        from torch.nn import Sigmoid, Softmax

        pairs = [("It was confirmed.", "It passed."), ("It is long.", "It passed.")]
        plain = CrossEncoderModel(str(folder))(pairs)
        for activation in (Sigmoid(), Softmax(dim=-1)):
            encoder = CrossEncoder(str(folder), activation_fn=activation)
            assert CrossEncoderModel(encoder)(pairs) == pytest.approx(plain, abs=1e-6)

    def test_gives_no_probability_for_what_it_would_read_in_part(self, folder: Path) -> None:
        rows = CrossEncoderModel(folder)([("confirmed " * 509, ""), ("confirmed " * 510, "")])
        assert not any(map(math.isnan, rows[0]))
        assert all(map(math.isnan, rows[1]))
