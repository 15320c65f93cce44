"""Policies for services under test: workers import nothing else."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from citeguard.cli.arguments import JudgeOptions
from citeguard.errors import CiteguardError
from citeguard.judges.reader import ReaderJudge
from citeguard.judges.verdicts import Judge, JudgeSettings, SupportQuestion, Verdict
from citeguard.validation.policy import Policy


class StuntJudge:
    """Supports every claim, unless its words ask for something else."""

    settings = JudgeSettings(batch_size=1, concurrency=1)

    def judge(self, questions: Sequence[SupportQuestion], /) -> list[Verdict]:
        """Return the verdicts."""
        return [self._verdict(question.statement) for question in questions]

    def _verdict(self, statement: str) -> Verdict:
        if "endless" in statement:
            time.sleep(600)
        if "slow" in statement:
            time.sleep(0.3)
        if "crash" in statement:
            os._exit(1)
        if "misconfigured" in statement:
            raise CiteguardError("the key is secret-123")
        if "out of reach" in statement:
            raise RuntimeError("cannot connect to postgresql://admin:hunter2@db.example/claims")
        return Verdict("supported", score=0.9, judge="stunts")


def stunts() -> Policy:
    """Return a policy with such a judge."""
    return Policy(support=[StuntJudge()])


@dataclass(frozen=True)
class BeyondTheReader:
    """Makes a policy whose reader, whatever its weights are, decides nothing that it reads."""

    judge: JudgeOptions

    def __call__(self) -> Policy:
        unsure = ReaderJudge(supported_from=1, contradicted_from=1, unsupported_below=0)
        _, model = cast("Sequence[Judge]", self.judge().support)
        return Policy(support=[unsure, model])
