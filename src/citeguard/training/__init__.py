"""Training of an entailment model on labelled pairs; needs the extra `training`.

`train_entailment` trains a cross-encoder, `calibrate_entailment` makes its probabilities honest,
`evaluate_entailment` measures it, and `export_onnx` makes it small and fast. `Entailment` loads
what each of them leaves in its folder.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.training.calibration import calibrate_entailment
    from citeguard.training.entailment import train_entailment
    from citeguard.training.evaluation import EntailmentQuality, evaluate_entailment
    from citeguard.training.export import export_onnx
    from citeguard.training.pairs import EntailmentPair, read_pairs, with_distractors

__all__ = [
    "EntailmentPair",
    "EntailmentQuality",
    "calibrate_entailment",
    "evaluate_entailment",
    "export_onnx",
    "read_pairs",
    "train_entailment",
    "with_distractors",
]

_HOMES = {
    "calibration": "calibrate_entailment",
    "evaluation": "EntailmentQuality evaluate_entailment",
    "export": "export_onnx",
    "entailment": "train_entailment",
    "pairs": "EntailmentPair read_pairs with_distractors",
}
__getattr__, __dir__ = lazily(__name__, _HOMES, extra="training")
