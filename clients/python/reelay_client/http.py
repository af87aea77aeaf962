"""Calls Reelay, again where the line broke or it was told to."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, TypeVar

from .body import Form
from .errors import Refused, Unreachable, refused_by

T = TypeVar("T")

#: Longer than this nobody is kept waiting for a request to be sent again, in seconds: a daily cap is told at once.
_LONGEST = 60.0

#: What breaks where a line does.
BROKEN = (OSError, http.client.HTTPException)


class Http:
    """A connection to Reelay."""

    def __init__(
        self, url: str, token: str, *, attempts: int, language: str | None, timeout: float
    ) -> None:
        self._url = url.rstrip("/")
        self._headers = {"authorization": f"Bearer {token}"}
        if language is not None:
            self._headers["accept-language"] = language
        self._attempts = attempts
        self._timeout = timeout

    def send(
        self,
        path: str,
        read: Callable[[http.client.HTTPResponse], T],
        *,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: bytes | Form | None = None,
    ) -> T:
        """Sends a request. It is repeated where that is safe: a GET, or with an ``idempotency-key``.

        :param path: below the address of Reelay, or an address of its own, which is sent no token
        :param read: takes the answer in; where the line breaks meanwhile, the request is repeated as well
        :raises Refused, Unreachable:
        """
        own = self._headers if path.startswith("/") else {}
        address = self._url + path if path.startswith("/") else path
        given = headers or {}
        is_safe = method == "GET" or "idempotency-key" in given
        attempt = 1
        while True:
            data: Any = body
            request = urllib.request.Request(address, data, {**own, **given}, method=method)
            error = self._once(request, read)
            if isinstance(error, tuple):
                return error[0]
            retryable, after = (
                (error.retryable, error.retry_after) if isinstance(error, Refused) else (True, None)
            )
            wait = 2**attempt / 4 if after is None else after
            if not is_safe or not retryable or attempt >= self._attempts or wait > _LONGEST:
                raise error
            time.sleep(wait)
            attempt += 1

    def _once(
        self, request: urllib.request.Request, read: Callable[[http.client.HTTPResponse], T]
    ) -> tuple[T] | Refused | Unreachable:
        try:
            return (read(urllib.request.urlopen(request, timeout=self._timeout)),)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused_by(refused.code, refused.headers, refused.read())
        except BROKEN as error:
            unreachable = Unreachable("Reelay could not be reached.")
            unreachable.__cause__ = error
            return unreachable
