import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Conversation } from "../../../adapters/web/conversation.ts";
import { othersOver } from "../../../adapters/kit/throttle/others.ts";
import type { Bell } from "../../../src/common/bell.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { Deliveries } from "../../../src/domain/webhooks/deliveries.ts";
import { JobEvents } from "../../../src/domain/webhooks/job-events.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import type { JobEvent } from "../../../src/seam/events.ts";
import { connectPostgres } from "../../../src/infrastructure/storage/postgres/connect.ts";
import { hearJob } from "../../support/followed.ts";
import { aRequest } from "../../support/job.ts";
import { startPostgres } from "../../support/postgres.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

/** A database that two nodes have open, until the test has finished. */
async function twoNodes() {
  const address = (await server?.createDatabase()) ?? "";
  const nodes = [await connectPostgres(address), await connectPostgres(address)] as const;
  onTestFinished(async () => {
    for (const node of nodes) await node.close();
  });
  return { address, nodes };
}

const until = (look: () => void | Promise<void>) => vi.waitFor(look, { timeout: PATIENCE_MS, interval: 20 });

/** Keys that a node hears of from now on; once it hears at all. */
async function hearing(here: Bell, there: Bell) {
  const heard: (string | undefined)[] = [];
  here.on("left", (key) => void heard.push(key));
  // What was rung for before it listened, it never hears.
  await until(() => {
    there.ring("left", "are you there?");
    expect(heard.length).toBeGreaterThan(0);
  });
  return heard;
}

