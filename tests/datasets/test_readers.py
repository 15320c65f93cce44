import datetime as dt
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest
from filter_material import RIGHT, WRONG, Json, as_lines, mixed, read_lines, sample, write_lines
from pyarrow import parquet

import datasets
from citeguard import CiteguardError
from citeguard.datasets import check_samples, filter_samples, read_samples, readers
from rows import each_row

SAMPLES = mixed(69)
KEPT = [each for each in SAMPLES if each["number"] % 3 != 2]


def outcomes(samples: Any) -> str:
    return "".join(each.outcome[0] for each in check_samples(samples))


def fault(line: bytes, folder: Path) -> str:
    path = folder / "line.jsonl"
    path.write_bytes(line)
    [checked] = check_samples(path)
    assert checked.codes == ("sample_malformed",)
    return checked.problems[0].message


class TestFilesOfLines:
    @pytest.mark.parametrize("name", ["s.jsonl", "s.ndjson.gz", "S.JSONL.GZ"])
    def test_of_every_name_are_read(self, name: str, tmp_path: Path) -> None:
        path = write_lines(tmp_path / name, SAMPLES)
        assert list(read_samples(path)) == SAMPLES
        assert list(read_samples(str(path))) == SAMPLES

    @pytest.mark.parametrize(
        "content",
        [
            b'\xef\xbb\xbf{"a": 1}\n{"a": 2}\n',
            b'{"a": 1}\r\n{"a": 2}\r\n',
            b'\n  \n{"a": 1}\n\r\n{"a": 2}\n\n',
            b'{"a": 1}\n{"a": 2}',
            b' {"a": 1}\t\n\t{"a": 2} ',
        ],
        ids=["BOM", "CRLF", "blank lines", "no end", "blanks"],
    )
    def test_are_read_as_editors_write_them(self, content: bytes, tmp_path: Path) -> None:
        path = tmp_path / "s.jsonl"
        path.write_bytes(content)
        assert list(read_samples(path)) == [{"a": 1}, {"a": 2}]

    @each_row(
        ("line", "message"),
        [
            (b"{", "line 1: not JSON: "),
            (b'{"a": 1, "a": 2}', "line 1: not JSON: the key 'a' "),
            (b'{"a": "\xff"}', "line 1: not UTF-8: invalid start byte at byte 7"),
            (b"[]", "line 1: not a JSON object"),
            (b"null", "line 1: not a JSON object"),
            (b'{"a": ' * 300 + b"1" + b"}" * 300, "line 1: nested more than 200 levels deep"),
            (b"[" * 100_000, "line 1: not JSON: nested too deeply"),
            ('{"a": 1}'.encode("utf-16"), "line 1: not UTF-8: "),
            (b'{"a": ' + b"1" * 5_000 + b"}", "line 1: not JSON: Exceeds the limit"),
        ],
    )
    def test_a_malformed_line_is_a_rejected_sample(
        self, line: bytes, message: str, tmp_path: Path
    ) -> None:
        assert fault(line, tmp_path).startswith(message)

    @pytest.mark.parametrize("ending", [b"\n", b""])
    def test_a_line_too_long_is_one_and_the_next_is_read(
        self, ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(readers, "_LONGEST_LINE", 100)
        path = tmp_path / "s.jsonl"
        path.write_bytes(
            b'{"a": 1}\n{"b": "' + b"x" * 450 + b'"}\n{"c": 3}\n{"d": "' + b"y" * 99 + ending
        )
        rejected = tmp_path / "rejected.jsonl"
        assert filter_samples(path, rejected=rejected).rejected == 4
        found = [line["citeguard"] for line in read_lines(rejected)]
        assert [each["number"] for each in found] == [1, 2, 3, 4]
        assert found[1]["problems"][0]["message"] == "line 2: the line has 100 bytes or more"
        assert found[1]["raw"].startswith('{"b": "xxx')


class TestFilesThatCannotBeRead:
    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("none.jsonl", "no such file or directory"),
            ("none.parquet", "no such file or directory"),
            ("folder.jsonl", "is a directory"),
            ("s.json", "not a kind of file that samples are read from"),
            ("s.csv", r"\(\.jsonl, \.ndjson, \.jsonl\.gz, \.ndjson\.gz, \.parquet\)"),
        ],
    )
    def test_are_named_in_the_error(self, name: str, message: str, tmp_path: Path) -> None:
        (tmp_path / "folder.jsonl").mkdir()
        with pytest.raises(CiteguardError, match=message) as caught:
            list(read_samples(tmp_path / name))
        assert str(tmp_path / name) in str(caught.value)


