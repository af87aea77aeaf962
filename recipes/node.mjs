// A photo becomes a video, with Node.js 22 or newer alone.
//
//   REELAY_URL=https://reelay.example REELAY_TOKEN=... node node.mjs photo.jpg "slow zoom, golden light" video.mp4
import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const { REELAY_URL = "http://127.0.0.1:8787", REELAY_TOKEN } = process.env;
const [photo, prompt, video = "video.mp4"] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);

/** Calls Reelay. A lost line and what may pass are tried again, so a POST must carry an Idempotency-Key. */
async function call(path, { headers, ...init } = {}, attempt = 1) {
  const sent = { ...init, headers: { ...headers, authorization: `Bearer ${REELAY_TOKEN}` } };
  const answer = await fetch(REELAY_URL + path, sent).catch((error) => error);
  if (answer.ok) return answer;
  // What is refused says why, in a sentence that can be shown to people (RFC 9457).
  const { detail = answer.message, retryable = true } = (await answer.json?.().catch(() => {})) ?? {};
  if (!retryable || attempt === 6) throw new Error(detail ?? `Refused with status ${answer.status}.`);
  await pause(500 * 2 ** attempt);
  return call(path, { headers, ...init }, attempt + 1);
}

/** Says a job's events, and where its video is. Where the line breaks they go on after the last one that came. */
async function follow(job, last = "0") {
  const { body } = await call(`/v1/jobs/${job}/events`, { headers: { "last-event-id": last } });
  try {
    let text = "";
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const messages = (text + chunk).split("\n\n");
      text = messages.pop();
      for (const message of messages.filter((one) => one.includes("\ndata: "))) {
        const fields = Object.fromEntries(message.split("\n").map((line) => line.split(/: (.*)/)));
        const { phase, progress, media, error } = JSON.parse(fields.data);
        say(`  ${phase} ${progress ?? 0}%`);
        if (fields.event === "job.completed") return media[0].link;
        if (fields.event !== "job.progress") throw new Error(error?.detail ?? "The job was cancelled.");
        last = fields.id;
      }
    }
  } catch (error) {
    // That is what fetch throws where the line breaks.
    if (!(error instanceof TypeError)) throw error;
  }
  await pause(1000);
  return follow(job, last);
}

process.once("uncaughtException", ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
if (!photo || !prompt || !REELAY_TOKEN)
  throw new Error("usage: REELAY_TOKEN=... node node.mjs PHOTO PROMPT [VIDEO]");
const body = new FormData();
body.set("operation", "video");
body.set("prompt", prompt);
body.set("image", await openAsBlob(photo), "photo.jpg");
// However often the request is sent, it is made and charged once.
const order = { method: "POST", headers: { "idempotency-key": randomUUID() }, body };
const { id } = await (await call("/v1/jobs", order)).json();
say(`Accepted: ${id}`);
// The link needs no token: until it expires it can be given to anybody.
await writeFile(video, (await fetch(await follow(id))).body);
say(`Saved: ${video}`);