describe.runIf(server)("the bell of two nodes on one PostgreSQL", { timeout: 2 * PATIENCE_MS }, () => {
  it("tells others how much is sent into which chat, every time", async () => {
    const { nodes } = await twoNodes();
    const [here, there] = nodes.map(({ bell }) => othersOver("telegram", bell, { share: 1 }));
    const elsewhere = othersOver("whatsapp", nodes[0].bell, { share: 1 });
    if (!here || !there) return;
    await hearing(nodes[0].bell, nodes[1].bell);
    const heard: unknown[] = [];
    const deaf = here.on((...sent) => void heard.push(sent));
    elsewhere.on((...sent) => void heard.push(["whatsapp", ...sent]));
    there.tell(-100, 1);
    there.tell(-100, 1);
    there.tell("491701234567", 3);
    const told = [
      [-100, 1],
      [-100, 1],
      ["491701234567", 3],
    ];
    await until(() => expect(heard).toEqual(told));
    deaf();
    there.tell(-100, 1);
    nodes[1].bell.ring("left", "after that");
    const later: unknown[] = [];
    nodes[0].bell.on("left", (key) => void later.push(key));
    await until(() => expect(later).toContain("after that"));
    expect(heard).toEqual(told);
  });

  it("is heard by others alone, each key at least once, and in order", async () => {
    const { nodes } = await twoNodes();
    const [here, there] = nodes.map(({ bell }) => bell);
    if (!here || !there) return;
    const heard = await hearing(here, there);
    const own: (string | undefined)[] = [];
    there.on("left", (key) => void own.push(key));
    const keys = Array.from({ length: 200 }, (_, number) => `a key with a 'quote' ${number}`);
    for (const key of keys) there.ring("left", key);
    await until(() => expect(heard.slice(-200)).toEqual(keys));
    there.ring("left", "x".repeat(10_000));
    await until(() => expect(heard).toContain(undefined));
    expect(own).toEqual([]);
  });

  it("says to look at everything once a line that broke is there again", async () => {
    const { address, nodes } = await twoNodes();
    const [here, there] = nodes.map(({ bell }) => bell);
    if (!here || !there) return;
    const heard = await hearing(here, there);
    const killer = new Client({ connectionString: address });
    await killer.connect();
    await killer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' or query = 'select 1'",
    );
    await killer.end();
    await until(() => expect(heard).toContain(undefined));
    there.ring("left", "after");
    await until(() => expect(heard).toContain("after"));
  });

  it("tells what is rung for before a node leaves", async () => {
    const { address, nodes } = await twoNodes();
    const leaving = await connectPostgres(address);
    const heard = await hearing(nodes[0].bell, nodes[1].bell);
    leaving.bell.ring("left", "farewell");
    await leaving.close();
    await until(() => expect(heard).toContain("farewell"));
  });

  it("has whoever follows a job hear what happens to it on either node, in order and to its end", async () => {
    const { nodes } = await twoNodes();
    const [here, there] = nodes.map((node) => new JobEvents(node, new Deliveries(node)));
    const heard: JobEvent[] = [];
    const leave = here && hearJob(here, "job", (event) => void heard.push(event));
    for (let step = 0; step < 10; step++) {
      const node = step % 2 === 0 ? here : there;
      await node?.append({ user: "http:shop", job: "job", type: "job.progress", data: { step } });
    }
    await there?.append({ user: "http:shop", job: "job", type: "job.completed", data: { step: 10 } });
    // The line may have been opened after some of it was rung for.
    await until(async () => {
      await here?.append({ user: "http:shop", job: "other", type: "job.progress", data: {} });
      nodes[1].bell.ring("job-events", "job");
      expect(heard).toHaveLength(11);
    });
    expect(heard.map(({ data }) => data)).toEqual(Array.from({ length: 11 }, (_, step) => ({ step })));
    leave?.();
  });

  it("has a window of the page show what another node says there", async () => {
    const { nodes } = await twoNodes();
    const files = { add: async () => {}, remove: async () => {} };
    const [here, there] = nodes.map((node) => {
      const ring = (id: string) => node.bell.ring("conversations", id);
      const one = new Conversation(memory(node, "web"), files, ring);
      node.bell.on("conversations", (id) => void one.changed(id));
      return one;
    });
    const shown = new Map<string, unknown>();
    await here?.follow((event, data) => {
      const messages = event === "history" ? data : event === "message" ? [data] : [];
      for (const { id, body } of messages as { id: string; body: unknown }[]) shown.set(id, body);
      if (event === "removed") shown.delete((data as { id: string }).id);
    });
    await hearing(nodes[0].bell, nodes[1].bell);
    const body = { kind: "notice", text: { key: "balance.own" } } as const;
    await there?.put("m", "reelay", body);
    await until(() => expect(shown.get("m")).toEqual(body));
    await there?.remove("m");
    await until(() => expect(shown.has("m")).toBe(false));
  });

  it("has a node know at once what another one changed that it kept in mind, and not what was taken back", async () => {
    const { nodes } = await twoNodes();
    const [here, there] = nodes;
    // Nothing that is kept gets old.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(here.reads.hear());
    await hearing(here.bell, there.bell);
    const [blocks, others] = [memory(here, "blocks"), memory(there, "blocks")];
    expect(await blocks.get("anna")).toBeUndefined();
    await there.kysely
      .transaction()
      .execute(async (kysely) => {
        await memory({ kysely }, "blocks").set("anna", "taken back");
        throw new Error("taken back");
      })
      .catch(() => {});
    await others.set("anna", "single");
    await until(async () => expect(await blocks.get("anna")).toBe("single"));
    await others.change("anna", () => "within");
    await until(async () => expect(await blocks.get("anna")).toBe("within"));
    await there.kysely.deleteFrom("kv").where("namespace", "=", "blocks").execute();
    await until(async () => expect(await blocks.get("anna")).toBeUndefined());
  });

  it("has a node keep in mind what nobody changed, whatever else is written, here and there", async () => {
    const { address, nodes } = await twoNodes();
    const [here, there] = nodes;
    // Nothing that is kept gets old.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(here.reads.hear());
    const heard = await hearing(here.bell, there.bell);
    const [blocks, others] = [memory(here, "blocks"), memory(there, "blocks")];
    await blocks.set("anna", "single");
    expect(await blocks.get("anna")).toBe("single");
    // By somebody who rings for nothing.
    const client = new Client({ connectionString: address });
    await client.connect();
    await client.query("delete from kv where key = 'anna'");
    await client.end();
    for (const written of [blocks, others, memory(here, "drafts"), memory(there, "drafts")]) {
      await written.set("ben", "there");
      await written.add("chloe", "there");
      await written.change("dan", () => "there");
      await written.delete("ben");
    }
    there.bell.ring("left", "done");
    await until(() => expect(heard).toContain("done"));
    expect(await blocks.get("anna")).toBe("single");
  });

  it("keeps no row in mind of a transaction whose commit failed", async () => {
    const { nodes } = await twoNodes();
    const [{ kysely, reads }] = nodes;
    const ledger = new Ledger(nodes[0], "me");
    const { id } = await ledger.add(aRequest(), 1);
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      kysely,
    );
    await sql`create constraint trigger refused after update on jobs deferrable initially deferred
      for each row execute function refuse()`.execute(kysely);
    // Nothing that is kept gets old.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    reads.revision("jobs");
    const failed = kysely
      .transaction()
      .execute((db) =>
        db.updateTable("jobs").set({ receipt: "never" }).where("id", "=", id).returningAll().execute(),
      );
    await expect(failed).rejects.toThrow("no");
    const read = () => kysely.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();
    expect((await reads.get("jobs", id, read))?.receipt).toBeNull();
  });
});