class TestOtherLines:
    def test_of_an_open_file(self, tmp_path: Path) -> None:
        with write_lines(tmp_path / "s.any", SAMPLES).open("rb") as file:
            assert list(read_samples(file)) == SAMPLES
        assert outcomes(io.BytesIO(b"broken\n" + as_lines([sample()]))) == "rk"

    @each_row("samples", [3, None, {"a": 1}])
    def test_anything_else_is_an_error(self, samples: Any) -> None:
        with pytest.raises(CiteguardError, match="samples must be a path, a table or an iterable"):
            check_samples(samples)

    def test_items_that_are_not_objects_are_rejected(self, tmp_path: Path) -> None:
        rejected = tmp_path / "rejected.jsonl"
        filter_samples(iter([[1], 2, None]), rejected=rejected)
        annotations = [line["citeguard"] for line in read_lines(rejected)]
        assert [each["raw"] for each in annotations] == ["[1]", "2", "null"]
        assert (
            annotations[0]["problems"][0]["message"] == "sample 1: a sample is an object, not list"
        )


def as_table() -> pyarrow.Table:
    return pyarrow.Table.from_pylist(SAMPLES)


def as_stream() -> pyarrow.RecordBatchReader:
    return pyarrow.RecordBatchReader.from_batches(as_table().schema, as_table().to_batches(7))


def untyped() -> Iterator[Json]:
    yield from SAMPLES


MAKERS = {
    "Arrow table": as_table,
    "Arrow batch": lambda: pyarrow.RecordBatch.from_pylist(SAMPLES),
    "Arrow stream": as_stream,
    "pandas": lambda: pandas.DataFrame(SAMPLES, index=[f"i{n}" for n in range(len(SAMPLES))]),
    "pandas with Arrow types": lambda: as_table().to_pandas(types_mapper=pandas.ArrowDtype),
    "polars": lambda: polars.DataFrame(SAMPLES),
    "Dataset": lambda: datasets.Dataset.from_list(SAMPLES),
    "IterableDataset": lambda: datasets.Dataset.from_list(SAMPLES).to_iterable_dataset(),
    "IterableDataset of unknown features": lambda: datasets.IterableDataset.from_generator(untyped),
    "list": lambda: SAMPLES,
    "generator": untyped,
}


@pytest.fixture(autouse=True)
def no_datasets_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


class TestTables:
    @pytest.mark.parametrize("kind", MAKERS)
    def test_of_every_kind_can_be_written_as_lines_and_as_a_table(
        self, kind: str, tmp_path: Path
    ) -> None:
        kept, rejected = tmp_path / "kept.parquet", tmp_path / "rejected.jsonl.gz"
        summary = filter_samples(MAKERS[kind](), kept=kept, rejected=rejected)
        assert (summary.read, summary.kept, summary.rejected) == (69, 46, 23)
        assert list(read_samples(kept)) == KEPT
        refused = list(read_samples(rejected))
        assert [each["number"] for each in refused] == list(range(2, 69, 3))
        assert refused[0]["citeguard"]["problems"][0]["code"] == "quote_altered"
        assert refused[0]["citeguard"]["number"] == 3

    def test_types_are_kept(self, tmp_path: Path) -> None:
        rows = [sample(), sample(WRONG), sample()]
        table = pyarrow.table(
            {
                "statements": [row["statements"] for row in rows],
                "sources": pyarrow.array(
                    [[(name, text) for name, text in row["sources"].items()] for row in rows],
                    type=pyarrow.map_(pyarrow.string(), pyarrow.large_string()),
                ),
                "when": pyarrow.array([1, None, 3], type=pyarrow.timestamp("ns", tz="UTC")),
                "price": [Decimal("1.10"), None, Decimal("2.50")],
                "kind": pyarrow.array(["a", "b", None]).dictionary_encode(),
                "raw": [b"\xff", b"", None],
                "day": [dt.date(2026, 1, 1)] * 3,
                "nothing": pyarrow.nulls(3),
                "rate": [float("nan"), 1.0, float("inf")],
            }
        ).replace_schema_metadata({"made_by": "a test"})
        path, kept, lines = tmp_path / "in.parquet", tmp_path / "kept.parquet", tmp_path / "k.jsonl"
        parquet.write_table(table, path, row_group_size=1)
        filter_samples(path, kept=kept)
        found, written = parquet.read_table(kept), parquet.read_table(path).take([0, 2])
        assert found.schema.equals(written.schema, check_metadata=True)
        assert found.drop_columns("rate").equals(written.drop_columns("rate"))
        filter_samples(path, kept=lines)
        row = read_lines(lines)[0]
        assert (row["sources"], row["price"], row["raw"]) == (sample()["sources"], "1.10", "_w==")
        assert (row["rate"], row["day"]) == (None, "2026-01-01")

    @pytest.mark.parametrize(
        ("values", "kind"),
        [
            (
                [[("a", "x")], [("a", "x"), ("a", "y")], None],
                pyarrow.map_(pyarrow.string(), "string"),
            ),
            ([0, 10**13, 1], pyarrow.timestamp("s")),
            ([0, 10**8, None], pyarrow.date32()),
        ],
        ids=["key twice", "time", "date"],
    )
    def test_a_row_that_python_cannot_represent_is_rejected(
        self, values: list[Any], kind: Any, tmp_path: Path
    ) -> None:
        table = pyarrow.Table.from_pylist([sample()] * 3)
        table = table.append_column("odd", pyarrow.array(values, kind))
        lines, rows = tmp_path / "rejected.jsonl", tmp_path / "rejected.parquet"
        for rejected in (lines, rows):
            summary = filter_samples(table, rejected=rejected)
            assert (summary.kept, summary.codes) == (2, {"sample_malformed": 1})
        [line] = read_lines(lines)
        [problem] = line["citeguard"]["problems"]
        assert problem["message"].startswith("row 2: a value that Python cannot represent: ")
        assert parquet.read_table(rows)["odd"].cast(kind)[0] == table["odd"][1]
        with pytest.raises(CiteguardError, match="row:2: a value that Python cannot represent"):
            filter_samples(table, strict=True)

    def test_features_of_hugging_face(self, tmp_path: Path) -> None:
        features = datasets.Features(
            {
                "answer": datasets.Value("string"),
                "quotes": datasets.List(datasets.Value("string")),
                "sources": datasets.List(
                    {"id": datasets.Value("string"), "text": datasets.Value("string")}
                ),
                "label": datasets.ClassLabel(names=["good", "bad"]),
            }
        )
        rows = [
            {
                "answer": "A month.",
                "quotes": [RIGHT],
                "sources": [{"id": "handbook", "text": sample()["sources"]["handbook"]}],
                "label": 1,
            }
        ]
        dataset = datasets.Dataset.from_list(rows, features=features)
        from citeguard.datasets import Fields

        kept = tmp_path / "kept.parquet"
        assert filter_samples(dataset, fields=Fields(quotes="quotes"), kept=kept).kept == 1
        loaded = datasets.Dataset.from_parquet(str(kept), cache_dir=str(tmp_path / "cache"))
        assert loaded.features["label"].names == ["good", "bad"]


