import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Config, readConfig, secretsIn } from "../../src/app/config.ts";
import { limiterOf, transportOf } from "../../src/app/egress/open.ts";
import { ConfigError } from "../../src/common/config-error.ts";
import { RATE_LIMITS } from "../../src/common/contract.ts";
import { Accounts } from "../../src/domain/accounts/accounts.ts";
import { KeyPool } from "../../src/domain/pool/key-pool.ts";
import { NotFound } from "../../src/infrastructure/api/media-api.ts";
import { makeLogger, scrub } from "../../src/infrastructure/telemetry/telemetry.ts";
import { testCore } from "../support/core.ts";
import { testDatabase } from "../support/database.ts";
import { ELSEWHERE, FARTHER, hasElsewhere } from "../support/loopback.ts";
import { testProxy } from "../support/proxy.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";
import { person } from "../support/surface.ts";
import { testVault } from "../support/vault.ts";

const settingsOf = (egress: string, different: Record<string, string> = {}) =>
  readConfig({
    REELAY_API_URL: "https://service.test/api",
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
    REELAY_EGRESS: egress,
    ...different,
  });

/** What was found, and what is wanted instead. */
function mistake(egress: string) {
  try {
    settingsOf(egress);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes[0];
    throw error;
  }
  return undefined;
}

describe("the addresses in REELAY_EGRESS", () => {
  it("are names alone, local addresses and proxies", () => {
    expect(readConfig({}).egresses).toEqual([{ name: "default" }]);
    expect(settingsOf("office").egresses).toEqual([{ name: "office" }]);
    const list = "a, b=10.0.0.5 ,c=2001:DB8:0::5,d=http://me:p%2Cw%3D@proxy.test:3128,e=https://proxy.test/";
    expect(settingsOf(list).egresses).toEqual([
      { name: "a" },
      { name: "b", address: "10.0.0.5" },
      { name: "c", address: "2001:db8::5" },
      { name: "d", address: "http://me:p%2Cw%3D@proxy.test:3128/" },
      { name: "e", address: "https://proxy.test/" },
    ]);
  });

  const WANTED = /^names of letters, digits, dots and dashes, .*NAME=LOCAL-IP-ADDRESS/;

  it.each([
    ["a,a=10.0.0.5", /^names that differ: a is there twice/],
    ["a,b", /^addresses that differ: a and b leave by the same one/],
    ["a=10.0.0.5,b=10.0.0.6,c=10.0.0.5", /^addresses that differ: a and c /],
    ["a=2001:db8::5,b=2001:DB8:0::5", /^addresses that differ/],
    ["a=http://me:secret-word@proxy.test:80,b=http://me:secret-word@proxy.test", /^addresses that differ/],
    [Array.from({ length: 101 }, (_, i) => `n${i}=10.0.0.${i}`).join(), /^100 addresses at most/],
    [",", WANTED],
    ["a=", WANTED],
    ["a=10.0.0.256", WANTED],
    ["a=fe80::1%eth0", WANTED],
    ["a=fe80::1", WANTED],
    ["10.0.0.5", WANTED],
    ["a,10.0.0.5", WANTED],
    ["a=proxy.test:3128", WANTED],
    ["a=socks5://me:secret-word@proxy.test:1080", WANTED],
    ["a=http://me:secret-word@proxy.test/path", WANTED],
    ["a=http://me:secret%@proxy.test", WANTED],
    ["a name=10.0.0.5", WANTED],
    ["=10.0.0.5", WANTED],
  ])("are refused with what is wanted instead: %s", (egress, wanted) => {
    const found = "a value that does not fit";
    expect(mistake(egress)).toEqual({
      setting: "REELAY_EGRESS",
      found,
      wanted: expect.stringMatching(wanted),
    });
    expect(mistake(egress)?.wanted).not.toMatch(/secret/);
  });

  it("keep a proxy's password out of what is logged, and what is said", () => {
    const config = settingsOf("a=http://me:a-long-password-of-mine%21@proxy.test:3128");
    expect(secretsIn(config)).toContain("a-long-password-of-mine!");
    transportOf(config);
    expect(scrub.text("It was a-long-password-of-mine!, I think")).not.toContain("a-long-password");
  });

  it("lead nowhere but here while there is the built-in sandbox alone", async () => {
    await using sandbox = await testSandbox();
    const config = settingsOf("a=http://127.0.0.1:1");
    const exchange = async (different: Partial<Config>) => {
      const transport = transportOf({ ...config, ...different });
      const call = {
        method: "GET",
        url: new URL(`${sandbox.url}/user/balance`),
        paid: false,
        egress: "a",
      } as const;
      const status = await transport.exchange(call).then(
        (reply) => (reply.body.destroy(), reply.status),
        () => "away",
      );
      await transport.close();
      return status;
    };
    expect(await exchange({})).toBe("away");
    expect(await exchange({ apiUrl: undefined })).toBe(401);
  });
});

