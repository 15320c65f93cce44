"""A judge made of judges: `Vote`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from citeguard.errors import CiteguardError
from citeguard.judges.asking import current_round
from citeguard.judges.cases import ALIGNMENT, SUPPORT
from citeguard.judges.judge import AlignmentJudge, AsksOthers, Judge, JudgeSettings, can, name_of
from citeguard.judges.loops import together
from citeguard.judges.parts import by_statement
from citeguard.judges.verdicts import Alignment, AlignmentQuestion, SupportQuestion, Verdict


class Vote(AsksOthers):
    """Judges who are asked side by side, and of whom more than half must agree.

    A verdict for which there is no such majority is `undecided`; a judge who cannot tell has a seat
    but no say. The verdict is the first one of the majority, with the votes in its reason. Each
    member is asked as it wants to be, and its calls count.

    Args:
        judges: At least two; as `Policy.alignment` they must be `AlignmentJudge`s.

    Raises:
        CiteguardError: fewer than two, or what is no judge.
    """

    settings = JudgeSettings(batch_size=None, concurrency=None, timeout=None)

    def __init__(self, judges: Sequence[Judge | AlignmentJudge]) -> None:
        self.judges = tuple(judges)
        if len(self.judges) < 2:
            raise CiteguardError("a vote needs two judges or more")
        for judge in self.judges:
            if not (can(Judge, judge) or can(AlignmentJudge, judge)):
                raise CiteguardError(f"a vote takes judges, and {judge!r} is none")

    def __repr__(self) -> str:
        """Name the judges."""
        return f"Vote([{', '.join(map(repr, self.judges))}])"

    @property
    def name(self) -> str:
        """What it is called in verdicts."""
        return f"vote of {', '.join(map(name_of, self.judges))}"

    async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Ask all judges, and return what most of them say of each question."""
        said = await together(
            current_round().ask(SUPPORT, judge, questions) for judge in self.judges
        )
        columns = ([answers[question] for answers in said] for question in questions)
        return [_counted(column, len(self.judges), self.name) for column in columns]

    async def align(self, question: AlignmentQuestion) -> Alignment:
        """Ask all judges, and return what most of them say of the answer and of each statement."""
        said = await together(
            current_round().ask(ALIGNMENT, judge, [question]) for judge in self.judges
        )
        alignments = [answers[question] for answers in said]
        answers = [alignment.answer for alignment in alignments]
        seats = sum(1 for alignment in alignments if alignment.statements)
        return Alignment(
            answer=_counted(answers, len(self.judges), self.name),
            statements=tuple(
                _counted(verdicts, seats, self.name) if verdicts else None
                for verdicts in by_statement(alignments)
            ),
        )


def _counted(verdicts: Sequence[Verdict], seats: int, name: str) -> Verdict:
    """Return the verdict of more than half of the seats, or that there is none."""
    votes = Counter(verdict.outcome for verdict in verdicts)
    told = ", ".join(f"{outcome} {count}" for outcome, count in votes.most_common())
    decided = [v for v in verdicts if v.decided and 2 * votes[v.outcome] > seats]
    if not decided:
        reasons = "; ".join(verdict.reason for verdict in verdicts if verdict.reason)
        return Verdict("undecided", reason=f"no majority ({told})\n{reasons}".strip(), judge=name)
    first = decided[0]
    return replace(first, reason=f"{first.reason} ({told})".strip(), judge=name)
