"""A judge made of other judges: `Vote`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from citeguard.errors import CiteguardError, described
from citeguard.judges.cascade import AsksOthers, ask
from citeguard.judges.loops import together
from citeguard.judges.verdicts import (
    Alignment,
    AlignmentJudge,
    AlignmentQuestion,
    Judge,
    JudgeSettings,
    SupportQuestion,
    Verdict,
    by_statement,
    is_judge,
    listed,
    name_of,
)


class Vote(AsksOthers):
    """Judges that are asked concurrently, and of which more than half must agree.

    Without such a majority the verdict is `undecided`; a judge that cannot decide counts towards
    the number of judges, and for no outcome. The verdict is the first one of the majority, with the
    votes in its reason. Each judge is asked by its own settings, and its calls count.

    Args:
        judges: At least two; as `Policy.alignment` they must be `AlignmentJudge`s.

    Raises:
        CiteguardError: Fewer than two, or something that is not a judge.
    """

    # No limits of its own: each judge is asked by its own settings.
    settings = JudgeSettings(batch_size=None, concurrency=None, timeout=None)

    def __init__(self, judges: Sequence[Judge | AlignmentJudge]) -> None:
        self.judges: tuple[Judge | AlignmentJudge, ...] = listed("Vote(judges)", judges)
        if len(self.judges) < 2:
            raise CiteguardError("Vote(judges): expected two judges or more")
        for judge in self.judges:
            if not (is_judge(judge) or is_judge(judge, AlignmentJudge)):
                raise CiteguardError(f"Vote(judges): expected a Judge, got {described(judge)}")

    def __repr__(self) -> str:
        """Name the judges."""
        return f"Vote([{', '.join(map(repr, self.judges))}])"

    @property
    def name(self) -> str:
        """Its name in verdicts."""
        return f"vote of {', '.join(map(name_of, self.judges))}"

    async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Ask all judges, and return the majority's verdict on each question."""
        given = await together(ask(judge, questions) for judge in self.judges)
        columns = ([answers[question] for answers in given] for question in questions)
        return [_counted(column, len(self.judges), self.name) for column in columns]

    async def align(self, question: AlignmentQuestion) -> Alignment:
        """Ask all judges, and return the majority's verdicts on the answer and each statement."""
        given = await together(ask(judge, [question]) for judge in self.judges)
        alignments: list[Alignment] = [answers[question] for answers in given]
        answers = [alignment.answer for alignment in alignments]
        # A judge that judges no statements has no vote on them.
        voters = sum(1 for alignment in alignments if alignment.statements)
        return Alignment(
            answer=_counted(answers, len(self.judges), self.name),
            statements=tuple(
                _counted(verdicts, voters, self.name) if verdicts else None
                for verdicts in by_statement(alignments)
            ),
        )


def _counted(verdicts: Sequence[Verdict], voters: int, name: str) -> Verdict:
    votes = Counter(verdict.outcome for verdict in verdicts)
    counts = ", ".join(f"{outcome} {count}" for outcome, count in votes.most_common())
    decided = [v for v in verdicts if v.decided and 2 * votes[v.outcome] > voters]
    if not decided:
        reasons = "; ".join(verdict.reason for verdict in verdicts if verdict.reason)
        return Verdict("undecided", reason=f"no majority ({counts})\n{reasons}".strip(), judge=name)
    first = decided[0]
    return replace(first, reason=f"{first.reason} ({counts})".strip(), judge=name)
