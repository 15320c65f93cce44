"""Short answers: what a question asks for, where a text answers it, and comparing answers."""

from citeguard.judges.short_answers.check import ShortAnswers
from citeguard.judges.short_answers.extractor import AnswerExtractor, FoundAnswer, LexicalExtractor

__all__ = ["AnswerExtractor", "FoundAnswer", "LexicalExtractor", "ShortAnswers"]
