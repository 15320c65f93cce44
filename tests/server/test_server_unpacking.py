"""PDF files that decompress to far more than they seem to contain."""

import zlib
from collections.abc import Callable

import pytest

from citeguard.server import requests
from citeguard.server.errors import ServiceError
from citeguard.server.requests import check_decompressed
from fixture_types import MonkeyPatch
from rows import each_row
from server.hostile_files import blank_stream, huge_picture, packed, page_with, stream_packed_twice


class TestCheckDecompressed:
    @each_row(
        "make",
        [
            pytest.param(lambda: blank_stream(9), id="a stream"),
            pytest.param(lambda: stream_packed_twice(9), id="packed twice"),
            pytest.param(lambda: huge_picture(5_100), id="a picture"),
            pytest.param(lambda: blank_stream(7) * 11, id="many streams"),
        ],
    )
    def test_rejects_what_is_too_much(
        self, make: Callable[[], bytes], monkeypatch: MonkeyPatch
    ) -> None:
        monkeypatch.setattr(requests, "_MAX_STREAM", 8_000_000)
        monkeypatch.setattr(requests, "_MAX_IMAGE", 25_000_000)
        monkeypatch.setattr(requests, "_MAX_ALL_STREAMS", 75_000_000)
        with pytest.raises(
            ServiceError, match=r"a\.pdf: decompresses to more than \d+ MB"
        ) as raised:
            check_decompressed(make(), "a.pdf")
        assert raised.value.code == "too_much_memory"

    @each_row(
        "content",
        [
            pytest.param(b"", id="nothing"),
            pytest.param(b"stream\n", id="a stream without content"),
            pytest.param(b"stream\n\x78\x9cdamaged", id="damaged"),
            pytest.param(b"stream\n" + zlib.compress(b"x" * 99)[:-3], id="cut off"),
            pytest.param(page_with(packed(b"BT ET\n", 100_000)), id="a page"),
            pytest.param(huge_picture(5_000), id="a picture"),
            pytest.param(b"stream\n" * 100_000, id="many streams without content"),
        ],
    )
    def test_accepts_what_is_not(self, content: bytes) -> None:
        check_decompressed(content, "a.pdf")
