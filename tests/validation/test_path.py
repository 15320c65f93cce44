"""How many modules one error passes through, from JSON to its message."""

import json
import sys
from types import FrameType
from typing import Any

import pytest
from pydantic import ValidationError

from citeguard import Answer, Policy, Sources

TEXT = "Visitors may not enter the laboratory without a badge. Lunch is free for all of them."
BAD = json.dumps(
    {
        "statements": [
            {
                "text": "They may enter.",
                "citations": [
                    {
                        "quote": "Visitors may enter the laboratory without a badge.",
                        "source_id": "a",
                    }
                ],
            }
        ]
    }
)


def entered_modules(data: str, context: Any) -> set[str]:
    """Return the modules of citeguard that validation enters until its error is printed."""
    entered: set[str] = set()

    def trace(frame: FrameType, event: str, argument: object) -> None:
        entered.add(frame.f_globals.get("__name__", ""))

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with pytest.raises(ValidationError, match="quote_altered") as caught:
            Answer.model_validate_json(data, context=context)
        str(caught.value)
    finally:
        sys.settrace(before)
    return {name for name in entered if name.startswith("citeguard.")}


def test_of_an_altered_quote_is_short() -> None:
    for policy in (None, Policy()):
        # Once before, as imports do not count.
        with pytest.raises(ValidationError):
            Answer.model_validate_json(BAD, context=Sources({"a": TEXT}).as_context(policy))
        entered = entered_modules(BAD, Sources({"a": TEXT}).as_context(policy))
        # The message shows whole sentences, whose rules are four of the modules.
        assert len(entered) <= 21, sorted(entered)
