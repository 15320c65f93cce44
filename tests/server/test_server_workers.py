"""A worker process as the server sees it: with a pipe whose other end the test has."""

from __future__ import annotations

import asyncio

import pytest

from citeguard.server.jobs import Job
from citeguard.server.limits import Limits
from citeguard.server.receiving import Body, Desk
from citeguard.server.workers import Worker

JOB = Job(action="verify", form="json", page=False, content_type="application/json")
MORE_THAN_A_PIPE_HOLDS = b" " * 5_000_000


class TestSend:
    async def test_sends_all_of_a_body_that_its_client_has_left(self) -> None:
        worker = Worker(b"", documents=False)
        with Body(Desk(Limits())) as body:
            body.write(MORE_THAN_A_PIPE_HOLDS)
            sending = asyncio.create_task(worker.send(JOB, body))
            await asyncio.sleep(0)
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending
        job = await asyncio.to_thread(worker._theirs.recv)
        assert job.body == MORE_THAN_A_PIPE_HOLDS
        await worker.close()
