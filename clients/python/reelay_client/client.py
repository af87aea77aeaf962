"""A Reelay, called with a partner's token."""

from __future__ import annotations

import http.client
import json
import time
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from .body import body_of
from .errors import JobEnded, Unreachable
from .http import BROKEN, Http
from .made.answers import AcceptedJob, Job, JobList, Media, OperationList, Partner, Quote
from .made.requests import NewJob, NewQuote

#: How long a broken stream of events rests before it is opened anew, in seconds.
_REST = 1.0

_CHUNK = 64 * 1024


@dataclass(frozen=True)
class JobEvent:
    """What happened to a job."""

    id: str
    type: Literal["job.progress", "job.completed", "job.failed", "job.cancelled"]
    #: As it was then.
    job: Job


class Reelay:
    """Calls a Reelay and waits for its answers. :class:`AsyncReelay` is the same for ``asyncio``.

    :param url: without ``/v1``
    :param attempts: how often a request is sent at most, where repeating it is safe
    :param language: of sentences, as in ``Accept-Language``
    :param timeout: how long the line may be silent, in seconds; events come at least every 15
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
        self._http = Http(url, token, attempts=attempts, language=language, timeout=timeout)

    def create(self, job: NewJob, *, idempotency_key: str | None = None) -> AcceptedJob:
        """Asks for something to be made. However often the line breaks, it is made and charged once.

        :param idempotency_key: yours, such as an order's number: the same request with it, also of another process, is
            answered with the same job
        :returns: the job; the first one that names a ``webhook`` of its own with the secret that signs what is sent there
        """
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        return cast(AcceptedJob, self.call("/v1/jobs", method="POST", body=job, headers=headers))

    def quote(self, quote: NewQuote) -> Quote:
        """What it would cost, without asking for it."""
        return cast(Quote, self.call("/v1/quotes", method="POST", body=quote))

    def read(self, id: str) -> Job:
        """A job as it is now."""
        return cast(Job, self.call(_job_path(id)))

    def list(self, **query: str | int) -> JobList:
        """One page of your jobs, newest first: ``status``, ``in_app_username``, ``created_after``, ``created_before``,
        ``limit`` (up to 100) and ``cursor`` (``next_cursor`` of the page before)."""
        return cast(JobList, self.call(f"/v1/jobs?{urllib.parse.urlencode(query)}"))

    def remove(self, id: str, *, here: bool = False) -> Literal["cancelled", "deleted", "kept"]:
        """Cancels a job that still waits; deletes one that has ended, with its result.

        :param here: it stays in the account at the service, which takes no key
        """
        removed = self.call(_job_path(id) + ("?here=true" if here else ""), method="DELETE")
        return cast(Literal["cancelled", "deleted", "kept"], removed["outcome"])

    def operations(self) -> OperationList:
        """Everything that can be made, with what it takes."""
        return cast(OperationList, self.call("/v1/operations"))

    def partner(self) -> Partner:
        """Who you are here: your caps, what you have spent, and what is left."""
        return cast(Partner, self.call("/v1/partner"))

    def follow(self, id: str) -> Iterator[JobEvent]:
        """A job's events until its end. Where the line breaks they go on after the last one that came."""
        last = "0"
        while True:
            headers = {"last-event-id": last}
            answer = self._http.send(f"{_job_path(id)}/events", lambda answer: answer, headers=headers)
            try:
                with answer:
                    for event in _events_in(answer):
                        last = event.id
                        yield event
                        if event.type != "job.progress":
                            return
            except BROKEN:
                pass
            time.sleep(_REST)

    def wait(self, id: str, on_progress: Callable[[Job], None] | None = None) -> Job:
        """A job once it is completed.

        :param on_progress: is told each time that it got on
        :raises JobEnded: where it came to nothing
        """
        for event in self.follow(id):
            if event.type == "job.completed":
                return event.job
            if event.type != "job.progress":
                raise JobEnded(event.job)
            if on_progress:
                on_progress(event.job)
        raise Unreachable("The events of the job ended before it did.")

    def download(self, media: Media, path: str | Path) -> None:
        """Saves a file of a result. Under its name there is a whole file or none."""
        part = Path(f"{path}.{uuid.uuid4().hex}")

        def save(answer: http.client.HTTPResponse) -> None:
            with answer, part.open("wb") as file:
                while chunk := answer.read(_CHUNK):
                    file.write(chunk)
                if file.tell() != int(answer.headers.get("content-length", file.tell())):
                    raise http.client.IncompleteRead(b"")

        try:
            self._http.send(media["link"], save)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def call(
        self,
        path: str,
        *,
        method: str = "GET",
        body: Mapping[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """Calls what has no method here.

        :param path: from ``/v1`` on
        """
        sent, typed = (None, {}) if body is None else body_of(body)
        return self._http.send(path, _json_of, method=method, body=sent, headers={**typed, **(headers or {})})


def _json_of(answer: http.client.HTTPResponse) -> Any:
    with answer:
        return json.load(answer)


def _job_path(id: str) -> str:
    return f"/v1/jobs/{urllib.parse.quote(id, safe='')}"


def _events_in(answer: http.client.HTTPResponse) -> Iterator[JobEvent]:
    """The events in a stream of them (``text/event-stream``)."""
    fields: dict[str, str] = {}
    for line in answer:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
            continue
        if "data" in fields:
            yield JobEvent(fields["id"], cast(Any, fields["event"]), json.loads(fields["data"]))
        fields = {}
