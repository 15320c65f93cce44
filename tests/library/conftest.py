from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from library.postgres_server import PostgresServer

_NUMBERS = count()


@pytest.fixture(scope="session")
def postgres_server() -> Generator[PostgresServer]:
    """A Postgres server with pgvector, for tests marked `postgres`."""
    # Not above, as tests of other things run without psycopg.
    from library.postgres_server import running_postgres

    with running_postgres() as server:
        yield server


@pytest.fixture
def database(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of an empty database."""
    name = f"test_{next(_NUMBERS)}"
    yield postgres_server.create_database(name)
    postgres_server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
