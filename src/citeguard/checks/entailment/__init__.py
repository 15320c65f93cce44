"""Support told by entailment models: `Entailment`, and what such a model is."""

from citeguard.checks.entailment.check import Entailment
from citeguard.checks.entailment.models import EntailmentModel

__all__ = ["Entailment", "EntailmentModel"]
