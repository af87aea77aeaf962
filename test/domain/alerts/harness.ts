import { join } from "node:path";
import { Alerts, type AlertsParts } from "../../../src/domain/alerts/alerts.ts";
import { AlertTeller } from "../../../src/domain/alerts/alert-teller.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { Surfaces } from "../../../src/seam/surface/surfaces.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { MemorySurface } from "../../support/surface.ts";

export const CHAT = "telegram:-100";
export const MINUTE = 60_000;
export const log = makeLogger({ level: "silent" });

/** A database of alerts, and a clock that stands still. */
export interface AlertWorld extends AsyncDisposable {
  readonly database: Database;
  readonly clock: { now: number };
  /** A node: its store, and its teller on a platform that all nodes share. */
  node(places?: readonly string[]): { readonly alerts: Alerts; readonly teller: AlertTeller };
  readonly chat: MemorySurface;
  /** The keys of what the chat was told, in order. */
  readonly told: () => readonly string[];
  /** What addresses are to be told. */
  webhooks(): Promise<readonly { readonly url: string; readonly type: string; readonly body: string }[]>;
}

/** Opens one. Alerts begin after a minute and are over after two. */
export async function alertWorld(different: Partial<AlertsParts> = {}): Promise<AlertWorld> {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const clock = { now: Date.now() };
  const chat = new MemorySurface("telegram");
  const surfaces = new Surfaces([chat], []);
  return {
    database,
    clock,
    chat,
    node(places = [CHAT]) {
      const alerts = new Alerts({
        database,
        places,
        locale: "en",
        patienceOf: () => ({ holdsMs: MINUTE, endsMs: 2 * MINUTE }),
        now: () => clock.now,
        ...different,
      });
      return { alerts, teller: new AlertTeller({ alerts, surfaces, log }) };
    },
    told: () =>
      chat.messages.flatMap(({ views }) =>
        views.map((view) => (view.kind === "notice" ? view.text.key : "")),
      ),
    webhooks: async () =>
      (
        await database.kysely
          .selectFrom("webhook_deliveries")
          .select(["url", "type", "body"])
          .orderBy("seq")
          .execute()
      ).map(({ url, type, body }) => ({ url, type, body: body ?? "" })),
    [Symbol.asyncDispose]: () => database.close(),
  };
}
