import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

/** What a partner's people say. */
const WORDS = ["nobody else may read this", "somebody-of-theirs"] as const;

const body = { operation: "image", input: { prompt: WORDS[0] }, in_app_username: WORDS[1] };

/** A job of each key, all of them over; of the last one, which is deleted by itself, no words are left. */
async function makeAll(partner: TestPartner, keys: readonly string[]): Promise<void> {
  let last = "";
  for (const key of keys) {
    ({ id: last } = await partner.accepted(body, { "idempotency-key": key }));
    await partner.ended(last);
  }
  expect((await partner.call(`/jobs/${last}`, { method: "DELETE" })).ok).toBe(true);
}

/** The tables of a data folder's database that hold some words. */
function tablesWith(words: string, data: string): readonly string[] {
  using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  return tables
    .map(({ name }) => String(name))
    .filter((name) => JSON.stringify(database.prepare(`select * from "${name}"`).all()).includes(words));
}

it("takes a removed partner's answers along: nobody reads them, and a new one of the same name gets none", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  const keys = ["first", "second", "third"];
  await makeAll(await gateway.join("Acme"), keys);
  for (const words of WORDS) expect(tablesWith(words, gateway.data)).toContain("kv");

  await gateway.partners.remove("acme");
  for (const words of WORDS) expect(tablesWith(words, gateway.data)).toEqual([]);

  const next = await gateway.join("Acme");
  for (const key of keys) {
    const answer = await next.submit(body, { "idempotency-key": key });
    expect(answer.headers.get("idempotency-replayed")).toBeNull();
    const { id } = (await answer.json()) as { readonly id: string };
    expect(await next.ended(id)).toMatchObject({ status: "completed" });
  }
});

it.each([
  ["/jobs", body],
  ["/webhooks", { url: "https://example.org/former" }],
])(
  "refuses what a removed partner was still sending to %s, also once others have the name",
  async (path, said) => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const former = await gateway.join("Acme");
    const rest = Promise.withResolvers<void>();
    const text = JSON.stringify(said);
    const slowly = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from(text.slice(0, 10)));
        await rest.promise;
        controller.enqueue(Buffer.from(text.slice(10)));
        controller.close();
      },
    });
    const headers = { "content-type": "application/json", "idempotency-key": "slow" };
    const sent = former.call(path, { method: "POST", headers, body: slowly, duplex: "half" });
    await eventually(async () => {
      const [{ tokens } = { tokens: [] }] = await gateway.partners.list();
      expect(tokens[0]?.lastUsedAt).toEqual(expect.any(Number));
    });
    await gateway.partners.remove("acme");
    const next = await gateway.join("Acme");
    rest.resolve();
    expect((await sent).status).toBe(401);
    expect(await (await next.call(path)).json()).toMatchObject({ data: [] });
  },
);
