import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProblemBody } from "../../../../adapters/http/resources/problem.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { openGateway, type TestPartner } from "../../../support/gateway.ts";
import { testSandbox } from "../../../support/sandbox.ts";

const paint = (prompt: string, name = "jo") => ({
  operation: "image",
  input: { prompt },
  in_app_username: name,
  agreed: ["terms"],
});

const TABLES = [
  "jobs",
  "erased_jobs",
  "audit",
  "job_events",
  "webhook_deliveries",
  "held_files",
  "kv",
] as const;

interface Export {
  readonly statements: readonly { readonly statement: string; readonly stated: object | null }[];
  readonly jobs: readonly { readonly id: string }[];
  readonly usage: readonly { readonly jobs: number }[];
  readonly decisions: readonly { readonly act: string; readonly job: string | null }[];
}

const exported = async (partner: TestPartner, name: string): Promise<Export> =>
  (await (await partner.call(`/users/${encodeURIComponent(name)}/export`)).json()) as Export;

const stated = async (answer: Response) => {
  const { data } = (await answer.json()) as { data: { statement: string; stated: object | null }[] };
  return data.flatMap(({ statement, stated }) => (stated ? [statement] : []));
};

/** Has something made, to its end. */
async function made(partner: TestPartner, body: object): Promise<string> {
  const { id } = await partner.accepted(body);
  await partner.ended(id);
  return id;
}