class TestWritingTables:
    @pytest.mark.parametrize(
        "values",
        [[1, "x"], [1] * 64 + ["x"], [10**30], ["\ud800"]],
        ids=["in a chunk", "between chunks", "large number", "lone surrogate"],
    )
    def test_what_a_table_cannot_hold_is_an_error(self, values: list[Any], tmp_path: Path) -> None:
        samples = [sample(value=value) for value in values]
        with pytest.raises(CiteguardError, match="write JSON lines"):
            filter_samples(samples, kept=tmp_path / "kept.parquet", workers=1)
        assert filter_samples(samples, kept=tmp_path / "kept.jsonl").kept == len(values)


EXTRAS = ["pyarrow", "pandas", "polars", "datasets", "ray", "sklearn", "scipy", "lxml", "PIL"]
# Without a main guard, and with a model of its own.
PROGRAM = """
import sys
from typing import Annotated
from pydantic import BaseModel
from citeguard import FuzzyQuote
from citeguard.datasets import check_samples
class Finding(BaseModel):
    quote: Annotated[str, FuzzyQuote()]
checked = [*check_samples(sys.argv[1], model=Finding, workers=2)]
print(len(checked), isinstance(checked[-1].answer, Finding))
"""


class TestWithoutExtras:
    def test_a_program_filters_lines_in_several_processes(self, tmp_path: Path) -> None:
        for name in EXTRAS:
            (tmp_path / f"{name}.py").write_text("raise ImportError(__name__)")
        (tmp_path / "program.py").write_text(PROGRAM)
        samples = [{"quote": "one month", "sources": "It is one month."}] * 130
        path = write_lines(tmp_path / "in.jsonl.gz", samples)
        done = subprocess.run(
            [sys.executable, "-W", "error", str(tmp_path / "program.py"), str(path)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout, done.stderr) == ("130 True\n", "")

    @pytest.mark.parametrize("name", ["in.parquet", "in.jsonl"])
    def test_parquet_names_the_extra(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write_lines(tmp_path / name, mixed(3))
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(CiteguardError) as caught:
            filter_samples(path, kept=tmp_path / "kept.parquet")
        assert str(caught.value) == (
            "pyarrow is required for tables and Parquet files: "
            'pip install "pydantic-citeguard[datasets]"'
        )
