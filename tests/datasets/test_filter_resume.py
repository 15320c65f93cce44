import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import killed_runs
import pandas
import psutil
import pytest
from filter_material import Json, contents, mixed, read_lines, sample, write_lines

from citeguard import Answer, CiteguardError, Policy
from citeguard.datasets import Fields, filter_samples
from citeguard.datasets import filtering as runs
from citeguard.testing import ScriptedJudge

SCRIPT = Path(killed_runs.__file__)


class _StoppedError(Exception):
    """What stops a run in the middle."""


def stopped_after(count: int, samples: list[Json]) -> Iterator[Json]:
    yield from samples[:count]
    raise _StoppedError


REJECTED = "rejected.ndjson"  # workers would need a second more to load what Parquet needs


def uninterrupted(folder: Path, **options: str) -> dict[str, bytes]:
    (folder / "out").mkdir(parents=True)
    killed_runs.filter_all(folder, 1, **options)
    return contents(folder / "out")


def killed(folder: Path) -> int:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[0])


@pytest.mark.slow
class TestKilled:
    @pytest.fixture(autouse=True)
    def small_chunks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(runs, "CHUNK_SIZE", killed_runs.CHUNK_SIZE)

    def test_before_each_step_on_a_file(self, tmp_path: Path) -> None:
        write_lines(tmp_path / "in.jsonl.gz", mixed(10))
        count = killed(tmp_path)
        assert count > 15
        (tmp_path / "out").rename(tmp_path / "out.0")
        expected = uninterrupted(tmp_path)
        for n in range(count + 1):
            assert contents(tmp_path / f"out.{n}") == expected, n

    @pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill"])
    def test_with_two_workers_it_resumes(self, how: signal.Signals, tmp_path: Path) -> None:
        write_lines(tmp_path / "in.jsonl.gz", mixed(300))
        (tmp_path / "out").mkdir()
        partial = tmp_path / "out" / "kept.jsonl.partial"
        code = (
            "import pathlib, sys\n"
            "import killed_runs\n"
            "killed_runs.runs._SAVE_EVERY = 0.0\n"
            "killed_runs.runs.CHUNK_SIZE = killed_runs.CHUNK_SIZE\n"
            "killed_runs.filter_all(pathlib.Path(sys.argv[1]), 2, sys.argv[2])\n"
        )
        path = os.pathsep.join([str(SCRIPT.parent), *filter(None, sys.path)])
        with subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path), REJECTED],
            env={**os.environ, "PYTHONPATH": path},
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            while not (partial.exists() and partial.stat().st_size):
                assert process.poll() is None
                time.sleep(0.005)
            if how is signal.SIGINT:  # Ctrl-C reaches the workers, too
                for worker in psutil.Process(process.pid).children(recursive=True):
                    with suppress(psutil.NoSuchProcess):
                        worker.send_signal(how)
            process.send_signal(how)
            _, told = process.communicate(timeout=60)
        assert process.returncode == -how
        assert not (tmp_path / "out" / "kept.jsonl").exists()
        if how is signal.SIGINT:
            assert told.count("Traceback") == 1
            assert told.rstrip().endswith("samples is saved: run it again to resume.")
        killed_runs.filter_all(tmp_path, 1, REJECTED)
        (tmp_path / "out").rename(tmp_path / "out.0")
        assert contents(tmp_path / "out.0") == uninterrupted(tmp_path, rejected=REJECTED)

    def test_its_workers_end_too(self, tmp_path: Path) -> None:
        code = (
            "import os, sys, itertools\n"
            "from citeguard.datasets import check_samples\n"
            "samples = ({'sources': 'Some text.', 'statements': []} for _ in itertools.count())\n"
            "def told(answer):\n"
            "    os.write(1, f'{os.getpid()}\\n'.encode())\n"
            "    return answer\n"
            "from typing import Annotated\n"
            "from pydantic import AfterValidator\n"
            "model = Annotated[dict, AfterValidator(told)]\n"
            "for checked in check_samples(samples, model=model, workers=2): pass\n"
        )
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            workers = {int(process.stdout.readline()) for _ in range(64)}
            process.kill()
        assert workers
        assert process.pid not in workers
        deadline = time.monotonic() + 10
        while any(map(is_running, workers)):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def is_running(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


class TestResuming:
    @pytest.fixture(autouse=True)
    def save_always(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(runs, "_SAVE_EVERY", 0.0)

    def test_no_sample_is_checked_twice(self, tmp_path: Path) -> None:
        judge, kept = ScriptedJudge(), tmp_path / "kept.jsonl"
        policy = Policy(support=[judge])
        samples = [sample(text=f"Statement {n}.") for n in range(100)]
        with pytest.raises(_StoppedError) as caught:
            filter_samples(stopped_after(90, samples), policy=policy, kept=kept, workers=1)
        assert caught.value.__notes__ == [
            "The work on 80 samples is saved: run it again to resume."
        ]
        assert not kept.exists()
        summary = filter_samples(iter(samples), policy=policy, kept=kept, workers=1)
        assert summary.read == summary.kept == 100
        asked = [question.statement for question in judge.asked]
        assert asked == [each["statements"][0]["text"] for each in samples]
        assert [line["statements"][0]["text"] for line in read_lines(kept)] == asked


def another_policy() -> Policy:
    return Policy()


class OtherAnswer(Answer):
    pass


class TestAgain:
    def test_a_complete_run_checks_nothing_and_says_so(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        judge, kept = ScriptedJudge(), tmp_path / "kept.jsonl"
        policy = Policy(support=[judge])
        first = filter_samples(mixed(9), policy=policy, kept=kept, workers=1)
        asked, before = len(judge.asked), contents(tmp_path)
        assert "nothing to do" not in capsys.readouterr().err
        assert filter_samples(mixed(9), policy=policy, kept=kept, workers=1) == first
        assert (len(judge.asked), contents(tmp_path)) == (asked, before)
        said = "complete, nothing to do; to filter again, start over (restart=True, --restart)"
        assert capsys.readouterr().err == f"{kept}: {said}\n"


class TestOtherArguments:
    @pytest.mark.parametrize(
        ("arguments", "changed"),
        [
            ({"policy": Policy(empty="pass")}, "policy"),
            ({"policy": another_policy}, "policy"),
            ({"model": OtherAnswer}, "model"),
            ({"sources": {"a": "Some text."}}, "sources"),
            ({"fields": Fields(answer="response")}, "fields"),
            ({"rejected": "rejected.jsonl"}, "outputs"),
        ],
    )
    def test_are_rejected(
        self, arguments: Any, changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        filter_samples(mixed(3), kept="kept.jsonl")
        with pytest.raises(CiteguardError) as caught:
            filter_samples(mixed(3), kept="kept.jsonl", **arguments)
        assert str(caught.value) == (
            f"kept.jsonl: a finished run with different {changed} has written it; name other "
            "files, or start over (restart=True, --restart)"
        )

    @pytest.mark.parametrize(
        ("kind", "change"),
        [
            ("jsonl", lambda rows: [*rows[:-1], sample(number=-1)]),
            ("list", lambda rows: rows[:-1]),
            ("pandas", lambda rows: [*rows[:-1], sample(number=-1)]),
        ],
        ids=["file", "list", "frame"],
    )
    def test_other_samples_are_an_error(self, kind: str, change: Any, tmp_path: Path) -> None:
        rows = mixed(60)
        path, kept = tmp_path / "in.jsonl", tmp_path / "kept.jsonl"
        make: Any = {
            "jsonl": lambda rows: write_lines(path, rows),
            "list": lambda rows: rows,
            "pandas": pandas.DataFrame,
        }[kind]
        filter_samples(make(rows), kept=kept)
        with pytest.raises(CiteguardError, match="a finished run with different samples"):
            filter_samples(make(change(rows)), kept=kept)
        assert filter_samples(make(rows), kept=kept).read == 60


class TestRecord:
    @pytest.mark.parametrize(
        "content",
        [b"", b"{", b"[]", b"null", b"{}", b"\xff", b'{"settings": {}, "sizes": ["x"]}',
         b'{"settings": {}, "summary": {"read": "many"}}', b'{"settings": 3}'],
    )  # fmt: skip
    def test_that_is_damaged_is_an_error(self, content: bytes, tmp_path: Path) -> None:
        record = tmp_path / "kept.jsonl.run.json"
        record.write_bytes(content)
        with pytest.raises(CiteguardError, match=r"not the record of a run|an unfinished run with"):
            filter_samples(mixed(3), kept=tmp_path / "kept.jsonl")
        assert filter_samples(mixed(3), kept=tmp_path / "kept.jsonl", restart=True).read == 3

    def test_a_missing_file_is_an_error(self, tmp_path: Path) -> None:
        kept = tmp_path / "kept.jsonl"
        filter_samples(mixed(3), kept=kept)
        kept.unlink()
        with pytest.raises(CiteguardError, match=r"written by the run of .*, and missing now"):
            filter_samples(mixed(3), kept=kept)

    def test_a_partial_file_that_is_shorter_is_an_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runs, "_SAVE_EVERY", 0.0)
        samples, kept = mixed(200), tmp_path / "kept.jsonl"
        with pytest.raises(_StoppedError):
            filter_samples(stopped_after(150, samples), kept=kept, workers=1)
        partial = tmp_path / "kept.jsonl.partial"
        os.truncate(partial, partial.stat().st_size - 1)
        with pytest.raises(CiteguardError, match="shorter than it was; start over"):
            filter_samples(iter(samples), kept=kept)
        partial.unlink()
        with pytest.raises(CiteguardError, match="shorter than it was; start over"):
            filter_samples(iter(samples), kept=kept)
