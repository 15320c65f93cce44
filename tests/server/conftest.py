from collections.abc import Iterator

import httpx
import pytest

from citeguard.server import Limits, create_app
from server.serving import client_of, served, working
from server.stunts import stunts

SMALL = Limits(
    body_bytes=60_000,
    file_bytes=20_000,
    files=2,
    pages=3,
    text_characters=500,
    sources=20,
    source_characters=5_000,
    body_seconds=0.5,
    reading_seconds=20,
    judging_seconds=2,
    workers=1,
    waiting=1,
    waiting_seconds=20,
    held_bytes=80_000,
    memory_bytes=400_000_000,
)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Return the URL of a service that all tests share."""
    with working(texts=True, documents=True):  # whatever the test has that comes first
        app = create_app(limits=Limits(workers=1))
    with served(app) as address:
        yield address


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[httpx.Client]:
    """Return a client of it."""
    with client_of(address) as client:
        yield client


@pytest.fixture(scope="session")
def small_address() -> Iterator[str]:
    """Return the URL of a service with tiny limits, and a judge that misbehaves on request."""
    with working(texts=True, documents=True):
        app = create_app(stunts, limits=SMALL, hosts=["127.0.0.1"])
    with served(app) as address:
        yield address


@pytest.fixture(scope="session")
def small(small_address: str) -> Iterator[httpx.Client]:
    """Return a client of it."""
    with client_of(small_address) as client:
        yield client
