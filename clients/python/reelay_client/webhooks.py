"""Messages that Reelay sends to an address of yours, signed by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from .errors import ReelayError


class Forged(ReelayError):
    """A message that was not signed with the secret just now."""


def read_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    now: float | None = None,
    tolerance: float = 300.0,
) -> dict[str, Any]:
    """A message, verified and read: its ``type``, ``timestamp`` and ``data``, which is a job but in a ``ping``.

    :param body: as it came, before anything parses it
    :param headers: of the request
    :param secret: ``whsec_`` and base64, as Reelay showed it
    :param now: seconds since 1970; left out: now
    :param tolerance: how old a message may be, in seconds: an older one may be a copy that somebody sends again
    :raises Forged:
    """
    key = _decoded(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("There is no secret.")
    given = {name.lower(): value for name, value in headers.items()}
    at = given.get("webhook-timestamp", "")
    signed = f"{given.get('webhook-id', '')}.{at}.".encode() + body
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    # There are two while a secret takes another's place.
    signatures = given.get("webhook-signature", "").split(" ")
    is_signed = any(hmac.compare_digest(expected, _decoded(one.removeprefix("v1,"))) for one in signatures)
    age = abs((time.time() if now is None else now) - int(at)) if at.isdecimal() else None
    if not is_signed or age is None or age > tolerance:
        raise Forged("This message was not signed with the secret just now.")
    message: dict[str, Any] = json.loads(body)
    return message


def _decoded(text: str) -> bytes:
    """Empty where it is no base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
