import { sql } from "kysely";
import { Ledger } from "../../src/domain/jobs/ledger.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { aRequest } from "./job.ts";

/** Every table that is moved, and what puts its rows in order. */
const TABLES = {
  jobs: ["id"],
  audit: ["id"],
  operators: ["id"],
  reports: ["job", "reporter"],
  reported: ["job"],
  report_notices: ["job", "audience"],
  left_notices: ["notice"],
  spent: ["entry"],
  day_sums: ["day", "operation", "surface", "partner", "paid_by"],
  erased_jobs: ["rowid"],
  lessons: ["service", "operation", "size"],
  job_events: ["id"],
  webhook_endpoints: ["id"],
  webhook_deliveries: ["seq"],
  held_files: ["file", "owner"],
  runners: ["id"],
  made_pictures: ["digest"],
  made_looks: ["part", "digest"],
  examined_pictures: ["digest", "examiner"],
  kv: ["namespace", "key"],
  known_keys: ["seq"],
  rate_slots: ["id", "scope"],
  rate_blocks: ["scope", "rate_group"],
  rate_waits: ["waiter"],
} as const;

/** What text may hold. */
const ODD = 'ä 👩‍👩‍👧 \\ " \' \n\t {"a": null} \\u0000 \u{1F600}\uFFFD \u0001 zażółć';

/** Every row of every table. */
export async function everyRowOf({ kysely }: Pick<Database, "kysely">) {
  const rows: Record<string, readonly unknown[]> = {};
  for (const [table, order] of Object.entries(TABLES)) {
    const by = sql.join(order.map((column) => sql.ref(column)));
    const own = table === "erased_jobs" ? sql`rowid, ` : sql``;
    rows[table] = (
      await sql<object>`select ${own}* from ${sql.table(table)} order by ${by}`.execute(kysely)
    ).rows;
  }
  return rows;
}

/** Writes rows of all kinds, among them jobs in every state that they can be left in. */
export async function fill(database: Database): Promise<void> {
  const { kysely } = database;
  const ledger = new Ledger(database, "me");
  const added = (fingerprint: string) => ledger.add({ ...aRequest(), fingerprint }, 1);
  const submitting = async (fingerprint: string) =>
    ledger.apply(await added(fingerprint), { type: "submitting", at: 2, balance: 0.1 + 0.2 });
  await added("queued");
  await submitting("submitting");
  await ledger.apply(await submitting("unsure"), { type: "lost", at: 3 });
  await ledger.apply(await submitting("running"), {
    type: "accepted",
    at: 3,
    serviceId: "s-1",
    cost: 1e-7,
    balance: 123_456_789.123_456_78,
  });
  await ledger.apply(await added("cancelled"), { type: "cancelled", at: 2 });
  await kysely
    .insertInto("spent")
    .values({ entry: "e", tokens: 12_340_000, warned: null, until: 3 })
    .execute();
  const held = { tokens: 12_340_000, entries: ["e"] };
  await ledger.add({ ...aRequest(), fingerprint: "held" }, 1, async () => ({ held }));
  await kysely
    .insertInto("kv")
    .values([
      { namespace: "people", key: ODD, value: ODD, expires_at: null },
      { namespace: "people", key: "", value: "", expires_at: Number.MAX_SAFE_INTEGER },
    ])
    .execute();
  await kysely
    .insertInto("rate_slots")
    .values({ id: "a", scope: "key:x", rate_group: "video", until: 9e15 })
    .execute();
  await kysely
    .insertInto("rate_blocks")
    .values({ scope: "key:x", rate_group: "video", since: 1, until: 2 })
    .execute();
  await kysely
    .insertInto("rate_waits")
    .values({ waiter: "w", scope: "key:x", rate_group: "video", since: 1, until: 2 })
    .execute();
  await kysely
    .insertInto("lessons")
    .values({
      service: "https://service.test",
      operation: "video",
      size: ODD,
      price: 1 / 3,
      mean_ms: 5e-324,
      spread_ms: 1.797e308,
      count: 3,
    })
    .execute();
  await kysely
    .insertInto("runners")
    .values({
      id: "me",
      pid: 1,
      started: null,
      boot: "b",
      pid_namespace: null,
      beat_at: 0,
    })
    .execute();
  await kysely
    .insertInto("erased_jobs")
    .values({
      user: null,
      platform: "web",
      in_app_username: null,
      operation: "video",
      day: "2026-01-01",
      success: 1,
      cost: 2.5,
      took_ms: 9,
    })
    .execute();
  await kysely
    .insertInto("job_events")
    .values([
      { user: "u", job: "j", type: "job.progress", data: ODD, at: 1 },
      { user: "u", job: "j", type: "job.completed", data: "{}", at: 1 },
    ])
    .execute();
  await kysely
    .insertInto("webhook_endpoints")
    .values({
      id: "w",
      user: "u",
      url: "https://a.example/",
      events: "[]",
      created_at: 1,
      disabled_at: null,
      disabled_because: null,
    })
    .execute();
  await kysely
    .insertInto("webhook_deliveries")
    .values({
      id: "d",
      user: "u",
      endpoint: null,
      url: "https://a.example/",
      host: "a.example:443",
      type: "job.completed",
      job: "j",
      body: ODD,
      state: "due",
      next_at: 5,
      created_at: 1,
      failures: 2,
    })
    .execute();
  await kysely.insertInto("held_files").values({ file: "f", owner: "job x", until: null }).execute();
  await kysely
    .insertInto("audit")
    .values({
      at: 1,
      user: null,
      username: ODD,
      chat: null,
      surface: "web",
      act: "refuse",
      rule: null,
      operation: null,
      job: null,
      digest: null,
      files: null,
      content: ODD,
    })
    .execute();
  await kysely
    .insertInto("operators")
    .values({
      id: "web:op-1",
      name: ODD,
      role: "viewer",
      invited_at: 1,
      invited_by: "web:me",
      seen_at: null,
      removed_at: 9e15,
      link_digest: null,
      link_until: null,
    })
    .execute();
  await kysely.insertInto("reports").values({ job: "j", reporter: "web:me", at: 1 }).execute();
  await kysely.insertInto("reported").values({ job: "j", state: "open", at: 1 }).execute();
  await kysely.insertInto("report_notices").values({ job: "j", audience: "operators", news: 1 }).execute();
  await kysely
    .insertInto("left_notices")
    .values({ notice: `{"a":"${ODD.length}"}`, surface: "telegram" })
    .execute();
  await kysely
    .insertInto("made_pictures")
    .values({ digest: "p", look: null, signs: "", mature: 0, photo: 1, at: 1 })
    .execute();
  await kysely.insertInto("made_looks").values({ part: 1, digest: "p" }).execute();
  await kysely
    .insertInto("examined_pictures")
    .values({ digest: "p", examiner: "e", categories: "", at: 1 })
    .execute();
  const known = { digest: "d", mark: 1, length: 2, until: null };
  await kysely
    .insertInto("known_keys")
    .values(Array.from({ length: 11 }, (_, nth) => ({ ...known, owner: String(nth) })))
    .execute();
  // The last number that was given is of no row any more.
  await kysely.deleteFrom("known_keys").where("owner", ">", "1").execute();
}
