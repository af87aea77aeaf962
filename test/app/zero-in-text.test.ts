import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../support/postgres.ts";
import { testSandbox } from "../support/sandbox.ts";
import { openTestable, settingsFor } from "../support/test-mode.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

/** What takes a text of somebody's in an address, with what it may be answered with. */
const ADDRESSES: readonly (readonly [method: string, path: string, status: number])[] = [
  ["GET", "/jobs/a%00b", 404],
  ["DELETE", "/jobs/%00", 404],
  ["DELETE", "/jobs/%00?here=true", 404],
  ["GET", "/jobs/%00/events", 404],
  ["GET", "/jobs/%00/media", 404],
  ["GET", "/media/%00", 404],
  ["GET", "/webhooks/%00", 404],
  ["PATCH", "/webhooks/%00", 404],
  ["DELETE", "/webhooks/%00", 404],
  ["POST", "/webhooks/%00/rotate", 404],
  ["POST", "/webhooks/%00/ping", 404],
  ["POST", "/deliveries/%00/resend", 404],
  ["GET", "/deliveries?webhook=%00", 200],
  ["GET", "/deliveries?cursor=%00", 422],
  ["GET", "/jobs?cursor=%00", 422],
  ["GET", "/jobs?operation=%00", 200],
  ["GET", "/jobs?in_app_username=%00", 422],
  ["GET", "/catalogues/%00", 404],
  ["GET", "/operations/%00", 404],
  ["GET", "/users/%00/statements", 422],
  ["GET", "/users/%00/block", 422],
];

const ENGINES: readonly (readonly [name: string, store: () => Promise<Readonly<Record<string, string>>>])[] =
  [
    ["SQLite", async () => ({})],
    ...(server
      ? [["PostgreSQL", async () => ({ REELAY_STORE: await server.createDatabase() })] as const]
      : []),
  ];

describe.each(ENGINES)("an address with the sign of the number 0 in it, on %s", (_, store) => {
  it("leads where nothing is, and is nobody's fault", async () => {
    await using sandbox = await testSandbox();
    await using reelay = await openTestable({
      ...settingsFor(sandbox.url, sandbox.keys.ultra),
      ...(await store()),
    });
    const acme = reelay.as(await reelay.join());
    await expect.poll(async () => (await acme.call("/partner")).status).toBe(200);
    const answers = [];
    for (const [method, path] of ADDRESSES) {
      const body = method === "PATCH" ? { body: '{"events":["job.completed"]}' } : {};
      const answer = await acme.call(path, { method, ...body });
      await answer.text();
      answers.push([method, path, answer.status]);
    }
    expect(answers).toEqual(ADDRESSES);
  });
});
