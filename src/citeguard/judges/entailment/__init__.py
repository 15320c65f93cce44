"""Support told by entailment models: `Entailment`, and what such a model is."""

from citeguard.judges.entailment.check import Entailment
from citeguard.judges.entailment.models import EntailmentModel

__all__ = ["Entailment", "EntailmentModel"]
