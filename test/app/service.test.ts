import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { readConfig } from "../../src/app/config.ts";
import { openService } from "../../src/app/service.ts";
import { GENERATE, MediaApi, Transport } from "../../src/infrastructure/api/media-api.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { temporaryFolder } from "../support/sandbox.ts";

const log = makeLogger({ level: "silent" });

it("the built-in sandbox plans jobs of one to two seconds, which are asked about every second", async () => {
  const data = temporaryFolder();
  const transport = new Transport();
  const service = await openService(readConfig({ REELAY_DATA: data }), transport, log);
  try {
    expect(service).toMatchObject({ sandbox: true, pollMs: 1_000 });
    const key = service.shared?.key.reveal() ?? "";
    const api = new MediaApi({ baseUrl: service.hosts.primary, key, transport });
    for (let nth = 0; nth < 3; nth++) await api.submit(GENERATE.image, { prompt: `a lighthouse ${nth}` });
    const records = new DatabaseSync(join(data, "sandbox", "sandbox.db"), { readOnly: true });
    const planned = records.prepare("SELECT planned_ms FROM jobs WHERE planned_ms > 0").all();
    records.close();
    expect(planned.length).toBe(3);
    for (const { planned_ms: ms } of planned)
      expect([Number(ms) >= 1_000, Number(ms) <= 2_000]).toEqual([true, true]);
  } finally {
    await service.stop();
    await transport.close();
  }
});

it("of several that start together one runs the built-in sandbox, and another one goes on with it where that has ended", async () => {
  const config = readConfig({ REELAY_DATA: temporaryFolder() });
  const transport = new Transport();
  const open = () => openService(config, transport, log);
  const together = await Promise.all([open(), open(), open()]);
  for (const service of together) {
    const places = together.map(({ hosts, shared }) => ({ url: hosts.primary, key: shared?.key.reveal() }));
    expect(places).toEqual([places[0], places[0], places[0]]);
    const { url: baseUrl = "", key = "" } = places[0] ?? {};
    const api = new MediaApi({ baseUrl, key, transport, retry: { attempts: 1 } });
    await expect.poll(() => api.balance().catch(() => undefined)).toBeDefined();
    await service.stop();
  }
  await transport.close();
});

it("a service of the operator's own is asked no more often than the settings say", async () => {
  const transport = new Transport();
  const service = await openService(
    readConfig({ REELAY_API_URL: "https://service.test/api" }),
    transport,
    log,
  );
  expect(service).toMatchObject({ sandbox: false, pollMs: 5_000 });
  await transport.close();
});

it("a sandbox that cannot tell where it is runs no more, and what was told before stays", async () => {
  const data = temporaryFolder();
  const config = readConfig({ REELAY_DATA: data });
  const transport = new Transport();
  const whereabouts = join(data, "sandbox", "running.json");
  const first = await openService(config, transport, log);
  const { primary } = first.hosts;
  await first.stop();
  const told = readFileSync(whereabouts, "utf8");
  // As a full disk, which has no place for what is written beside it.
  mkdirSync(`${whereabouts}.part`);
  await expect(openService(config, transport, log)).rejects.toThrow("EISDIR");
  await expect(fetch(primary)).rejects.toThrow("fetch failed");
  expect(readFileSync(whereabouts, "utf8")).toBe(told);
  rmSync(`${whereabouts}.part`, { recursive: true });
  const again = await openService(config, transport, log);
  expect(again.hosts.primary).toBe(primary);
  await again.stop();
  await transport.close();
});

it("a service that comes after the built-in sandbox knows which jobs were the sandbox's", async () => {
  const data = temporaryFolder();
  const transport = new Transport();
  const sandbox = await openService(readConfig({ REELAY_DATA: data }), transport, log);
  expect(sandbox.leftKeyId).toBeUndefined();
  await sandbox.stop();
  const env = { REELAY_DATA: data, REELAY_API_URL: "https://service.test/api" };
  const service = await openService(readConfig(env), transport, log);
  expect(service.leftKeyId).toBe(sandbox.shared?.key.fingerprint);
  await transport.close();
});
