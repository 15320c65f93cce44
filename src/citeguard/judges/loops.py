"""Between threads and event loops: one way in each direction, and tasks that end together."""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import os
import threading
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar
from weakref import WeakSet

from citeguard.errors import CiteguardError

T = TypeVar("T")

_PATIENCE = 1.0  # seconds that the program's end waits for running tasks


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in the background loop, with the current context, and wait for it.

    It is always the same loop, so that a client that is bound to a loop can be used again. From
    that loop itself it would wait forever: a `CiteguardError`.
    """
    background = _background()
    if background.is_this_thread():
        coroutine.close()
        raise CiteguardError(
            "an async judge may not validate with judges of its own; await averify(...) instead"
        )
    future = asyncio.run_coroutine_threadsafe(coroutine, background.loop)
    try:
        return future.result()
    finally:
        future.cancel()  # in case the waiting was interrupted


def in_background_loop() -> bool:
    """Return whether the running code is in the background loop."""
    return _running is not None and _running.is_this_thread()


def in_turn(events: AsyncGenerator[T]) -> Generator[T]:
    """Yield what an async generator yields, each item awaited in the background loop."""

    async def following() -> list[T]:
        try:
            return [await anext(events)]
        except StopAsyncIteration:
            return []

    async def close() -> None:
        await events.aclose()

    try:
        while following_events := run_sync(following()):
            yield from following_events
    finally:
        run_sync(close())


async def in_background(coroutine: Coroutine[Any, Any, T]) -> T:
    """Await a coroutine that runs in the background loop, with the current context.

    So what is bound to a loop, such as a lock, can be shared by tasks of any loop. If the awaiting
    task is cancelled, so is the coroutine.
    """
    background = _background()
    if background.is_this_thread():
        return await coroutine
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, background.loop))


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Await a function in a thread of its own, with the current context.

    Not `asyncio.to_thread`: its pool is small, and a program waits for it before it ends, however
    long the function blocks. If the awaiting task is cancelled, the thread runs on by itself.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def deliver(settle: Callable[..., None], outcome: Any) -> None:
        if future.done():
            _discard(outcome)
        else:
            settle(outcome)

    def work() -> None:
        try:
            settle, outcome = future.set_result, context.run(function, *arguments)
        except BaseException as error:  # of a judge; the task that waits for it must get it
            # A future rejects a StopIteration, and a SystemExit would end the event loop.
            passes = isinstance(error, Exception) and not isinstance(error, StopIteration)
            settle, outcome = future.set_exception, error
            if not passes:
                outcome = RuntimeError(f"the thread raised {error!r}")
                outcome.__cause__ = error
        try:
            loop.call_soon_threadsafe(deliver, settle, outcome)
        except RuntimeError:  # the loop has been closed: nothing waits for it
            _discard(outcome)

    thread = threading.Thread(target=work, name="citeguard-judge", daemon=True)
    _threads.add(thread)
    thread.start()
    try:
        return await future
    except asyncio.CancelledError:
        if future.done() and not future.cancelled() and future.exception() is None:
            _discard(future.result())  # it was just delivered
        raise


def _discard(outcome: Any) -> None:
    """Drop an unneeded result; Python warns about a coroutine that is never awaited."""
    if asyncio.iscoroutine(outcome):
        outcome.close()


async def aside(long: bool, function: Callable[..., T], *arguments: Any) -> T:
    """Call a function, in a thread if it takes long, so that it does not block the loop."""
    return await in_thread(function, *arguments) if long else function(*arguments)


async def together(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines concurrently; if one raises, or this is cancelled, cancel all."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        # Until all have ended: a task that is cancelled may take a while.
        await asyncio.gather(*tasks, return_exceptions=True)


class _Background:
    """An event loop in a thread that ends with the program."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._closing = False
        # A program that ends need not wait for a call that hangs.
        self._thread = threading.Thread(target=self._run, name="citeguard-loop", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._closing:
            # One of these in a task ends a loop, but others wait for it.
            with suppress(KeyboardInterrupt, SystemExit):
                self.loop.run_forever()

    def is_this_thread(self) -> bool:
        return threading.current_thread() is self._thread

    def close(self) -> None:
        self._closing = True
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(_PATIENCE)
        if not self._thread.is_alive():
            self.loop.close()


_lock = threading.Lock()
_threads: WeakSet[threading.Thread] = WeakSet()
_running: _Background | None = None
_inherited: list[_Background | None] = []


def _background() -> _Background:
    global _running
    with _lock:
        if _running is None:
            _running = _Background()
        return _running


def _close() -> None:
    global _running
    with _lock:
        if _running is not None:
            _running.close()
            _running = None
    _stop_threads()


def _stop_threads() -> None:
    """Stop what still works for nobody.

    Python before 3.14 ends threads at the program's end, wherever they are, and the process aborts
    if that is amid code in C++ or Rust. What blocks in one call of such code cannot be stopped.
    """
    left = [each for each in _threads if each.is_alive()]
    for thread in left:
        set_error = ctypes.pythonapi.PyThreadState_SetAsyncExc
        set_error(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
    end = time.monotonic() + _PATIENCE
    for thread in left:
        thread.join(max(0.0, end - time.monotonic()))


def _forget() -> None:
    """Start again in a forked process, which inherits the loop but not its thread."""
    global _lock, _running
    _inherited.append(_running)  # it cannot be closed here, and asyncio warns if it is dropped
    _lock, _running = threading.Lock(), None


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
