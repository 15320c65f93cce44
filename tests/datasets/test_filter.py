import itertools
import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filter_material import (
    RIGHT,
    SOURCES,
    WRONG,
    as_lines,
    contents,
    mixed,
    read_lines,
    sample,
    write_lines,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, LLMJudge, Policy
from citeguard.datasets import (
    FilterSummary,
    check_samples,
    filter_samples,
    filtering,
    read_samples,
)
from citeguard.datasets.filtering import map_in_order
from citeguard.testing import ScriptedJudge
from llm_server import LLMServer, Reply, Request

JUDGE = ScriptedJudge({"A lie.": "contradicted", "Who knows?": "undecided"})
JUDGED = Policy(support=[JUDGE])
TEXTS = ["The truth.", "A lie.", "Who knows?"]


class TestOutputs:
    def test_each_sample_goes_where_it_belongs(self, tmp_path: Path) -> None:
        files = {name: tmp_path / f"{name}.jsonl" for name in ("kept", "rejected", "undecided")}
        samples = [sample(text=text) for text in TEXTS]
        summary = filter_samples(samples, policy=JUDGED, **files)
        assert (summary.read, summary.kept, summary.rejected, summary.undecided) == (3, 1, 1, 1)
        texts = [read_lines(file)[0]["statements"][0]["text"] for file in files.values()]
        assert texts == TEXTS
        assert all(len(read_lines(file)) == 1 for file in files.values())

    def test_kept_lines_are_written_unchanged(self, tmp_path: Path) -> None:
        line = json.dumps(sample(), indent=None).replace(", ", ",  ") + " "
        line = line.replace(
            '"statements"', '"n":1.10,"big":1e999,"x":NaN,"\\u0061":"\\ud800","statements"'
        )
        path, kept = tmp_path / "in.jsonl", tmp_path / "kept.jsonl"
        path.write_bytes(b"\xef\xbb\xbf" + line.encode() + b"\r\n")
        filter_samples(path, kept=kept)
        assert kept.read_bytes() == line.strip().encode() + b"\n"

    def test_rejected_lines_are_unchanged_but_for_one_more_field(self, tmp_path: Path) -> None:
        line = json.dumps(sample(WRONG)).removesuffix("}") + ', "n": 1.10, "big": 1e999 }'
        path, rejected = tmp_path / "in.jsonl", tmp_path / "rejected.jsonl"
        path.write_text(line + "\n")
        filter_samples(path, rejected=rejected)
        written = rejected.read_text()
        assert written.startswith(line.removesuffix("}") + ',"citeguard":{"outcome":"rejected"')
        assert json.loads(written)["citeguard"]["problems"][0]["path"].startswith("statements[0]")

    @pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "parquet"])
    def test_without_samples_there_are_empty_files(self, suffix: str, tmp_path: Path) -> None:
        kept = tmp_path / f"kept.{suffix}"
        assert filter_samples([], kept=kept) == FilterSummary()
        assert list(read_samples(kept)) == []

    def test_what_json_cannot_hold_is_an_error(self, tmp_path: Path) -> None:
        circle: list[Any] = []
        circle.append(circle)
        for number, note in enumerate((10**5_000, circle)):
            with pytest.raises(CiteguardError, match="sample"):
                filter_samples([sample(note=note)], kept=tmp_path / f"{number}.jsonl")

    def test_a_lone_surrogate_is_an_escape(self, tmp_path: Path) -> None:
        kept, rejected = tmp_path / "kept.jsonl", tmp_path / "rejected.jsonl"
        samples = [sample(note="\ud800", at=b"\xff"), sample("\ud800 not there at all")]
        filter_samples(samples, kept=kept, rejected=rejected)
        assert read_lines(kept)[0]["note"] == "\ud800"
        assert read_lines(rejected)[0]["statements"] == samples[1]["statements"]


class TestArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"kept": "k.csv"}, r"k\.csv: not a kind of file that samples are written to"),
            ({"kept": "none/k.jsonl"}, "there is no folder"),
            ({"kept": f"{'k' * 300}.jsonl"}, "file name too long"),
            ({"kept": "\0.jsonl"}, "cannot have NUL"),
            ({"rejected": 5}, "rejected: expected a path, got int"),
            ({"kept": "folder.jsonl"}, "a folder, not a file"),
            ({"kept": "a.jsonl", "rejected": "folder.jsonl/../a.jsonl"}, "must be different files"),
            ({"rejected": "in.jsonl"}, "must be different files"),
            ({"rejected": "link.jsonl"}, "must be different files"),
            ({"workers": 0}, "workers must be an integer"),
            ({"policy": "strict"}, "expected a Policy"),
            ({"sources": {}}, "no sources"),
        ],
    )
    def test_wrong_ones_are_errors_before_anything_is_done(
        self, arguments: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        path = write_lines(tmp_path / "in.jsonl", mixed(3))
        (tmp_path / "folder.jsonl").mkdir()
        (tmp_path / "link.jsonl").symlink_to(path)
        before = sorted(tmp_path.iterdir())
        with pytest.raises(CiteguardError, match=message):
            filter_samples(path, **arguments)
        assert sorted(tmp_path.iterdir()) == before

    def test_an_existing_file_is_not_overwritten(self, tmp_path: Path) -> None:
        kept = tmp_path / "kept.jsonl"
        kept.write_text("precious")
        with pytest.raises(CiteguardError, match="already exists; remove it, or start over"):
            filter_samples(mixed(3), kept=kept)
        assert kept.read_text() == "precious"
        filter_samples(mixed(3), kept=kept, restart=True)
        assert len(read_lines(kept)) == 2

    def test_strict_makes_a_malformed_line_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "in.jsonl"
        path.write_bytes(as_lines([*mixed(70), b"broken"]))
        with pytest.raises(CiteguardError, match=r"in\.jsonl:71: not JSON"):
            filter_samples(path, strict=True, workers=2)


class TestSharedSources:
    def test_all_of_them_some_by_id_and_the_samples_own(self) -> None:
        quoted = {"statements": sample()["statements"]}
        samples = [
            quoted,
            {**quoted, "sources": "handbook"},
            {**quoted, "sources": ["handbook", "faq"]},
            {**quoted, "sources": ["none"]},
            {**quoted, "sources": {"handbook": "Something else."}},
        ]
        checked = list(check_samples(samples, sources={**SOURCES, "faq": "Lunch is free."}))
        assert ["".join(each.codes) for each in checked] == [
            *("", "", ""),
            "sources_invalid",
            "quote_not_found",
        ]


class TestJudges:
    def test_with_a_connection_stay_in_this_process(self, tmp_path: Path) -> None:
        with LLMServer(supported) as server:
            policy = Policy(support=[LLMJudge(server.client(), model="scripted")])
            samples = [sample(text=f"Statement {n}.") for n in range(70)]
            assert filter_samples(samples, policy=policy).kept == 70
            with pytest.raises(CiteguardError, match="cannot be sent to other processes"):
                filter_samples(samples, policy=policy, workers=2)


def supported(request: Request) -> Reply:
    """Support whatever is asked about."""
    data = json.loads("\n".join(request.texts[-1].splitlines()[1:-1]))
    said = {"verdict": "supported", "reason": "It says so."}
    verdicts = [
        {"id": case["id"], "words": case["evidence"][0]["text"], **said} for case in data["cases"]
    ]
    return Reply({"verdicts": verdicts})


broken = st.sampled_from([b"x", b"{", b"[]", b"3", b"\xff", b'{"a": 1, "a": 2}', b"null", b'""'])
values: st.SearchStrategy[Any] = st.deferred(
    lambda: (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=5)
        | st.lists(values, max_size=3)
        | st.dictionaries(st.text(max_size=5), values, max_size=3)
    )
)
keys = st.sampled_from(["statements", "sources", "answer", "question", "citeguard", "other", "é\n"])
objects = st.dictionaries(keys, values, max_size=4)
quoted = st.builds(sample, st.sampled_from([RIGHT, WRONG, "Nothing of the kind."]), mark=values)


