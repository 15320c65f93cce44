"""A `PageCache`: what it keeps, how much and how long; damage, killed processes, many at once."""

import hashlib
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from citeguard import CiteguardError
from citeguard.web import PageCache, PageOutcome, caching
from citeguard.web.caching import CachedPage
from rows import each_row

URL = "https://example.org/handbook"


def page(body: bytes = b"<p>Notice is one month.", *, at: float | None = None) -> CachedPage:
    return CachedPage(
        outcome="fetched",
        final_url="https://example.org/elsewhere",
        redirects=("https://example.org/between",),
        status=200,
        content_type="text/html; charset=utf-8",
        sha256=hashlib.sha256(body).hexdigest(),
        fetched_at=time.time() if at is None else at,
        body=body,
    )


Damage = Callable[[bytes], bytes]

DAMAGE: list[Damage] = [
    lambda content: content[:-1],
    lambda content: content[: len(content) // 2],
    lambda content: b"",
    lambda content: content + b" ",
    lambda content: content.replace(b"one month", b"two years"),
    lambda content: content.replace(b'"status": 200', b'"status": 404'),
    lambda content: content.replace(b"citeguard page 1", b"citeguard page 2"),
    lambda content: bytes(len(content)),
    lambda content: os.urandom(len(content)),
]


class TestPages:
    def test_come_back_as_they_were(self, tmp_path: Path) -> None:
        kept = page(bytes(range(256)) * 3)
        PageCache(tmp_path / "pages").put(URL, kept)
        assert PageCache(tmp_path / "pages").get(URL) == kept
        assert PageCache(tmp_path / "pages").get(URL + "?") is None

    @each_row(
        ("outcome", "age", "there"),
        [
            ("fetched", 0, True),
            ("fetched", 7_199, True),
            ("fetched", 7_201, False),
            ("fetched", -60, False),
            ("dead", 3_599, True),
            ("dead", 3_601, False),
        ],
    )
    def test_are_served_for_their_time(
        self, outcome: PageOutcome, age: float, there: bool, tmp_path: Path
    ) -> None:
        cache = PageCache(tmp_path, ttl=7_200)
        kept = CachedPage(outcome=outcome, final_url=URL, status=200, fetched_at=1_000_000.0)
        cache.put(URL, kept)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(caching, "now", lambda: 1_000_000.0 + age)
            assert cache.get(URL) == (kept if there else None)

    @each_row("damage", DAMAGE, ids=[str(number) for number in range(len(DAMAGE))])
    def test_that_are_damaged_are_not_there(self, damage: Damage, tmp_path: Path) -> None:
        cache = PageCache(tmp_path)
        cache.put(URL, page())
        (file,) = tmp_path.iterdir()
        file.write_bytes(damage(file.read_bytes()))
        assert cache.get(URL) is None
        assert [*tmp_path.iterdir()] == []

    def test_of_another_version_are_not_there(self, tmp_path: Path) -> None:
        cache = PageCache(tmp_path)
        cache.put(URL, page())
        (file,) = tmp_path.iterdir()
        data = b'{"new": 1, "redirects": []}\nbody'
        digest = hashlib.sha256(data).hexdigest().encode()
        file.write_bytes(b"citeguard page 1 " + digest + b"\n" + data)
        assert cache.get(URL) is None

    def test_a_folder_that_cannot_be_written_is_a_mistake(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        for folder in (tmp_path / "file", tmp_path / "no" / "such"):
            with pytest.raises(CiteguardError, match="cannot keep pages in"):
                PageCache(folder)

    def test_a_page_is_not_lost_with_the_disk(self, tmp_path: Path) -> None:
        cache = PageCache(tmp_path / "pages")
        (tmp_path / "pages").rmdir()
        cache.put(URL, page())
        assert cache.get(URL) is None


class TestRoom:
    def test_the_oldest_go(self, tmp_path: Path) -> None:
        cache = PageCache(tmp_path, max_bytes=50_000)
        for number in range(30):
            cache.put(f"{URL}/{number}", page(os.urandom(4_000)))
            total = sum(file.stat().st_size for file in tmp_path.iterdir())
            assert total <= 50_000
            for file in tmp_path.iterdir():  # as if a second had passed
                status = file.stat()
                os.utime(file, (status.st_atime - 1, status.st_mtime - 1))
        there = [cache.get(f"{URL}/{number}") is not None for number in range(30)]
        assert there == sorted(there)
        assert sum(there) >= 8

    def test_a_page_that_is_too_large_is_not_kept(self, tmp_path: Path) -> None:
        cache = PageCache(tmp_path, max_bytes=5_000)
        cache.put(URL, page(b"small"))
        cache.put(f"{URL}/large", page(b"large" * 1_000))
        assert cache.get(URL) is not None
        assert cache.get(f"{URL}/large") is None

    def test_what_nobody_finished_goes_and_other_files_stay(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("mine" * 9_999)
        (tmp_path / "old.part").touch()
        os.utime(tmp_path / "old.part", (0, 0))
        (tmp_path / "new.part").touch()
        PageCache(tmp_path, max_bytes=5_000).put(URL, page())
        names = {file.name for file in tmp_path.iterdir()}
        assert {"notes.txt", "new.part"} < names
        assert "old.part" not in names


WRITER = """
    import hashlib, sys, time
    from citeguard.web import PageCache
    from citeguard.web.caching import CachedPage

    cache = PageCache(sys.argv[1], max_bytes=20_000_000)
    for number in range(10**9):
        body = (b"%d " % number) * 40_000
        cache.put(f"https://example.org/{number}", CachedPage(
            outcome="fetched", final_url="x", status=200, fetched_at=time.time(), body=body,
            sha256=hashlib.sha256(body).hexdigest(),
        ))
        print(number, flush=True)
"""


@pytest.fixture
def writer(tmp_path: Path) -> Path:
    path = tmp_path / "writer.py"
    path.write_text(textwrap.dedent(WRITER))
    return path


def is_whole(cache: PageCache, number: int) -> bool:
    """Return whether a page is there; fail if it is there in another form than it was written."""
    kept = cache.get(f"https://example.org/{number}")
    if kept is None:
        return False
    assert kept.body == (b"%d " % number) * 40_000
    return True


def killed_after(writer: Path, folder: Path, seconds: float) -> int:
    """Return the last page that a process had written before it was killed."""
    with subprocess.Popen(
        [sys.executable, writer, folder], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        last = [first, *process.stdout.read().splitlines()][-1]
    assert process.returncode == -signal.SIGKILL
    return int(last)


class TestProcesses:
    @pytest.mark.parametrize(
        "times", [2, pytest.param(6, marks=pytest.mark.slow)], ids=["few", "many"]
    )
    def test_a_killed_one_loses_the_page_in_flight_only(
        self, times: int, writer: Path, tmp_path: Path
    ) -> None:
        chance = random.Random(1)
        for number in range(times):
            folder = tmp_path / str(number)
            last = killed_after(writer, folder, chance.random() / 4)
            cache = PageCache(folder)
            kept = [is_whole(cache, each) for each in range(last + 3)]
            # What it had said to be written is there, but for the oldest, which made room.
            there = kept[: last + 1]
            assert there == sorted(there)
            assert there[-1]
            assert sum(there) >= min(last + 1, 60)

    def test_several_share_a_folder(self, writer: Path, tmp_path: Path) -> None:
        folder = tmp_path / "pages"
        with (
            subprocess.Popen([sys.executable, writer, folder], stdout=subprocess.DEVNULL) as one,
            subprocess.Popen([sys.executable, writer, folder], stdout=subprocess.DEVNULL) as two,
        ):
            try:
                until = time.monotonic() + 20
                cache, seen = PageCache(folder := self._made(folder)), 0
                while seen < 200 and time.monotonic() < until:
                    seen += sum(is_whole(cache, number) for number in range(40))
            finally:
                one.kill()
                two.kill()
        assert seen >= 200
        assert {file.suffix for file in folder.iterdir()} <= {".page", ".part"}

    def _made(self, folder: Path) -> Path:
        folder.mkdir(exist_ok=True)
        return folder
