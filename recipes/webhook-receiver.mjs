// A server that is told when jobs end, and saves their videos. It needs `npm install standardwebhooks`.
//
//   REELAY_WEBHOOK_SECRET=whsec_... PORT=3000 node webhook-receiver.mjs videos
//
// The secret is what `POST /v1/webhooks` answers with the address of this server; for the `webhook` of single jobs it
// is what `POST /v1/callback-secret/rotate` answers.
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
// Without the package: import { Webhook } from "./webhook-verify.mjs";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.REELAY_WEBHOOK_SECRET ?? "");
const [folder = "videos"] = process.argv.slice(2);
await mkdir(folder, { recursive: true });

async function answer(request, response) {
  // What was signed is the bytes: they are read as they came, before anything parses them.
  const body = await text(request);
  let status = 401;
  try {
    const message = webhook.verify(body, request.headers);
    say(`Verified: ${message.type}`);
    // What is not answered with 2xx within 15 seconds comes again, so a message may come twice.
    status = 500;
    await receive(message);
    status = 204;
  } catch (error) {
    say(`${status === 401 ? "Refused" : "Failed"}: ${error.message}`);
  }
  response.writeHead(status).end();
}

async function receive({ type, data: job }) {
  if (type === "job.completed") for (const file of job.media) await save(file);
  if (type === "job.failed") say(`Not made: ${job.error.detail}`);
}

/** Under its name there is a whole file or none, also when it is saved twice at once. */
async function save({ link, name }) {
  const file = await fetch(link);
  if (!file.ok) throw new Error(`The link answered with status ${file.status}.`);
  const path = join(folder, basename(name));
  const part = `${path}.${randomUUID()}`;
  await pipeline(file.body, createWriteStream(part));
  await rename(part, path);
  say(`Saved: ${path}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(process.env.PORT ?? 3000), process.env.HOST, () =>
  say(`Listening on port ${server.address().port}`),
);
