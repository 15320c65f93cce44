import errno
import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from filter_material import mixed, read_lines, sample, write_lines
from pydantic import AfterValidator

from citeguard import Answer, CiteguardError
from citeguard.datasets import filter_files, filter_samples, read_samples
from citeguard.datasets import filtering as runs


@pytest.fixture(autouse=True)
def save_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CHUNK_SIZE", 16)
    monkeypatch.setattr(runs, "_SAVE_EVERY", 0.0)


class TestDiskFull:
    @pytest.mark.parametrize(
        ("suffix", "room", "some_is_saved"),
        [
            ("jsonl", 1_500, False),
            ("jsonl", 10_000, True),
            ("jsonl.gz", 10_000, True),
            ("parquet", 10_000, True),
        ],
        ids=["in the first chunk", "later", "gzip", "Parquet"],
    )
    def test_is_an_error_and_the_run_resumes_when_there_is_space(
        self, suffix: str, room: int, some_is_saved: bool, tmp_path: Path
    ) -> None:
        noisy = [{**each, "noise": os.urandom(240).hex()} for each in mixed(100)]
        path, kept = write_lines(tmp_path / "in.jsonl", noisy), tmp_path / f"kept.{suffix}"
        with limited(room), pytest.raises(CiteguardError, match="file too large") as caught:
            filter_samples(path, kept=kept, workers=1, progress=False)
        assert str(kept) in str(caught.value)
        assert hasattr(caught.value, "__notes__") is some_is_saved
        summary = filter_samples(path, kept=kept, workers=1)
        assert (summary.read, summary.kept) == (100, 67)
        filter_samples(path, kept=tmp_path / f"other.{suffix}", workers=1)
        assert kept.read_bytes() == (tmp_path / f"other.{suffix}").read_bytes()

    def test_at_the_very_end(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path, kept = write_lines(tmp_path / "in.jsonl", mixed(90)), tmp_path / "kept.parquet"

        def full(partial: Path, whole: Path) -> None:
            whole.write_bytes(b"PAR1")
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(filter_files.arrow, "write_parquet", full)
            with pytest.raises(CiteguardError, match=r"kept\.parquet: no space left on device"):
                filter_samples(path, kept=kept, workers=1)
        assert not kept.exists()
        assert not (tmp_path / "kept.parquet.whole").exists()
        assert filter_samples(path, kept=kept, workers=1).kept == 60
        assert len(list(read_samples(kept))) == 60


class limited:  # noqa: N801
    """Let no file of this process grow beyond so many bytes; Python has further writes fail."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def __enter__(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (self._size, self._before[1]))

    def __exit__(self, *raised: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self._before)


class TestInput:
    def test_that_is_cut_off_keeps_the_work_so_far(self, tmp_path: Path) -> None:
        path, kept = tmp_path / "in.jsonl.gz", tmp_path / "kept.jsonl"
        write_lines(path, [sample(noise=os.urandom(500).hex()) for _ in range(40)])
        whole = path.read_bytes()
        path.write_bytes(whole[:-2_000])
        for _ in range(2):
            with pytest.raises(CiteguardError, match="damaged or cut off") as caught:
                filter_samples(path, kept=kept, workers=1)
            assert caught.value.__notes__ == [
                "The work on 32 samples is saved: run it again to resume."
            ]
        path.write_bytes(whole)
        with pytest.raises(CiteguardError, match="run with different samples"):
            filter_samples(path, kept=kept)
        assert filter_samples(path, kept=kept, workers=1, restart=True).kept == 40

    @pytest.mark.parametrize(("suffix", "change"), [("jsonl", "grows"), ("jsonl.gz", "shrinks")])
    def test_that_changes_meanwhile_is_an_error(
        self, suffix: str, change: str, tmp_path: Path
    ) -> None:
        path, kept = tmp_path / f"in.{suffix}", tmp_path / "kept.jsonl"
        noisy = [sample(noise=os.urandom(10_000).hex()) for _ in range(100)]
        size = write_lines(path, noisy).stat().st_size

        def changing(answer: Answer) -> Answer:
            if path.stat().st_size == size:
                os.truncate(path, size * 9 // 10 if change == "shrinks" else size + 1)
            return answer

        with pytest.raises(CiteguardError, match=r"in\..* (has changed while|is damaged|cut off)"):
            filter_samples(
                path, model=Annotated[Answer, AfterValidator(changing)], kept=kept, workers=1
            )
        assert not kept.exists()


def dying(how: Callable[[], object]) -> Any:
    """Return a model at whose 200th sample a process dies."""

    def validate(answer: Answer) -> Answer:
        if answer.statements[0].text == "Die.":
            how()
        return answer

    return Annotated[Answer, AfterValidator(validate)]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def samples_to_die_of(count: int) -> list[Any]:
    return [*mixed(count), sample(text="Die."), *mixed(count)]


@pytest.mark.slow
class TestWorkersThatDie:
    def test_are_an_error_and_nothing_is_lost(self, tmp_path: Path) -> None:
        path, kept = (
            write_lines(tmp_path / "in.jsonl", samples_to_die_of(200)),
            tmp_path / "k.jsonl",
        )
        with pytest.raises(CiteguardError, match=r"(?m)^the worker processes failed: .*[^.]$"):
            filter_samples(path, model=dying(die), kept=kept, workers=2)
        assert not kept.exists()
        summary = filter_samples(path, kept=kept, workers=1, restart=True)
        assert (summary.read, len(read_lines(kept))) == (401, 269)


class TestTwoRunsAtOnce:
    @pytest.mark.parametrize("restart", [False, True])
    def test_the_second_fails_and_harms_nothing(self, restart: bool, tmp_path: Path) -> None:
        kept = tmp_path / "kept.jsonl"
        begun, told = threading.Event(), threading.Event()

        def slowly() -> Iterator[Any]:
            yield from mixed(200)
            begun.set()
            told.wait(10)
            yield from mixed(10)

        def first() -> None:
            filter_samples(slowly(), kept=kept, workers=1)

        thread = threading.Thread(target=first)
        thread.start()
        begun.wait(10)
        with pytest.raises(
            CiteguardError, match=r"kept\.jsonl\.partial: another run is writing it"
        ):
            filter_samples(iter(mixed(210)), kept=kept, restart=restart)
        told.set()
        thread.join()
        assert [line["number"] for line in read_lines(kept)][-1] == 9
        assert len(read_lines(kept)) == 141