class TestAnySamples:
    @given(st.lists(broken | objects | quoted | st.just(b""), max_size=12))
    @settings(
        max_examples=30,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    def test_each_ends_in_exactly_one_file_in_order(self, tmp_path: Path, samples: Any) -> None:
        path = write_lines(tmp_path / "in.jsonl", samples)
        kept, rejected = tmp_path / "kept.jsonl", tmp_path / "rejected.jsonl"
        summary = filter_samples(path, kept=kept, rejected=rejected, restart=True)
        given_lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
        assert summary.read == len(given_lines)
        assert summary.read == summary.kept + summary.rejected + summary.undecided
        numbers = [line["citeguard"]["number"] for line in read_lines(rejected)]
        assert numbers == sorted(set(numbers))
        kept_lines = kept.read_bytes().splitlines()
        assert len(kept_lines) == summary.kept == summary.read - len(numbers)
        rest = iter(given_lines)
        assert all(line in rest for line in kept_lines)  # each after the one before


def test_many_samples_give_the_same_bytes_however_many_work(tmp_path: Path) -> None:
    samples = [*mixed(70), b"broken", *mixed(70), {"sources": SOURCES}, b'"\\ud800"', *mixed(70)]
    written = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        path = write_lines(tmp_path / "in.jsonl.gz", samples)
        summary = filter_samples(
            path,
            kept=folder / "kept.jsonl.gz",
            rejected=folder / "rejected.parquet",
            workers=workers,
        )
        written.append((contents(folder), summary))
    assert all(each == written[0] for each in written)


def late(number: int) -> int:
    time.sleep(0.01 if number % 2 else 0.0)
    return number * number


def test_unpicklable_work_stays_in_this_process_unless_workers_are_given() -> None:
    lock = threading.Lock()

    def work(chunk: int) -> int:
        with lock:
            return chunk

    assert list(map_in_order(work, range(20))) == list(range(20))
    with pytest.raises(CiteguardError, match="give the policy as a function that makes it"):
        list(map_in_order(work, range(20), 2))


def test_results_come_in_the_order_of_the_chunks_and_few_are_read_ahead() -> None:
    read: list[int] = []

    def chunks() -> Iterator[int]:
        for number in itertools.count():
            read.append(number)
            yield number

    results = map_in_order(late, chunks(), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    assert len(read) <= 12
    assert [next(results) for _ in range(57)] == [n * n for n in range(3, 60)]


@pytest.fixture
def lines_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "_LINE_EVERY", 0.0)


def test_lines_come_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def seconds() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += 1.0

    clock = seconds()
    monkeypatch.setattr(filtering.time, "monotonic", lambda: next(clock))
    filter_samples(mixed(64 * 9), workers=1)
    lines = capsys.readouterr().err.splitlines()
    assert 1 <= len(lines) < 9
    assert re.fullmatch(r"\d+ samples, \d+% of all, \d+/s, 33\.\d % rejected", lines[0])


def test_the_rate_does_not_count_what_an_earlier_run_did(
    lines_at_once: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = iter([0.0, 5.0, 10.0])
    monkeypatch.setattr(filtering.time, "monotonic", lambda: next(now))
    shown: list[tuple[str, float, float | None]] = []
    reader = filtering.reader_of(mixed(1))
    report = filtering._reporter(lambda *move: shown.append(move), reader)
    for read, share in ((1000, 0.5), (1100, None)):
        reader.share = share
        report(filtering.FilterSummary(read=read))
    assert shown == [
        ("1,000 samples, 50% of all, 0/s, 0.0 % rejected", 0.5, 1.0),
        ("1,100 samples, 10/s, 0.0 % rejected", 0.0, None),
    ]


def test_a_terminal_has_a_line_that_goes_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    filter_samples(mixed(9), workers=1)
    captured = capsys.readouterr()
    assert "33.3 % rejected" in captured.err
    assert captured.err.endswith("\x1b[2K")


def test_nothing_goes_to_standard_output_or_is_shown_if_disabled(
    lines_at_once: None, capsys: pytest.CaptureFixture[str]
) -> None:
    filter_samples(mixed(9), progress=False)
    assert capsys.readouterr() == ("", "")
    filter_samples(mixed(130), workers=1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "33.1 % rejected" in captured.err
