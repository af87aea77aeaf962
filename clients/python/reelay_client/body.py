"""Requests as JSON; as forms where they have files."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_CHUNK = 64 * 1024


class Form:
    """A form that is written as it is sent, and again when it is sent again: its files are never in memory as a whole."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._boundary = uuid.uuid4().hex
        self._parts = [
            (self._head(name, value), value if isinstance(value, Path) else _bytes(value))
            for name, values in fields.items()
            for value in _list(values)
        ]
        self._end = f"--{self._boundary}--\r\n".encode()
        sizes = (len(head) + _size(content) + 2 for head, content in self._parts)
        self.headers = {
            "content-type": f"multipart/form-data; boundary={self._boundary}",
            "content-length": str(sum(sizes) + len(self._end)),
        }

    def __iter__(self) -> Iterator[bytes]:
        for head, content in self._parts:
            yield head
            if isinstance(content, bytes):
                yield content
            else:
                with content.open("rb") as file:
                    while chunk := file.read(_CHUNK):
                        yield chunk
            yield b"\r\n"
        yield self._end

    def _head(self, name: str, value: Any) -> bytes:
        described = f'form-data; name="{name}"'
        if _is_file(value):
            file_name = value.name if isinstance(value, Path) else name
            escaped = file_name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
            described += f'; filename="{escaped}"\r\ncontent-type: application/octet-stream'
        return f"--{self._boundary}\r\ncontent-disposition: {described}\r\n\r\n".encode()


def body_of(request: Mapping[str, Any]) -> tuple[bytes | Form, dict[str, str]]:
    """What carries a request for a job or its price, and the headers that say so."""
    beside = dict(request)
    given = beside.pop("input")
    fields = {**given, **beside}
    if any(_is_file(one) for values in fields.values() for one in _list(values)):
        form = Form(fields)
        return form, form.headers
    return json.dumps(request).encode(), {"content-type": "application/json"}


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _is_file(value: Any) -> bool:
    return isinstance(value, (Path, bytes))


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def _size(content: Path | bytes) -> int:
    return len(content) if isinstance(content, bytes) else content.stat().st_size
