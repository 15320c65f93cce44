"""The program of docs/how-to/filter.md on a real Ray cluster: two workers on this machine."""

import logging
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from pytest_examples import find_examples

from citeguard import Policy
from citeguard.datasets import check_samples

# Ray warns of attributes that it sets itself.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(r"ignore::DeprecationWarning:ray\.data\.context"),
]

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "filter.md"
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",  # else it writes a token into the home directory
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers on this machine, which are gone afterwards, and their files with them."""
    # Not in tmp_path: paths of sockets have at most 107 characters.
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        import ray

        ray.init(
            address="local",
            num_cpus=4,  # two for the workers that check; those that read and write need some, too
            num_gpus=0,
            include_dashboard=False,
            configure_logging=False,
            log_to_driver=False,
            object_store_memory=100 * 1024 * 1024,
            _node_ip_address="127.0.0.1",
            _temp_dir=folder,
        )
        logging.getLogger("ray.data").setLevel(logging.WARNING)
        try:
            yield ray
        finally:
            ray.shutdown()
            shutil.rmtree(folder, ignore_errors=True)


HANDBOOK = "The notice period is one month. Lunch is free for all employees."

CITATION = pa.struct([("quote", pa.string()), ("source_id", pa.string())])
STATEMENT = pa.struct([("text", pa.string()), ("citations", pa.list_(CITATION))])
SOURCE = pa.struct([("id", pa.string()), ("text", pa.string())])
SCHEMA = pa.schema(
    [
        ("id", pa.int64()),
        ("question", pa.string()),
        ("statements", pa.list_(STATEMENT)),
        ("sources", pa.list_(SOURCE)),
        ("note", pa.null()),
    ]
)

QUOTES = [
    "The notice period is one month.",
    "The notice period is not one month.",
    "A bonus of two salaries is paid every December.",
    "Lunch is free for all employees.",
]


def sample(number: int) -> dict[str, Any]:
    """Return a sample that is kept, or rejected for one of four reasons, as the number has it."""
    kind = number % 6
    citation = {"quote": QUOTES[kind % 4], "source_id": "handbook"}
    statement = {"text": QUOTES[kind % 4], "citations": [citation]}
    source = {"id": "handbook", "text": f"{HANDBOOK} This is copy {number}."}
    return {
        "id": number,
        "question": None if number % 4 else "How long is it?",
        "statements": None if kind == 5 else [statement],
        "sources": [] if kind == 4 else [source],
    }


def table(*numbers: int) -> pa.Table:
    """Return the samples with these numbers, with a column in which all is null."""
    return pa.Table.from_pylist([sample(number) for number in numbers], schema=SCHEMA)


PARTS = [table(*range(20)), table(), table(*range(20, 50)), table(50)]
WHOLE = table(*range(51))


def by_one_machine() -> dict[int, str]:
    """Return the codes of each sample, as this process finds them."""
    checked = check_samples(WHOLE, policy=Policy.fast)
    return {each.sample["id"]: ",".join(each.codes) for each in checked}


def write_parts(folder: Path) -> None:
    folder.mkdir()
    for number, part in enumerate(PARTS):
        parquet.write_table(part, folder / f"{number}.parquet")


def rows_in(folder: Path) -> dict[int, dict[str, Any]]:
    """Return the rows of a folder of Parquet files by their ids."""
    return {row["id"]: row for row in parquet.read_table(folder).to_pylist()}


def noting(folder: Path) -> Callable[[Policy], Policy]:
    """Return what leaves a note of the process that makes a policy."""
    folder.mkdir()

    def noted(policy: Policy) -> Policy:
        (folder / f"{os.getpid()} {uuid.uuid4()}").touch()
        return policy

    return noted


@pytest.fixture(scope="module")
def bucket(cluster: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in the place of the bucket, after the program has run."""
    bucket = tmp_path_factory.mktemp("bucket")
    write_parts(bucket / "generated")
    parts = [example.source for example in find_examples(PAGE)]
    program = "\n".join(each for each in parts if "class Check" in each or "ActorPool" in each)
    for old, new in {
        "s3://bucket": str(bucket),
        "batch_size=256": "batch_size=8",
        # So few samples would be one block, which only one worker can check.
        'generated/")': 'generated/").repartition(4)',
        "Policy.fast()": "noted(Policy.fast())",
    }.items():
        assert old in program
        program = program.replace(old, new)
    names = {"__name__": "__main__", "noted": noting(bucket / "made")}
    exec(compile(program, str(PAGE), "exec"), names)
    return bucket


# One test, as pytest-xdist would start a cluster for each of three.
def test_the_pages_program_finds_what_one_machine_finds(bucket: Path) -> None:
    codes = {number: row["codes"] for number, row in rows_in(bucket / "checked").items()}
    assert codes == by_one_machine()
    assert len(set(codes.values())) == 5
    assert rows_in(bucket / "kept") == {
        row["id"]: row for row in WHOLE.to_pylist() if not codes[row["id"]]
    }
    makers = [int(note.name.split()[0]) for note in (bucket / "made").iterdir()]
    assert len(makers) == len(set(makers)), "a worker made its policy twice"
    assert makers
    assert os.getpid() not in makers
