"""Which modules of citeguard a call enters: how long a reader's way through the code is."""

import sys
import threading
from collections.abc import Callable
from typing import Any


def modules_entered(act: Callable[[], object]) -> set[str]:
    """Return the dotted names, without the package's own, of the modules whose code an act runs.

    What is imported on the way is imported before: run the act once on other material.
    """
    names: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            names.add(str(frame.f_globals.get("__name__")))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {name.removeprefix("citeguard.") for name in names if name.startswith("citeguard.")}
