"""Short answers: comparing the values that a model of the user's finds."""

from citeguard.judges.short_answers.check import AnswerExtractor, FoundAnswer, ShortAnswers

__all__ = ["AnswerExtractor", "FoundAnswer", "ShortAnswers"]
