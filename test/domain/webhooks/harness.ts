import type { IncomingHttpHeaders, RequestListener } from "node:http";
import type { LookupFunction } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import type { NewEvent } from "../../../src/seam/events.ts";
import type { UserId } from "../../../src/seam/values.ts";
import type { WebhookDelivery } from "../../../src/seam/access/webhooks.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { givenSecrets } from "../../../src/infrastructure/vault/secrets.ts";
import { Vault } from "../../../src/infrastructure/vault/vault.ts";
import { type OpenWebhooks, openWebhooks } from "../../../src/domain/webhooks/open.ts";
import { serve } from "../../infrastructure/api/server.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { knownKeyring } from "../../support/vault.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

export const ACME: UserId = "http:acme";
export const OTHER: UserId = "http:other";
export const THIRD: UserId = "http:third";
export const SECRET = "a secret for tests only";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A message as it arrived. */
export interface Arrived {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real server that keeps what arrives, and answers as it is told to. */
export async function receiver(...steps: readonly RequestListener[]) {
  const arrived: Arrived[] = [];
  const server = await serve((request, response) => {
    void text(request).then((body) => {
      arrived.push({ id: String(request.headers["webhook-id"]), headers: request.headers, body });
      const step = steps[Math.min(arrived.length, steps.length) - 1];
      return step ? step(request, response) : response.end();
    });
  });
  return {
    url: `${server.origin}/hook`,
    arrived,
    /** Resolves when so many have arrived. */
    atLeast: (count: number) =>
      vi.waitFor(() => {
        if (arrived.length < count) throw new Error(`${arrived.length} of ${count} arrived.`);
      }, PATIENCE_MS),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Answers with a status alone. */
export function says(status: number, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_request, response) => void response.writeHead(status, headers).end();
}

/** What may differ. */
interface HarnessOptions {
  /** Of another harness, as another process shares it. */
  readonly folder?: string;
  /** How far its clock is ahead, in milliseconds. */
  readonly ahead?: number;
  readonly privateHosts?: readonly string[];
  readonly tryMs?: number;
  readonly patienceMs?: number;
  readonly lookup?: LookupFunction;
  /** Makes what the database's log holds survive a power cut, or fails to. */
  readonly sync?: Parameters<typeof openDatabase>[1];
}

/** Webhooks over a database of their own, with a clock that stands still. */
export interface Harness extends OpenWebhooks, AsyncDisposable {
  readonly folder: string;
  readonly database: Database;
  readonly vault: Vault;
  readonly audit: Audit;
  /** Puts the clock forward and lets the dispatcher look. */
  later(ms: number): void;
  readonly now: () => number;
  /** Writes an event of Acme's job `j1`, unless told otherwise. */
  tell(event?: Partial<NewEvent>): Promise<void>;
  /** Acme's log, oldest first, once it is as wanted. */
  log(wanted: (deliveries: readonly WebhookDelivery[]) => boolean): Promise<readonly WebhookDelivery[]>;
}

export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  const { folder = temporaryFolder(), privateHosts = ["127.0.0.1"], ahead = 0, sync, ...others } = options;
  const database = await openDatabase(join(folder, "reelay.db"), sync);
  const vault = new Vault(database, givenSecrets(SECRET), knownKeyring);
  const log = makeLogger({ level: "silent" });
  let time = Date.now() + ahead;
  const now = () => time;
  // Half: pauses are as long as they are written down.
  const audit = await Audit.open(database, "digest");
  const parts = {
    database,
    vault,
    log,
    audit,
    surface: "http",
    privateHosts,
    now,
    chance: () => 0.5,
    ...others,
  } as const;
  const opened = openWebhooks(parts);
  return {
    ...opened,
    folder,
    database,
    vault,
    audit,
    now,
    later(ms) {
      time += ms;
      opened.dispatcher.look();
    },
    async tell(event) {
      await opened.events.append({
        user: ACME,
        job: "j1",
        type: "job.completed",
        data: { id: "j1" },
        ...event,
      });
    },
    async log(wanted) {
      const found = await vi.waitFor(async () => {
        const deliveries = (await opened.webhooks.deliveries(ACME, { limit: 100 })).toReversed();
        if (!wanted(deliveries)) throw new Error(`Not as wanted: ${JSON.stringify(deliveries)}`);
        return deliveries;
      }, PATIENCE_MS);
      // What can be read may not be on disk yet, and whoever wrote it goes on only then: as does who writes after it.
      await memory(database, "tests").set("written", true);
      await setImmediate();
      return found;
    },
    async [Symbol.asyncDispose]() {
      await opened.dispatcher.stop();
      await database.close();
    },
  };
}

/** Whether nothing is to be sent any more. */
export const allDone = (deliveries: readonly WebhookDelivery[]) =>
  deliveries.length > 0 && deliveries.every(({ state }) => state !== "due");

/** Whether so many tries were written down. */
export const tried = (count: number) => (deliveries: readonly WebhookDelivery[]) =>
  deliveries.flatMap(({ attempts }) => attempts).length === count;
