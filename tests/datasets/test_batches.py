"""Batches of every kind come back checked, and as what they were."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import cloudpickle
import pandas as pd
import pyarrow as pa
import pytest

from citeguard import Policy, Sources
from citeguard.datasets.batches import BatchChecker
from citeguard.errors import CiteguardError
from cluster_samples import CODES, HANDBOOK, by_one_machine, sample, table
from datasets import Dataset
from rows import each_row

COLUMNS = ("citeguard_outcome", "citeguard_codes", "citeguard_problems")
OUTCOMES = ["rejected" if code else "kept" for code in CODES]


def numpy_columns(batch: pa.Table) -> dict[str, Any]:
    """Return columns as Ray hands them out: arrays, of objects where they are nested."""
    frame = batch.to_pandas()
    return {name: frame[name].to_numpy() for name in frame.columns}


KINDS = {
    "table": lambda batch: batch,
    "record batch": lambda batch: batch.to_batches()[0],
    "frame": lambda batch: batch.to_pandas(),
    "frame of Arrow types": lambda batch: batch.to_pandas(types_mapper=pd.ArrowDtype),
    "lists": lambda batch: batch.to_pydict(),
    "arrays": numpy_columns,
    "Arrow arrays": lambda batch: {name: batch[name] for name in batch.column_names},
}


def listed(column: Any) -> list[Any]:
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


@pytest.mark.parametrize("kind", KINDS)
class TestEveryKind:
    def test_has_an_outcome_for_each_sample(self, kind: str) -> None:
        checked = BatchChecker()(KINDS[kind](table(*range(6))))
        assert listed(checked["citeguard_outcome"]) == OUTCOMES
        assert listed(checked["citeguard_codes"]) == CODES
        assert [bool(json.loads(each)) for each in listed(checked["citeguard_problems"])] == [
            bool(code) for code in CODES
        ]

    def test_is_not_changed_and_keeps_its_other_columns(self, kind: str) -> None:
        batch = KINDS[kind](table(4, 2, 0))
        checked = BatchChecker()(batch)
        assert type(checked) is type(batch)
        names = batch.schema.names if hasattr(batch, "schema") else [*batch]
        assert names == table().column_names
        for name in names:
            column = checked[name]
            assert column is batch[name] or column.equals(batch[name])

    def test_may_be_checked_again(self, kind: str) -> None:
        once = BatchChecker()(KINDS[kind](table(0, 1)))
        again = BatchChecker(sources={"handbook": "Nothing of the kind."})(once)
        assert listed(again["citeguard_codes"]) == listed(once["citeguard_codes"])
        names = again.schema.names if hasattr(again, "schema") else [*again]
        assert names == [*table().column_names, *COLUMNS]


class TestEmptyBatches:
    def test_and_full_ones_have_one_schema(self) -> None:
        check = BatchChecker()
        assert check(table()).schema == check(table(0)).schema == check(table(1)).schema


class TestFrames:
    @each_row("missing", [None, math.nan, pd.NA, pd.NaT])
    def test_missing_values_of_every_kind_are_null(self, missing: Any) -> None:
        frame = pd.DataFrame([{**sample(0), "question": missing, "sources": missing}])
        assert [*BatchChecker()(frame)["citeguard_codes"]] == ["sources_missing"]


class TestMaps:
    def test_of_sources_as_spark_writes_them(self, tmp_path: Path) -> None:
        sources = pa.array([[("handbook", HANDBOOK)]] * 2, pa.map_(pa.string(), pa.string()))
        batch = table(0, 1).drop_columns(["sources"]).append_column("sources", sources)
        assert listed(BatchChecker()(batch)["citeguard_codes"]) == ["", "quote_altered"]
        assert by_one_machine(batch, tmp_path) == {0: "", 1: "quote_altered"}


class TestProblems:
    def test_are_those_of_the_filter(self) -> None:
        [problems] = BatchChecker()(table(1).to_pydict())["citeguard_problems"]
        [problem] = json.loads(problems)
        assert {**problem, "message": problem["message"][:20]} == {
            "code": "quote_altered",
            "message": "The quote is not wha",
            "path": "statements[0].citations[0].quote",
            "score": pytest.approx(0.94, abs=0.05),
        }


class TestSettings:
    @each_row("batch", [None, [sample(0)], pa.array([1]), pd.Series([1])])
    def test_anything_but_a_batch_is_an_error(self, batch: Any) -> None:
        with pytest.raises(CiteguardError, match="a batch must be a table of pyarrow"):
            BatchChecker()(batch)


class TestPickling:
    @each_row("library", [pickle, cloudpickle])
    def test_a_used_checker_can_be_sent(self, library: Any) -> None:
        check = BatchChecker(sources=Sources({"handbook": HANDBOOK}), policy=Policy.fast)
        check(table(0))
        sent = library.loads(library.dumps(check))
        assert listed(sent(table(4))["citeguard_outcome"]) == ["kept"]


class TestHuggingFace:
    def dataset(self, form: str | None) -> Dataset:
        # Those that are kept come first: types that were guessed from them alone must do for all.
        numbers = [0, 3, 6, 9, *range(10, 22)]
        samples = table(*numbers).drop_columns(["note"])
        return Dataset(samples).with_format(form)

    @pytest.mark.parametrize("form", [None, "arrow", "numpy", "pandas"])
    def test_map_and_filter(self, form: str | None, tmp_path: Path) -> None:
        dataset = self.dataset(form)
        checked = dataset.map(BatchChecker(), batched=True, batch_size=4, writer_batch_size=4)
        assert checked.column_names == [*dataset.column_names, *COLUMNS]
        if form != "pandas":  # whose types datasets infers anew
            assert {name: checked.features[name] for name in dataset.features} == dataset.features
        checked = checked.with_format(None)
        kept = checked.filter(lambda each: each == "kept", input_columns="citeguard_outcome")
        expected = by_one_machine(table(*dataset.with_format(None)["id"]), tmp_path)
        found = dict(zip(checked["id"], checked["citeguard_codes"], strict=True))
        assert found == expected
        assert [*kept["id"]] == [number for number, codes in expected.items() if not codes]


@each_row("kind", ["table", "record batch"])
def test_a_row_that_python_cannot_represent_is_rejected_alone(
    kind: str,
) -> None:
    batch = table(0, 1, 2)
    dates = pa.array([0, 10**8, None], pa.date32())
    checked = BatchChecker()(KINDS[kind](batch.append_column("day", dates)))
    codes = BatchChecker()(batch)["citeguard_codes"].to_pylist()
    assert checked["citeguard_codes"].to_pylist() == [codes[0], "sample_malformed", codes[2]]
    assert (
        "row 2: a value that Python cannot represent: " in checked["citeguard_problems"][1].as_py()
    )
