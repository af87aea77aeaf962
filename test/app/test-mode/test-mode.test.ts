import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { describe, expect, it, vi } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { hasTestMode, testSettingsOf } from "../../../src/app/test-mode/settings.ts";
import { LazyTestMode, type OpenTests } from "../../../src/app/test-mode/test-mode.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { isTestMode } from "../../../src/common/test-mode.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const log = makeLogger({ level: "silent" });

/** Something that says whether it is answered for test tokens, after as many failures as are wanted. */
function lazily({ exists = true, failing = 0, store = "nowhere" } = {}) {
  const routes = new Hono().get("/", (c) => c.text(isTestMode() ? "test" : "live"));
  const stop = vi.fn<() => Promise<void>>(async () => {});
  let left = failing;
  const open = vi.fn<() => Promise<OpenTests>>(async () => {
    await Promise.resolve();
    if (left-- > 0) throw new Error("The disk is full.");
    return { server: { routes }, stop };
  });
  const mode = new LazyTestMode({ exists, store, isKnown: async (token) => token === "known", open, log });
  const ask = async (token = "known") => {
    const answering = await mode.answering(token);
    return answering && (await answering(new Request("http://here/"), {})).text();
  };
  return { mode, open, stop, ask };
}

describe("what test tokens lead to", () => {
  it("is opened once, for the first good one, and works as test mode", async () => {
    const { mode, open, stop, ask } = lazily();
    expect(await ask("unknown")).toBeUndefined();
    expect(await mode.opened()).toBeUndefined();
    expect(open).not.toHaveBeenCalled();
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => ask())))).toEqual(new Set(["test"]));
    expect(open).toHaveBeenCalledTimes(1);
    expect(isTestMode()).toBe(false);
    await mode.stop();
    expect(stop).toHaveBeenCalledTimes(1);
    await expect(lazily().mode.stop()).resolves.toBeUndefined();
  });

  it("is tried again by whoever comes next where it could not be opened", async () => {
    const { mode, open, ask } = lazily({ failing: 1 });
    const both = await Promise.allSettled([ask(), ask()]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await ask()).toBe("test");
    expect(open).toHaveBeenCalledTimes(2);
    await mode.stop();
    await expect(ask()).rejects.toMatchObject({ code: "storage_down" });
  });

  it("tells nobody with a token where a sandbox is that is damaged", async () => {
    const damage = new ReelayError("sandbox_damaged", { path: "/srv/sandbox.db", folder: "/srv" });
    const open = () => Promise.reject(damage);
    const mode = new LazyTestMode({ exists: true, store: "nowhere", isKnown: async () => true, open, log });
    await expect(mode.answering("known")).rejects.toMatchObject({
      code: "storage_down",
      params: { reason: "its sandbox is damaged" },
    });
  });

  it("goes on by itself only where an earlier process left something", async () => {
    const store = join(temporaryFolder(), "reelay.db");
    const { mode, open } = lazily({ store });
    mode.resume();
    expect(open).not.toHaveBeenCalled();
    writeFileSync(store, "");
    mode.resume();
    expect(open).toHaveBeenCalledTimes(1);
    await mode.stop();
  });

  it("is nowhere with several nodes: a good token is told so, and nothing is opened", async () => {
    const { mode, open, ask } = lazily({ exists: false, store: import.meta.filename });
    await expect(ask()).rejects.toMatchObject({ code: "test_mode_missing" });
    expect(await ask("unknown")).toBeUndefined();
    mode.resume();
    expect(open).not.toHaveBeenCalled();
  });
});

it("stands on settings in which nothing leads to the service, or to anybody outside", () => {
  const settings = readConfig({
    REELAY_DATA: "/srv/reelay",
    REELAY_STORE: "sqlite:/elsewhere/reelay.db",
    REELAY_API_URL: "https://service.example.com/api",
    REELAY_API_URL_FULL_CATALOG: "https://full.example.com/api",
    REELAY_API_KEY: "the-operators-own-key",
    REELAY_OPERATOR_KEY_FOR: "all",
    REELAY_ALERTS_TO: "https://alerts.example.com/hook",
    REELAY_BACKUP_TO: "/srv/backups",
    REELAY_METRICS_TOKEN: "a-token-for-metrics",
    TELEGRAM_BOT_TOKEN: "1234567:abcdefghijklmnopqrstuvwxyz",
    DISCORD_BOT_TOKEN: "abc.def.ghi",
  });
  const tests = testSettingsOf(settings);
  const said = JSON.stringify(tests);
  expect(said).not.toMatch(
    /service\.example|full\.example|own-key|alerts\.example|backups|for-metrics|abcdef|abc\.def|elsewhere/,
  );
  expect(tests).toMatchObject({ data: "/srv/reelay/test", store: "/srv/reelay/test/reelay.db" });
  // Rules that are changed while it runs hold there at once.
  expect(tests.policy).toBe(settings.policy);
});

const has = (env: Readonly<Record<string, string>>) =>
  hasTestMode(
    readConfig({ REELAY_DATA: "/srv/reelay", REELAY_API_URL: "https://service.example.com/api", ...env }),
  );

it("is there for one node, wherever its database is, and not for several", () => {
  const postgres = { REELAY_STORE: "postgres://reelay@db.internal/reelay" };
  const files = ["file:/srv/shared", "s3://bucket/reelay?endpoint=https://store.example.com&region=eu"];
  expect([has({}), has(postgres)]).toEqual([true, true]);
  for (const REELAY_FILES of files) {
    const bucket = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" };
    expect(has({ ...bucket, REELAY_FILES })).toBe(true);
    expect(has({ ...bucket, REELAY_FILES, ...postgres })).toBe(false);
  }
});
