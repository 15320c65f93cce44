"""Training of the reader on labelled pairs of one's own; needs the extra `training`.

`train_reader` fine-tunes the reader that ships, `calibrate_reader` fits its thresholds, and
`evaluate_entailment` measures it. `ReaderJudge` loads the folder.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.training.calibration import calibrate_reader
    from citeguard.training.evaluation import EntailmentQuality, evaluate_entailment
    from citeguard.training.learning import train_reader
    from citeguard.training.pairs import AnswerPair, EntailmentPair, read_pairs, with_distractors

__all__ = [
    "AnswerPair",
    "EntailmentPair",
    "EntailmentQuality",
    "calibrate_reader",
    "evaluate_entailment",
    "read_pairs",
    "train_reader",
    "with_distractors",
]

_HOMES = {
    "calibration": "calibrate_reader",
    "evaluation": "EntailmentQuality evaluate_entailment",
    "learning": "train_reader",
    "pairs": "AnswerPair EntailmentPair read_pairs with_distractors",
}
__getattr__, __dir__ = lazily(__name__, _HOMES, extra="training")
