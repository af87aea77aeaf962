"""Calls a Reelay over HTTP: jobs, uploads, progress, results and webhooks."""

from .aio import AsyncReelay
from .client import JobEvent, Reelay
from .errors import (
    Conflict,
    Invalid,
    JobEnded,
    NotAllowed,
    NotFound,
    ReelayError,
    Refused,
    TooMany,
    Unavailable,
    Unreachable,
)
from .made.answers import AcceptedJob, Job, JobList, Media, Operation, OperationList, Partner, Quote
from .made.requests import NewJob, NewQuote
from .webhooks import Forged, read_webhook

__all__ = [
    "AcceptedJob",
    "AsyncReelay",
    "Conflict",
    "Forged",
    "Invalid",
    "Job",
    "JobEnded",
    "JobEvent",
    "JobList",
    "Media",
    "NewJob",
    "NewQuote",
    "NotAllowed",
    "NotFound",
    "Operation",
    "OperationList",
    "Partner",
    "Quote",
    "Reelay",
    "ReelayError",
    "Refused",
    "TooMany",
    "Unavailable",
    "Unreachable",
    "read_webhook",
]
