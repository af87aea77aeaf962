import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { once } from "node:events";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { createWhatsAppSurface } from "../../../adapters/whatsapp/surface.ts";
import { readConfig } from "../../../src/app/config.ts";
import { copyRenderer } from "../../../src/sandbox/sandbox.ts";
import type { Renderer } from "../../../src/sandbox/render/task.ts";
import { openAdapter } from "../../support/adapter.ts";
import { temporaryFolder, testSandbox, tinyClip } from "../../support/sandbox.ts";
import { haveStated } from "../../support/stated.ts";
import { FakeWhatsapp } from "../../support/whatsapp/fake-whatsapp.ts";
import type { Person, SeenMessage } from "../../support/whatsapp/person.ts";
import type { WorldOptions } from "../../support/whatsapp/world.ts";

/** A photo that people send. */
export const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: "teal" } })
  .jpeg()
  .toBuffer();

/** Below the public address: what an operator enters at Meta. */
export const WEBHOOK = "/whatsapp/webhook";

/** Where Meta would call. */
const PUBLIC_URL = "https://studio.example.com";

/** Conversations of a few seconds: neither side minds how fast they go, and a rest after too many is short. */
const FAST = { perSecond: 1_000, burst: 1_000, perPersonMs: 20, lostMs: 5_000 };
const PATIENT = { throughput: 10_000, pairBurst: 10_000 };

/** What may differ. */
interface HarnessOptions extends WorldOptions {
  readonly pace?: Parameters<typeof createWhatsAppSurface>[1];
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether everybody's requests are paid for. Default: they are, with play money. */
  readonly paid?: boolean;
  /** Whose tokens those are. Default: play money. */
  readonly source?: "operator";
  /** How the service makes clips, where not at once. */
  readonly render?: Renderer;
}

/** What a message of a made film is like. */
export const isFilm = ({ from, file, link, text }: SeenMessage): boolean =>
  from === "bot" && (file?.mimeType === "video/mp4" || link !== undefined || text.includes("/files/"));

/** Serves routes over HTTP, as the program does. */
async function served(routes: Hono) {
  const http = createAdaptorServer({ fetch: routes.fetch });
  if (!(http instanceof Server)) throw new Error("It serves plain HTTP.");
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}${WEBHOOK}`,
    async stop() {
      const closed = once(http, "close");
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** WhatsApp over a sandbox with the whole core, and people to talk to it. `await using` stops it. */
export async function harness(options: HarnessOptions = {}) {
  const { pace = FAST, settings = {}, paid = true, source, render, limits = PATIENT, ...world } = options;
  const sandbox = await testSandbox(render && { render });
  const whatsapp = await FakeWhatsapp.start({ limits, ...world });
  const config = readConfig({
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: temporaryFolder(),
    REELAY_PUBLIC_URL: PUBLIC_URL,
    REELAY_SECRET: "a secret for tests only",
    REELAY_RATE_WINDOW_MS: "1200",
    REELAY_POLL_MS: "100",
    REELAY_LOG_LEVEL: "silent",
    ...whatsapp.settings,
    ...settings,
  });
  const open = async () => {
    const adapter = await openAdapter(config, sandbox, {
      paid,
      source,
      make: (host) => createWhatsAppSurface(host, pace),
    });
    return { adapter, server: await served(adapter.routes) };
  };
  let running = await open();
  await whatsapp.subscribes(running.server.url);
  return {
    whatsapp,
    sandbox,
    get url() {
      return running.server.url;
    },
    get adapter() {
      return running.adapter;
    },
    /** Whether it is still handling, making or delivering something, or WhatsApp is still telling of it. */
    async isBusy() {
      await whatsapp.untilHeard();
      return running.adapter.isBusy();
    },
    /** How far each job's telling is. */
    async deliveries() {
      const rows = await running.adapter.database.kysely.selectFrom("jobs").select("delivery").execute();
      return rows.map(({ delivery }) => delivery);
    },
    /** Somebody who was here before: nothing is asked of them first. */
    async regular(name: string): Promise<Person> {
      const person = whatsapp.person({ name });
      await haveStated(running.adapter.database, `whatsapp:${person.knownAs}`);
      return person;
    },
    /** Stops it and starts it again on what it kept; meanwhile webhooks are not answered. */
    async restart() {
      await running.server.stop();
      await running.adapter.stop();
      running = await open();
      whatsapp.moves(running.server.url);
    },
    async [Symbol.asyncDispose]() {
      // What is being sent is answered: where the answer is lost, it is waited for what is told of the message.
      await running.adapter.stop();
      await running.server.stop();
      await whatsapp.stop();
      await sandbox.stop();
    },
  };
}

/** A renderer that waits for its release, so that something can happen while a film is made. */
export function held() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const copy = copyRenderer(tinyClip());
  const render: Renderer = async (...task) => {
    await promise;
    await copy(...task);
  };
  return { render, release };
}

/** Sends a photo with words and presses what spends, until it has begun. @returns the photo's message */
export async function begins(person: Person, words: string): Promise<SeenMessage> {
  const sent = person.sendsPhoto(photo, { caption: words });
  await person.presses(/generate/i);
  return sent;
}
