"""The same for ``asyncio``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from .client import JobEvent, Reelay
from .errors import JobEnded, Unreachable
from .made.answers import AcceptedJob, Job, JobList, Media, OperationList, Partner, Quote
from .made.requests import NewJob, NewQuote


class AsyncReelay:
    """Calls a Reelay from ``asyncio``: each call waits in a thread of its own, and what it takes is that of :class:`Reelay`.

    A call that is cancelled ends here at once; its thread ends with the answer, or with the timeout.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        attempts: int = 6,
        language: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        self._reelay = Reelay(url, token, attempts=attempts, language=language, timeout=timeout)

    async def create(self, job: NewJob, *, idempotency_key: str | None = None) -> AcceptedJob:
        """As :meth:`Reelay.create`."""
        return await asyncio.to_thread(self._reelay.create, job, idempotency_key=idempotency_key)

    async def quote(self, quote: NewQuote) -> Quote:
        """As :meth:`Reelay.quote`."""
        return await asyncio.to_thread(self._reelay.quote, quote)

    async def read(self, id: str) -> Job:
        """As :meth:`Reelay.read`."""
        return await asyncio.to_thread(self._reelay.read, id)

    async def list(self, **query: str | int) -> JobList:
        """As :meth:`Reelay.list`."""
        return await asyncio.to_thread(self._reelay.list, **query)

    async def remove(self, id: str, *, here: bool = False) -> Literal["cancelled", "deleted", "kept"]:
        """As :meth:`Reelay.remove`."""
        return await asyncio.to_thread(self._reelay.remove, id, here=here)

    async def operations(self) -> OperationList:
        """As :meth:`Reelay.operations`."""
        return await asyncio.to_thread(self._reelay.operations)

    async def partner(self) -> Partner:
        """As :meth:`Reelay.partner`."""
        return await asyncio.to_thread(self._reelay.partner)

    async def follow(self, id: str) -> AsyncIterator[JobEvent]:
        """As :meth:`Reelay.follow`."""
        events = self._reelay.follow(id)
        while (event := await asyncio.to_thread(next, events, None)) is not None:
            yield event

    async def wait(self, id: str, on_progress: Callable[[Job], None] | None = None) -> Job:
        """As :meth:`Reelay.wait`; ``on_progress`` is called in the event loop's thread."""
        async for event in self.follow(id):
            if event.type == "job.completed":
                return event.job
            if event.type != "job.progress":
                raise JobEnded(event.job)
            if on_progress:
                on_progress(event.job)
        raise Unreachable("The events of the job ended before it did.")

    async def download(self, media: Media, path: str | Path) -> None:
        """As :meth:`Reelay.download`."""
        await asyncio.to_thread(self._reelay.download, media, path)

    async def call(
        self,
        path: str,
        *,
        method: str = "GET",
        body: Mapping[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """As :meth:`Reelay.call`."""
        return await asyncio.to_thread(self._reelay.call, path, method=method, body=body, headers=headers)