/** Calls to a service by these addresses, inside the published rates. */
async function callers(config: Config) {
  const log = makeLogger({ level: "silent" });
  const database = await testDatabase(join(config.data, "reelay.db"));
  const transport = transportOf(config);
  const limiter = limiterOf(config, database, transport);
  const vault = await testVault(config, database, log);
  const hosts = { primary: config.apiUrl ?? "", "full-catalog": undefined };
  const pool = new KeyPool({ database, vault, log, own: undefined, service: hosts.primary });
  const access = { hosts, transport, limiter, vault, pool, source: "operator", operatorKeyFor: [] } as const;
  const accounts = new Accounts(access);
  onTestFinished(async () => {
    await transport.close();
    await database.close();
  });
  return { database, limiter, accountOf: (key: string) => accounts.tryOut("web:me", key) };
}

const NO_JOB = "00000000-0000-4000-8000-000000000000";

describe("requests by several addresses", () => {
  // The sandbox's window is the real one, of 60 s: no request of a test leaves it.
  it.skipIf(!hasElsewhere)(
    "carry as much again each, and none is refused for the rate (on systems whose loopback has other addresses)",
    async () => {
      await using sandbox = await testSandbox({ timeScale: 1 });
      const egress = `a=${ELSEWHERE},b=${FARTHER}`;
      const { accountOf, database, limiter } = await callers(
        settingsOf(egress, { REELAY_API_URL: sandbox.url }),
      );
      const limit = RATE_LIMITS.delete;
      const stop = new AbortController();
      const send = (key: string) => accountOf(key).api({ signal: stop.signal }).deleteVideoJob(NO_JOB);
      const { ultra, pro } = sandbox.keys;
      const all = [ultra, pro].flatMap((key) => Array.from({ length: limit }, () => send(key)));
      const outcomes = await Promise.allSettled(all);
      expect(outcomes.filter((one) => !("reason" in one && one.reason instanceof NotFound))).toEqual([]);
      expect((await sandbox.ledger()).rejected.rate).toBe(0);
      const taken = await database.kysely
        .selectFrom("rate_slots")
        .select(({ fn }) => ["scope", fn.countAll<number>().as("count")])
        .where("scope", "like", "egress:%")
        .groupBy("scope")
        .orderBy("scope")
        .execute();
      expect(taken).toEqual([
        { scope: "egress:a", count: limit },
        { scope: "egress:b", count: limit },
      ]);
      const third = send(sandbox.keys.standard).catch((error: unknown) => error);
      while (limiter.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
      stop.abort(new Error("enough"));
      expect(await third).toMatchObject({ message: "enough" });
    },
  );

  it.skipIf(!hasElsewhere)(
    "leave by the address whose place they hold, with every byte of what costs tokens (on such systems)",
    async () => {
      const addresses = new Map([
        ["egress:a", ELSEWHERE],
        ["egress:b", FARTHER],
        ["egress:c", "127.0.0.1"],
      ]);
      const arrived: { from: string | undefined; by: string | undefined; bytes: number }[] = [];
      const known = new Set<string>();
      const service = createServer((request, response) => {
        void (async () => {
          let bytes = 0;
          for await (const chunk of request) bytes += (chunk as Buffer).length;
          const slots = await database.kysely
            .selectFrom("rate_slots")
            .select(["id", "scope"])
            .where("scope", "like", "egress:%")
            .execute();
          const slot = slots.find(({ id }) => !known.has(id));
          if (slot) known.add(slot.id);
          arrived.push({ from: request.socket.remoteAddress, by: addresses.get(slot?.scope ?? ""), bytes });
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ id: NO_JOB, job_id: NO_JOB, status: "PENDING" }));
        })();
      });
      await once(service.listen(0, "127.0.0.1"), "listening");
      onTestFinished(() => void service.close());
      const { port } = service.address() as AddressInfo;
      const REELAY_API_URL = `http://127.0.0.1:${port}/api`;
      const egress = `a=${ELSEWHERE},b=${FARTHER},c`;
      const { accountOf, database } = await callers(settingsOf(egress, { REELAY_API_URL }));
      const prompt = "slow zoom ".repeat(20);
      for (let i = 0; i < 7; i += 1) await accountOf("a-key-of-somebody").api().generateImage({ prompt });
      expect(arrived).toHaveLength(7);
      for (const { from, by, bytes } of arrived) {
        expect(from).toBe(by);
        expect(bytes).toBeGreaterThan(prompt.length);
      }
      expect(new Set(arrived.map(({ from }) => from)).size).toBe(3);
    },
  );

  it("carry a photo to its video where one of the addresses is a proxy and another one is dead", async () => {
    await using sandbox = await testSandbox();
    await using proxy = await testProxy();
    const REELAY_EGRESS = `dead=http://127.0.0.1:1,proxy=${proxy.address}`;
    await using core = await testCore(sandbox, { settings: { REELAY_EGRESS } });
    const photo = join(temporaryFolder(), "photo.jpg");
    await writeFile(photo, Buffer.from(await testPicture(), "base64"));
    const values = { image: { surface: "web", id: photo } as const, prompt: "slow zoom" };
    for (const name of ["ann", "bob", "cy"]) await core.surface.intake.command(person(name), "video", values);
    await core.surface.results(3);
    expect((await sandbox.ledger()).submissions).toHaveLength(3);
    expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(sandbox.url).host]));
    expect(proxy.refused).toEqual([]);
  });
});
