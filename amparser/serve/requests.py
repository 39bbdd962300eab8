"""Requests answered one after the other by one thread, with a limited wait."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of a request.

    Attributes:
        body: bytes of a request's body.
        seconds: time until a request is given up; a search in progress still ends by its budget.
        waiting: maximum number of requests in progress or waiting.
    """

    body: int = 64 * 1024
    seconds: float = 30.0
    waiting: int = 100


class RequestError(Exception):
    """A refused request with its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Requests:
    """A bounded number of requests that share one thread.

    Args:
        service: has one method for each operation.

    Attributes:
        count: number of requests in progress or waiting.
    """

    def __init__(self, service: Any, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.count = 0
        self._service = service
        self._thread = ThreadPoolExecutor(1)

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
                # The end of the wait cancels a request whose turn has not come.
                answer = self._thread.submit(getattr(self._service, operation), request)
                return await asyncio.wrap_future(answer)
        except TimeoutError:
            message = f"no answer within {self.limits.seconds:g} seconds"
            raise RequestError(504, message) from None
        except RecursionError:
            raise RequestError(400, "nested too deeply") from None
        finally:
            self.count -= 1
