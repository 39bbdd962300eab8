"""Queue of requests, answered by two threads: one for costly requests, one for all others.

Costly requests hardly delay others: compiled searches run in parallel, and on Linux the thread of
costly requests has a low priority.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of a request.

    Attributes:
        body: maximum bytes of a request's body.
        seconds: time limit for an answer. A search that has begun still runs until it ends or its
            budget is used up.
        waiting: maximum number of requests in progress or waiting.
    """

    body: int = 64 * 1024
    seconds: float = 30.0
    waiting: int = 100


class RequestError(Exception):
    """Refusal of a request, with the HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


_LIGHT = 50
"""Product of words, decoders and requested meanings above which a request is costly."""


class Requests:
    """Queue of a bounded number of requests, which two threads answer.

    Args:
        service: object with one method for each operation.

    Attributes:
        count: number of requests in progress or waiting.
    """

    def __init__(self, service: Any, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.count = 0
        self._service = service
        self._light = ThreadPoolExecutor(1)
        self._costly = ThreadPoolExecutor(1, initializer=_lower_priority)

    async def run(self, operation: str, request: Mapping[str, Any]) -> Any:
        """Return the answer to a request.

        Raises:
            RequestError: the queue is full or the time limit is exceeded.
            AMParserError: the request cannot be answered.
        """
        if self.count >= self.limits.waiting:
            raise RequestError(503, f"{self.count} requests are waiting: try again later")
        self.count += 1
        try:
            async with asyncio.timeout(self.limits.seconds):
                # The time limit cancels a request if its thread has not started it yet.
                thread = self._light if _steps(request) <= _LIGHT else self._costly
                answer = thread.submit(getattr(self._service, operation), request)
                return await asyncio.wrap_future(answer)
        except TimeoutError:
            message = f"no answer within {self.limits.seconds:g} seconds"
            raise RequestError(504, message) from None
        except RecursionError:
            raise RequestError(400, "nested too deeply") from None
        finally:
            self.count -= 1


def _lower_priority() -> None:
    if sys.platform == "linux":  # elsewhere, the whole process would get the priority
        os.nice(10)


def _steps(request: Mapping[str, Any]) -> int:
    """Return words times decoders times requested meanings; an invalid value counts as 1."""
    text, decoders, best = (request.get(key) for key in ("sentence", "decoders", "best"))
    # A text without spaces counts as words of five characters.
    words = max(len(text.split()), len(text) // 5) if isinstance(text, str) else 1
    readings = best if isinstance(best, int) else 1
    return words * readings * (len(decoders) if isinstance(decoders, list) and decoders else 1)
