"""Question-answer pairs about documents, to train with and to answer from: `generate_questions`.

A language model writes them, section by section; a pair is kept only if its quotes are found in the
section and support its answer. The report has every other pair with the reasons. `pair_samples`
makes samples of pairs, which `citeguard.datasets.export_samples` takes.
"""

from citeguard.library.pairs.generating import agenerate_questions, generate_questions
from citeguard.library.pairs.pair import (
    DroppedPair,
    FailedCall,
    Negative,
    QAPair,
    QAReport,
    pair_samples,
)
from citeguard.library.pairs.sections import (
    TYPES,
    SectionType,
    TopSection,
    section_type,
    sections_of,
)

__all__ = [
    "TYPES",
    "DroppedPair",
    "FailedCall",
    "Negative",
    "QAPair",
    "QAReport",
    "SectionType",
    "TopSection",
    "agenerate_questions",
    "generate_questions",
    "pair_samples",
    "section_type",
    "sections_of",
]
