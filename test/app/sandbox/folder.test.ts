import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { examine } from "../../../src/app/doctor.ts";
import { openService } from "../../../src/app/service.ts";
import { Transport } from "../../../src/infrastructure/api/media-api.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";

/** A sandbox's folder whose database has a first page of something else. */
async function damaged(dir: string) {
  await (await testSandbox({ dir })).stop();
  const path = join(dir, "sandbox.db");
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4096, "X"), 0, 4096, 0);
  closeSync(file);
  return path;
}

it("a sandbox whose database is damaged names it, and the folder to remove", async () => {
  const data = temporaryFolder();
  const folder = join(data, "sandbox");
  const path = await damaged(folder);
  const transport = new Transport();
  const log = makeLogger({ level: "silent" });
  await expect(openService(readConfig({ REELAY_DATA: data }), transport, log)).rejects.toMatchObject({
    code: "sandbox_damaged",
    params: { path, folder },
  });
  await transport.close();
});

it("the doctor names it, too, and says nothing of a network", async () => {
  const data = temporaryFolder();
  const folder = join(data, "sandbox");
  const path = await damaged(folder);
  const checks = await examine({ REELAY_DATA: data });
  expect(checks.find(({ name }) => name === "storage")).toMatchObject({ ok: true });
  expect(checks.find(({ name }) => name === "service")).toMatchObject({
    ok: false,
    found: `sandbox: ${path} is damaged`,
    advice: expect.stringContaining(`remove the folder ${folder}`),
  });
});

it("the doctor of a real service says so of the sandbox that test tokens lead to", async () => {
  const data = temporaryFolder();
  const env = { REELAY_DATA: data, REELAY_API_URL: "http://127.0.0.1:1/api" };
  const said = async () => (await examine(env)).filter(({ name }) => name === "test tokens");
  expect(await said()).toEqual([]);
  const folder = join(data, "test", "sandbox");
  const path = await damaged(folder);
  expect(await said()).toMatchObject([
    { ok: false, found: `sandbox: ${path} is damaged`, advice: expect.stringContaining(folder) },
  ]);
});