describe("one of a partner's people", () => {
  it("is one however their name is written, for caps, usage, lists and what is kept", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { userCaps: { day: 2 } });
    const composed = "Ren\u00e9";
    const decomposed = "Rene\u0301";
    const ids = [await made(acme, paint("a cat", decomposed)), await made(acme, paint("a dog", composed))];
    const third = await acme.submit(paint("a cow", decomposed));
    expect(third.status).toBe(403);
    const data = async (path: string) => ((await (await acme.call(path)).json()) as { data: object[] }).data;
    expect(await data("/usage?by=in_app_username")).toMatchObject([{ in_app_username: composed, jobs: 2 }]);
    for (const name of [composed, decomposed]) {
      expect(await data(`/jobs?in_app_username=${encodeURIComponent(name)}`)).toHaveLength(2);
      expect((await exported(acme, name)).jobs.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    }
    const erased = await acme.call(`/users/${encodeURIComponent(decomposed)}`, { method: "DELETE" });
    expect(await erased.json()).toEqual({ in_app_username: composed, jobs: 2 });
  });

  it("takes back what they stated, one or all, and is asked again", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { gates: "asked" });
    await made(acme, { ...paint("a cat"), agreed: ["terms", "consent", "adult"] });
    const address = "/users/jo/statements";
    expect(await stated(await acme.call(address))).toEqual(["terms", "consent", "adult"]);
    const one = await acme.call(`${address}?statement=consent`, { method: "DELETE" });
    expect(await stated(one)).toEqual(["terms", "adult"]);
    expect(await stated(await acme.call(address, { method: "DELETE" }))).toEqual([]);
    const again = await acme.submit({ ...paint("a cat"), agreed: [] });
    expect(await again.json()).toMatchObject({ code: "statement_missing", statement: "terms" });
    expect((await exported(acme, "jo")).decisions.map(({ act }) => act)).toContain("withdraw");
  });

  it("gets all that is kept about them, and nothing of anybody else", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const [acme, other] = [await gateway.join("acme"), await gateway.join("other")];
    const ids = [await made(acme, paint("a cat", "jo/ü")), await made(acme, paint("a dog", "jo/ü"))];
    await made(acme, paint("a cow", "kimberley"));
    await made(other, paint("a hen", "jo/ü"));
    const all = await exported(acme, "jo/ü");
    expect(all).toMatchObject({ version: 1, in_app_username: "jo/ü", usage: [{ jobs: 2 }] });
    expect(all.jobs.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(all.decisions.map(({ act }) => act)).toEqual(["export", "allow", "allow", "agree"]);
    expect(all.statements).toMatchObject([{ statement: "terms", stated: { version: "1" } }, {}, {}, {}]);
    expect(JSON.stringify(all)).not.toMatch(/a cow|a hen|kimberley|rly_/);
    expect(await exported(acme, "nobody")).toMatchObject({ jobs: [], usage: [] });
  });

  it("keeps what they stated when somebody is forgotten whose name theirs begins with", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { gates: "asked" });
    for (const name of ["jo", "jo ann", "jo jo"]) await made(acme, paint("a cat", name));
    await acme.call("/users/jo", { method: "DELETE" });
    const statedBy = async (name: string) =>
      stated(await acme.call(`/users/${encodeURIComponent(name)}/statements`));
    expect(await Promise.all(["jo", "jo ann", "jo jo"].map(statedBy))).toEqual([[], ["terms"], ["terms"]]);
  });

  it("has a name that a path can hold", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    for (const name of [".", ".."]) {
      const refused = await acme.submit(paint("a cat", name));
      expect(await refused.json()).toMatchObject({ errors: [{ field: "in_app_username" }] });
    }
    for (const name of ["...", "a/../b", "%2e%2e"]) {
      await made(acme, paint("a cat", name));
      const forgotten = await acme.call(`/users/${encodeURIComponent(name)}`, { method: "DELETE" });
      expect(await forgotten.json()).toEqual({ in_app_username: name, jobs: 1 });
    }
  });

  it("is forgotten: jobs, files, messages and statements, and nobody else is", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const webhook = "http://127.0.0.1:9/";
    const secret = { ...paint("a very private cat", "josephine"), webhook };
    const once = { "idempotency-key": "cat" };
    const { id } = await acme.accepted(secret, once);
    await acme.ended(id);
    const kept = await made(acme, paint("a cow", "kim"));
    const forget = () => acme.call("/users/josephine", { method: "DELETE" });
    expect(await (await forget()).json()).toEqual({ in_app_username: "josephine", jobs: 1 });
    expect((await acme.call(`/jobs/${id}`)).status).toBe(404);
    expect((await acme.call(`/jobs/${id}/media`)).status).toBe(404);
    // Not told again to whoever repeats the request, nor made anew.
    expect((await acme.submit(secret, once)).status).toBe(404);
    expect(await gateway.storedFiles()).toBe(1);
    expect(await exported(acme, "josephine")).toMatchObject({ jobs: [], usage: [] });
    expect((await exported(acme, "kim")).jobs).toMatchObject([{ id: kept }]);
    // Sums stay, without the name.
    const usage = await (await acme.call("/usage?by=in_app_username")).json();
    expect(usage).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ in_app_username: null, jobs: 1 })]),
    });
    expect(await (await forget()).json()).toEqual({ in_app_username: "josephine", jobs: 0 });
    // Nothing that was written, and no name, is left in any table.
    const database = await openDatabase(join(gateway.data, "reelay.db"));
    const rows = await Promise.all(
      TABLES.map((table) => database.kysely.selectFrom(table).selectAll().execute()),
    );
    await database.close();
    expect(JSON.stringify(rows)).toContain("a cow");
    expect(JSON.stringify(rows)).not.toMatch(/private cat|josephine/);
  });

  it("is not forgotten while something of theirs is going on", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted(paint("a cat"));
    const refused = await acme.call("/users/jo", { method: "DELETE" });
    expect([refused.status, ((await refused.json()) as ProblemBody).code]).toEqual([409, "jobs_open"]);
    expect((await acme.call("/users/kim", { method: "DELETE" })).status).toBe(200);
    expect(await acme.ended(id)).toMatchObject({ status: "completed" });
  });

  it("has a name as jobs have, and a token's scopes hold here, too", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const reader = await gateway.join("reader", { scopes: ["jobs:read"] });
    const wrong = await reader.call(`/users/${"x".repeat(129)}/statements`);
    expect(await wrong.json()).toMatchObject({ errors: [{ code: "field_too_long" }] });
    expect((await reader.call("/users/jo/statements")).status).toBe(200);
    for (const path of ["/users/jo", "/users/jo/statements"])
      expect((await reader.call(path, { method: "DELETE" })).status).toBe(403);
  });
});
