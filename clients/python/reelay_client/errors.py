"""Everything that this client raises. Its text can be shown to people."""

from __future__ import annotations

import json
from email.message import Message
from typing import Any

from .made.answers import FieldProblem, Job


class ReelayError(Exception):
    """Whatever this client raises."""


class Unreachable(ReelayError):
    """No answer came, however often it was tried."""


class JobEnded(ReelayError):
    """A job that came to nothing, or was cancelled: ``job["error"]`` says why, ``job["cost"]`` what it cost."""

    def __init__(self, job: Job) -> None:
        error = job["error"]
        super().__init__(error["detail"] if error else "The job was cancelled.")
        self.job = job


class Refused(ReelayError):
    """What Reelay refused (RFC 9457), where no class of its own says more."""

    def __init__(self, status: int, headers: Message, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail", f"Refused with status {status}."))
        self.status = status
        #: Stable, for programs.
        self.code: str = problem.get("code", "unknown")
        #: Whether the same request may succeed later; what stands between may say nothing but its status.
        self.retryable: bool = problem.get("retryable", status == 429 or status >= 502)
        #: How soon, in seconds, where that is known.
        self.retry_after = _seconds(headers.get("retry-after"))
        #: What the log of Reelay knows the request by.
        self.request_id: str | None = headers.get("x-request-id")
        #: Every field that is wrong.
        self.errors: list[FieldProblem] = problem.get("errors", [])
        #: All that was said: what is still to be stated, for example.
        self.problem = problem


class NotAllowed(Refused):
    """401 and 403: the token is good for nothing, or not for this."""


class NotFound(Refused):
    """404 and 410: it is not there, or not any more."""


class Conflict(Refused):
    """409: it does not go together with what is there."""


class Invalid(Refused):
    """400, 413, 415 and 422: what was sent is wrong; ``errors`` says where."""


class TooMany(Refused):
    """429: later."""


class Unavailable(Refused):
    """5xx: Reelay, or the service behind it, cannot at the moment."""


_BY_STATUS: dict[int, type[Refused]] = {
    400: Invalid,
    401: NotAllowed,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    410: NotFound,
    413: Invalid,
    415: Invalid,
    422: Invalid,
    429: TooMany,
}


def refused_by(status: int, headers: Message, body: bytes) -> Refused:
    """A refusal, by its class."""
    try:
        parsed = json.loads(body)
    except ValueError:
        parsed = None
    problem = parsed if isinstance(parsed, dict) else {}
    kind = Unavailable if status >= 500 else _BY_STATUS.get(status, Refused)
    return kind(status, headers, problem)


def _seconds(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
