"""The small encyclopedia behind both backends."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from citeguard.web import Encyclopedia, MediaWiki, Zim
from web.wiki import SmallWiki, WikiServer


@contextmanager
def zim(folder: Path) -> Generator[Encyclopedia]:
    yield Zim(SmallWiki().write_zim(folder / "small.zim"))


@contextmanager
def mediawiki(_: Path) -> Generator[Encyclopedia]:
    with WikiServer(SmallWiki()) as server:
        yield MediaWiki(server.api, contact="tests@example.org")


BACKENDS: list[Callable[[Path], object] | object] = [
    pytest.param(zim, id="zim"),
    pytest.param(mediawiki, id="mediawiki"),
]
