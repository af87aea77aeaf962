import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { examine } from "../../src/app/doctor.ts";
import { keepTime } from "../../src/infrastructure/storage/clock.ts";
import { openDatabase } from "../../src/infrastructure/storage/database.ts";
import { memory } from "../../src/infrastructure/storage/key-value.ts";
import { prepareKeys } from "../support/pool.ts";
import { ELSEWHERE, hasElsewhere } from "../support/loopback.ts";
import { testProxy } from "../support/proxy.ts";
import { temporaryFolder, testSandbox } from "../support/sandbox.ts";

it("says that the clock was set back since Reelay last ran, until it runs again", async () => {
  const data = temporaryFolder();
  const store = join(data, "reelay.db");
  const database = await openDatabase(store);
  const found = async () => {
    const checks = await examine({ REELAY_DATA: data, REELAY_API_URL: "http://127.0.0.1:1/api" });
    return checks.filter(({ name }) => name === "clock");
  };
  expect(await found()).toEqual([]);
  await memory(database, "clock").set("time", { last: Date.now() + 7_200_000, setBackAt: 0 });
  const said = "set back by 120 min since Reelay last ran; what waits goes on once it starts";
  expect(await found()).toEqual([{ name: "clock", ok: true, found: said }]);
  await keepTime(database);
  expect(await found()).toEqual([]);
  await database.close();
});

it("says of a database that a newer version has used what opens it: writing there is not what is wrong", async () => {
  const data = temporaryFolder();
  const store = join(data, "reelay.db");
  const sqlite = new DatabaseSync(store);
  sqlite.exec("pragma user_version = 1000");
  sqlite.close();
  const checks = await examine({ REELAY_DATA: data, REELAY_API_URL: "http://127.0.0.1:1/api" });
  const found = "a database that a newer version of Reelay has used";
  expect(checks.filter(({ name }) => name === "storage")).toMatchObject([
    { ok: false, found, advice: expect.stringContaining("that version to be started again") },
  ]);
});

it.runIf(existsSync("/sys/kernel"))(
  "says of a sandbox that has nowhere to be that its folder cannot be written, and nothing of a network",
  async () => {
    const checks = await examine({ REELAY_DATA: "/sys/x" });
    for (const name of ["storage", "service"])
      expect(checks.find((check) => check.name === name)).toMatchObject({
        ok: false,
        found: expect.stringContaining("/sys/x"),
        advice: expect.stringMatching(/^Make the data folder writable/),
      });
  },
);

it("tells of a disk that is nearly full by the setting that says when, and shows no password of an address", async () => {
  const env = { REELAY_DATA: temporaryFolder(), REELAY_API_URL: "http://127.0.0.1:1/api" };
  const disk = async (mb: string) =>
    (await examine({ ...env, REELAY_ALERTS_DISK_MB: mb })).filter(({ name }) => name === "disk");
  expect(await disk("1")).toEqual([]);
  expect(await disk("10000000")).toMatchObject([{ ok: false, advice: expect.stringContaining("Make room") }]);
  const checks = await examine({ ...env, REELAY_API_URL: "http://u:SECRETPW@127.0.0.1:1/api" });
  expect(checks).toMatchObject([
    { name: "settings", ok: false, found: expect.stringContaining("REELAY_API_URL") },
  ]);
  expect(JSON.stringify(checks)).not.toContain("SECRETPW");
});

it("asks the service about each key that was added, by its name, but for those that are paused", async () => {
  await using sandbox = await testSandbox();
  const { ultra, pro, standard } = sandbox.keys;
  const other = sandbox.addAccount("other", "pro", 12.5);
  const env = {
    REELAY_API_URL: sandbox.url,
    REELAY_API_KEY: ultra,
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
  };
  await prepareKeys(env, async (desk) => {
    await desk.add("first", pro, {});
    await desk.add("second", standard, {});
    await desk.add("third", other, {});
    await desk.pause("second");
  });
  await sandbox.fault({ kind: "401", match: { account: "pro" }, times: 100 });
  const checks = await examine(env);
  const keys = checks.filter(({ name }) => name === "key");
  expect(keys).toMatchObject([
    { ok: true, found: expect.stringMatching(/^valid: /) },
    {
      ok: false,
      found: expect.stringMatching(/^first: /),
      advice: expect.stringContaining("keys remove first"),
    },
    { ok: true, found: expect.stringMatching(/^third: valid: .* 12\.5 tokens$/) },
  ]);
  for (const key of [ultra, pro, standard, other]) expect(JSON.stringify(checks)).not.toContain(key);
});

it("says of each address that requests leave by whether the service answers there, and no proxy's password", async () => {
  await using sandbox = await testSandbox();
  await using proxy = await testProxy();
  const { password, origin } = new URL(proxy.address);
  const egresses = [
    hasElsewhere ? `local=${ELSEWHERE}` : "local",
    `good=${proxy.address}`,
    `stranger=${proxy.address.replace(password, "somebody-elses")}`,
    "dead=http://me:my-password@127.0.0.1:1",
    "gone=192.0.2.1",
  ];
  const env = { REELAY_API_URL: sandbox.url, REELAY_DATA: temporaryFolder(), REELAY_EGRESS: egresses.join() };
  const checks = await examine(env);
  const found = checks.filter(({ name }) => name === "address");
  expect(found.map((check) => ({ ok: check.ok, found: check.found }))).toEqual([
    { ok: true, found: `local${hasElsewhere ? ` (${ELSEWHERE})` : ""}: the service answers` },
    { ok: true, found: `good (${origin}): the service answers` },
    { ok: false, found: expect.stringMatching(`^stranger \\(${origin}\\): .*407`) },
    { ok: false, found: expect.stringMatching(/^dead \(http:\/\/127\.0\.0\.1:1\): .*ECONNREFUSED/) },
    { ok: false, found: expect.stringMatching(/^gone \(192\.0\.2\.1\): .*EADDRNOTAVAIL/) },
  ]);
  for (const check of found.slice(2)) expect(check.advice).toContain("REELAY_EGRESS");
  for (const word of [password, decodeURIComponent(password), "somebody-elses", "my-password"])
    expect(JSON.stringify(checks)).not.toContain(word);
  const past = await examine({ ...env, REELAY_EGRESS: `dead=http://127.0.0.1:1,good=${proxy.address}` });
  expect(past.filter(({ name }) => name === "service")).toMatchObject([{ ok: true }]);
  const alone = await examine({ ...env, REELAY_EGRESS: "office" });
  expect(alone.filter(({ name }) => name === "address")).toEqual([]);
});
