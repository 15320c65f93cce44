"""Short names of the types of pytest's fixtures."""

import pytest

Captured = pytest.CaptureFixture[str]
MonkeyPatch = pytest.MonkeyPatch
