"""The small encyclopedia behind each of the three backends."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from citeguard.web import Encyclopedia, Kiwix, MediaWiki, Zim
from web.wiki import SmallWiki, WikiServer, kiwix_serve


async def no_wait(_: float) -> None:
    pass


@contextmanager
def zim(folder: Path) -> Generator[Encyclopedia]:
    yield Zim(SmallWiki().write_zim(folder / "small.zim"))


@contextmanager
def kiwix(folder: Path) -> Generator[Encyclopedia]:
    with kiwix_serve(SmallWiki().write_zim(folder / "small.zim")) as url:
        yield Kiwix(url, "small")


@contextmanager
def mediawiki(_: Path) -> Generator[Encyclopedia]:
    with WikiServer(SmallWiki()) as server:
        yield MediaWiki(server.api, contact="tests@example.org", sleep=no_wait)


BACKENDS: list[Callable[[Path], object] | object] = [
    pytest.param(zim, id="zim"),
    pytest.param(mediawiki, id="mediawiki"),
    pytest.param(kiwix, id="kiwix", marks=pytest.mark.kiwix),
]
