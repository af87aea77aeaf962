"""What `python.test.ts` runs: everything that the client does, against a gateway."""

import asyncio
import os
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from reelay_client import (
    AsyncReelay,
    Forged,
    Invalid,
    JobEnded,
    NotAllowed,
    NotFound,
    Reelay,
    TooMany,
    Unreachable,
    read_webhook,
)

LINE, URL, TOKEN = (os.environ[name] for name in ("LINE", "REELAY_URL", "REELAY_TOKEN"))
CAT = {"operation": "image", "input": {"prompt": "a cat"}}


def raised(kind, call, *args, **named):
    try:
        call(*args, **named)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")


def conversation():
    """Over a line that breaks, with a file of the disk."""
    reelay = Reelay(LINE, TOKEN)
    request = {
        "operation": "video",
        "input": {"image": Path("photo.jpg"), "prompt": "slow zoom", "duration": 5},
        "in_app_username": "jo",
        "metadata": {"order": ["A-1"]},
        "agreed": ["terms"],
    }
    job = reelay.create(request)
    steps = []
    done = reelay.wait(job["id"], steps.append)
    assert steps and done["status"] == "completed", done
    assert done["metadata"] == {"order": ["A-1"]} and done["input"]["duration"] == 5, done
    assert done["input"]["image"]["name"] == "photo.jpg", done
    reelay.download(done["media"][0], "video.mp4")
    direct = Reelay(f"{URL}/", TOKEN)
    assert direct.list(status="completed", limit=5)["data"] == [direct.read(job["id"])]
    assert direct.remove(job["id"]) == "deleted"
    raised(NotFound, direct.read, job["id"])
    fast = {**request, "input": {**request["input"], "prompt": "fast zoom"}}
    other = direct.wait(direct.create(fast)["id"])
    assert direct.remove(other["id"], here=True) == "kept"


def refusals():
    reelay = Reelay(URL, TOKEN, language="de")
    raised(NotAllowed, Reelay(URL, "none").list)
    raised(NotFound, reelay.read, "../jobs")
    wrong = raised(Invalid, reelay.create, {"operation": "image", "input": {"prompt": "x" * 20_001}})
    assert [error["field"] for error in wrong.errors] == ["input.prompt"], wrong.errors
    assert "höchstens" in str(wrong) and wrong.status == 422 and not wrong.retryable, wrong
    order = {"idempotency_key": "order-1"}
    job = reelay.create(CAT, **order)
    assert reelay.create(CAT, **order)["id"] == job["id"]
    other = {"operation": "image", "input": {"prompt": "a dog"}}
    assert raised(Invalid, reelay.create, other, **order).code == "idempotency_mismatch"
    assert reelay.quote(CAT)["basis"]
    assert reelay.partner()["id"] == "acme"
    assert "video" in [operation["id"] for operation in reelay.operations()["data"]]


async def asynchronously():
    reelay = AsyncReelay(URL, TOKEN)
    content = Path("photo.jpg").read_bytes()
    edit = {"operation": "h3-reference", "input": {"images": [content, content], "prompt": "both"}}
    jobs = await asyncio.gather(reelay.create(CAT), reelay.create(edit))
    assert [image["bytes"] for image in jobs[1]["input"]["images"]] == [len(content)] * 2, jobs
    done = await asyncio.gather(*(reelay.wait(job["id"]) for job in jobs))
    assert [job["status"] for job in done] == ["completed", "completed"], done
    with tempfile.TemporaryDirectory() as folder:
        await reelay.download(done[0]["media"][0], Path(folder, "cat.png"))
        assert [path.name for path in Path(folder).iterdir()] == ["cat.png"]


def failure():
    reelay = Reelay(URL, TOKEN)
    job = reelay.create(CAT)
    ended = raised(JobEnded, reelay.wait, job["id"])
    assert ended.job["status"] == "failed" and ended.job["error"]["code"] == "job_failed", ended.job


class Answers(BaseHTTPRequestHandler):
    """Each request is answered with the next of these: a status, a Retry-After and what is said."""

    answers: list = []
    asked: list = []

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        Answers.asked.append(self.headers["idempotency-key"])
        status, after, said = Answers.answers.pop(0)
        self.send_response(status)
        if after is not None:
            self.send_header("retry-after", after)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def do_DELETE(self):
        Answers.asked.append("DELETE")
        self.close_connection = True

    def log_message(self, *_):
        pass


def repetitions():
    """What is sent again, when, and what is not."""
    server = HTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    reelay = Reelay(f"http://127.0.0.1:{server.server_port}", "t")
    waited = []
    time.sleep = waited.append
    Answers.answers = [(502, None, b"<html>"), (429, "7", b'{"retryable": true}'), (202, None, b'{"id": "1"}')]
    assert reelay.create(CAT) == {"id": "1"}
    assert waited == [0.5, 7.0] and len(Answers.asked) == 3 and len(set(Answers.asked)) == 1, Answers.asked
    Answers.answers = [(429, "50400", b'{"retryable": true, "code": "partner_cap"}')]
    cap = raised(TooMany, reelay.create, CAT)
    assert (cap.code, cap.retry_after) == ("partner_cap", 50_400) and len(waited) == 2, waited
    raised(Unreachable, reelay.remove, "1")
    assert Answers.asked[4:] == ["DELETE"] and len(waited) == 2, Answers.asked
    server.shutdown()
    gone = Reelay("http://127.0.0.1:9", "t", attempts=3)
    raised(Unreachable, gone.read, "1")
    assert waited[2:] == [0.5, 1.0], waited


def webhooks():
    body, secret = os.environ["BODY"].encode(), os.environ["SECRET"]
    headers = {"Webhook-Id": os.environ["ID"], "Webhook-Timestamp": os.environ["AT"]}
    signed = {**headers, "Webhook-Signature": f"v1,AAAA {os.environ['SIGNATURE']}"}
    now = float(os.environ["AT"])
    assert read_webhook(body, signed, secret, now=now)["type"] == "ping"
    raised(Forged, read_webhook, body + b" ", signed, secret, now=now)
    raised(Forged, read_webhook, body, {**signed, "Webhook-Id": "other"}, secret, now=now)
    raised(Forged, read_webhook, body, signed, "whsec_AAAA", now=now)
    raised(Forged, read_webhook, body, signed, secret, now=now + 301)
    raised(Forged, read_webhook, body, headers, secret, now=now)
    raised(Forged, read_webhook, body, {}, secret)
    raised(ValueError, read_webhook, body, signed, "", now=now)


for name in sys.argv[1:]:
    done = globals()[name]()
    if asyncio.iscoroutine(done):
        asyncio.run(done)
    print(f"done: {name}")
