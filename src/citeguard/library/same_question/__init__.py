"""Whether two questions ask for the same, so that one answer serves both: `same_question`."""

from citeguard.library.same_question.comparing import QuestionMatch, same_question

__all__ = ["QuestionMatch", "same_question"]
