// A photo becomes a video, with Node.js 22 or newer alone.
//
//   REELAY_URL=https://reelay.example REELAY_TOKEN=... node node.mjs photo.jpg "slow zoom, golden light" video.mp4
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";

const { REELAY_URL = "http://127.0.0.1:8787", REELAY_TOKEN } = process.env;
const [photo, prompt, video = "video.mp4"] = process.argv.slice(2);

/** What Reelay refused (RFC 9457). Its message can be shown to people. */
class Refused extends Error {
  constructor({ detail, retryable = false }, status) {
    super(detail ?? `Refused with status ${status}.`);
    this.retryable = retryable;
  }
}

/** Calls Reelay. A lost line and what may pass are tried again, so a POST must carry an Idempotency-Key. */
async function call(path, init = {}) {
  for (let attempt = 1; ; attempt++) {
    try {
      const headers = { ...init.headers, authorization: `Bearer ${REELAY_TOKEN}` };
      const answer = await fetch(REELAY_URL + path, { ...init, headers });
      if (answer.ok) return answer;
      throw new Refused(await answer.json().catch(() => ({})), answer.status);
    } catch (error) {
      // fetch throws a TypeError where there is no answer.
      const mayPass = error instanceof TypeError || error.retryable;
      if (!mayPass || attempt === 6) throw error;
      await pause(500 * 2 ** attempt);
    }
  }
}

/** Asks for a video. However often the request is sent, it is made and charged once. */
async function submit(image) {
  const body = new FormData();
  body.set("operation", "video");
  body.set("prompt", prompt);
  body.set("image", new Blob([image]), "photo.jpg");
  const answer = await call("/v1/jobs", {
    method: "POST",
    headers: { "idempotency-key": randomUUID() },
    body,
  });
  return answer.json();
}

/** A job's events until its end. Where the line breaks they go on after the last one that came. */
async function* follow(id) {
  let last = "0";
  for (;;) {
    const answer = await call(`/v1/jobs/${id}/events`, { headers: { "last-event-id": last } });
    try {
      for await (const event of eventsIn(answer.body)) {
        last = event.id;
        yield event;
        if (event.type !== "job.progress") return;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await pause(1000);
  }
}

/** The events in a stream of them (text/event-stream). */
async function* eventsIn(body) {
  let text = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const messages = (text + chunk).split("\n\n");
    text = messages.pop();
    for (const message of messages) {
      const field = (name) => message.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      if (field("data")) yield { id: field("id"), type: field("event"), job: JSON.parse(field("data")) };
    }
  }
}

/** Saves a file by its link, which needs no token: until it expires it can be given to anybody. */
async function download(link, path) {
  const answer = await fetch(link);
  if (!answer.ok) throw new Error(`The link answered with status ${answer.status}.`);
  await pipeline(answer.body, createWriteStream(path));
}

const say = (line) => process.stdout.write(`${line}\n`);

try {
  if (!photo || !prompt || !REELAY_TOKEN)
    throw new Error("usage: REELAY_TOKEN=... node.mjs PHOTO PROMPT [VIDEO]");
  const { id } = await submit(await readFile(photo));
  say(`Accepted: ${id}`);
  for await (const { type, job } of follow(id)) {
    say(`  ${job.phase} ${job.progress ?? 0}%`);
    if (type === "job.completed") await download(job.media[0].link, video);
    else if (type !== "job.progress") throw new Error(job.error?.detail ?? "The job was cancelled.");
  }
  say(`Saved: ${video}`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
