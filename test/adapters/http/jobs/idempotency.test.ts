import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkedKey, Idempotency, type KeptAnswer } from "../../../../adapters/http/jobs/idempotency.ts";
import type { SharedMemory } from "../../../../src/common/memory.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const JOBS = { partner: "acme", route: "POST /v1/jobs" };
const ACCEPTED: KeptAnswer = { status: 202, headers: { Location: "/v1/jobs/1" }, body: { id: "1" } };

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

async function harness() {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const kept = memory(database, "http");
  // Each write takes a moment, so that whoever does not wait for it is seen.
  const store: SharedMemory = {
    ...kept,
    set: (...entry) => setImmediate().then(() => kept.set(...entry)),
    delete: (key) => setImmediate().then(() => kept.delete(key)),
  };
  /** The requests that were worked on. */
  const worked: string[] = [];
  return {
    store,
    worked,
    /** As a process would make it that has just started. */
    started: () => new Idempotency(store),
    work: async (request: string) => {
      worked.push(request);
      return ACCEPTED;
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const refused = (code: "tokens_missing" | "internal") => async () => {
  throw new ReelayError(code);
};

describe("a request with an Idempotency-Key", () => {
  it("is worked on once and answered the same each time, also after a restart", async () => {
    await using at = await harness();
    const requests = at.started();
    expect(await requests.run(JOBS, "k", "f", at.work)).toEqual({ ...ACCEPTED, replayed: false });
    expect(await requests.run(JOBS, "k", "f", at.work)).toEqual({ ...ACCEPTED, replayed: true });
    expect(await at.started().run(JOBS, "k", "f", at.work)).toEqual({ ...ACCEPTED, replayed: true });
    expect(at.worked).toHaveLength(1);
  });

  it("is worked on under one name by two processes that get it at the same moment", async () => {
    await using at = await harness();
    const processes = [at.started(), at.started()];
    const answers = await Promise.all(processes.map((requests) => requests.run(JOBS, "k", "f", at.work)));
    expect(answers).toMatchObject([ACCEPTED, ACCEPTED]);
    expect(new Set(at.worked).size).toBe(1);
  });

  it("is another one for each partner, route and key", async () => {
    await using at = await harness();
    const requests = at.started();
    await requests.run(JOBS, "k", "f", at.work);
    await requests.run({ ...JOBS, partner: "other" }, "k", "f", at.work);
    await requests.run({ ...JOBS, route: "POST /v1/webhooks" }, "k", "f", at.work);
    await requests.run(JOBS, "l", "f", at.work);
    expect(new Set(at.worked).size).toBe(4);
  });

  it("must have the key, and one that a header can carry", () => {
    expect(() => checkedKey(undefined)).toThrow(expect.objectContaining({ code: "idempotency_key_missing" }));
    for (const key of ["", "ü", "a\tb", "a".repeat(256)])
      expect(() => checkedKey(key)).toThrow(
        expect.objectContaining({ code: "idempotency_key_invalid", params: { max: 255 } }),
      );
    for (const key of [" ", "~", "a".repeat(255)]) expect(checkedKey(key)).toBe(key);
  });

  it("is refused with a key that was used for another one, done or not", async () => {
    await using at = await harness();
    const requests = at.started();
    const gate = Promise.withResolvers<KeptAnswer>();
    const first = requests.run(JOBS, "k", "f", () => gate.promise);
    await expect(requests.run(JOBS, "k", "g", at.work)).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    gate.resolve(ACCEPTED);
    await first;
    await expect(requests.run(JOBS, "k", "g", at.work)).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    expect(at.worked).toEqual([]);
  });

  it("must wait as long as the first one is worked on", async () => {
    await using at = await harness();
    const requests = at.started();
    const gate = Promise.withResolvers<KeptAnswer>();
    const first = requests.run(JOBS, "k", "f", () => gate.promise);
    const second = requests.run(JOBS, "k", "f", at.work);
    await expect(second).rejects.toMatchObject({ code: "idempotency_in_flight", retryable: true });
    gate.resolve(ACCEPTED);
    expect((await first).replayed).toBe(false);
    expect((await requests.run(JOBS, "k", "f", at.work)).replayed).toBe(true);
    expect(at.worked).toEqual([]);
  });

  it("is taken up under its first name after its process died, before or after it was accepted", async () => {
    await using at = await harness();
    let name = "";
    // It dies with its work: nothing comes of it any more.
    void at.started().run(JOBS, "k", "f", (request) => {
      name = request;
      return new Promise(() => {});
    });
    await vi.waitFor(() => expect(name).not.toBe(""), 30_000);
    expect((await at.started().run(JOBS, "k", "f", at.work)).replayed).toBe(false);
    expect(at.worked).toEqual([name]);
  });

  it("may be tried anew after it was refused, also with another content", async () => {
    await using at = await harness();
    const requests = at.started();
    await expect(requests.run(JOBS, "k", "f", refused("tokens_missing"))).rejects.toMatchObject({
      code: "tokens_missing",
    });
    expect(await at.store.entries()).toEqual([]);
    expect((await requests.run(JOBS, "k", "g", at.work)).replayed).toBe(false);
  });

  it("keeps its name where it is not known whether it was accepted", async () => {
    await using at = await harness();
    const requests = at.started();
    const names: string[] = [];
    const failing = (code: "tokens_missing" | "internal") => (request: string) => {
      names.push(request);
      return refused(code)();
    };
    await expect(requests.run(JOBS, "k", "f", failing("internal"))).rejects.toMatchObject({
      code: "internal",
    });
    // What is refused now was perhaps accepted before.
    await expect(requests.run(JOBS, "k", "f", failing("tokens_missing"))).rejects.toThrow("tokens_missing");
    await requests.run(JOBS, "k", "f", at.work);
    expect(new Set([...names, ...at.worked]).size).toBe(1);
  });

  it("is remembered for a day", async () => {
    await using at = await harness();
    const requests = at.started();
    await requests.run(JOBS, "k", "f", at.work);
    vi.setSystemTime(Date.now() + 24 * 3_600_000 - 1);
    expect((await requests.run(JOBS, "k", "f", at.work)).replayed).toBe(true);
    vi.setSystemTime(Date.now() + 1);
    expect((await requests.run(JOBS, "k", "f", at.work)).replayed).toBe(false);
  });

  it("leaves nothing of the partner's to be read", async () => {
    await using at = await harness();
    await at.started().run(JOBS, "secret-key", "f", at.work);
    const [[name] = [""]] = await at.store.entries();
    expect(name).toMatch(/^idempotency:[0-9a-f]{64}$/);
    expect(JSON.stringify(await at.store.entries())).not.toContain("secret-key");
  });

  it("is not made anew once its answer was forgotten, for another day", async () => {
    await using at = await harness();
    const requests = at.started();
    const names: string[] = [];
    await requests.run(JOBS, "k", "f", async (request, name) => {
      names.push(name);
      return at.work(request);
    });
    const [name = ""] = names;
    vi.setSystemTime(Date.now() + 3_600_000);
    await requests.forget(name);
    await expect(requests.run(JOBS, "k", "f", at.work)).rejects.toMatchObject({ code: "not_found" });
    await expect(requests.run(JOBS, "k", "g", at.work)).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    expect(JSON.stringify(await at.store.entries())).not.toContain("/v1/jobs/1");
    vi.setSystemTime(Date.now() + 24 * 3_600_000 - 1);
    await expect(requests.run(JOBS, "k", "f", at.work)).rejects.toMatchObject({ code: "not_found" });
    expect(at.worked).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1);
    await requests.forget(name);
    expect((await requests.run(JOBS, "k", "f", at.work)).replayed).toBe(false);
  });
});
