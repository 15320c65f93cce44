import itertools
import threading
import time
from collections.abc import Iterator

import pytest

from citeguard import CiteguardError
from citeguard.datasets.filtering import map_in_order


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
