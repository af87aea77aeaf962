import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  checkedKey,
  type Claim,
  Idempotency,
  type KeptAnswer,
} from "../../../../adapters/http/jobs/idempotency.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const JOBS = { partner: "acme", route: "POST /v1/jobs", since: 0 };
const ACCEPTED: KeptAnswer = { status: 202, headers: { Location: "/v1/jobs/1" }, body: { id: "1" } };

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

async function harness() {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const store = memory(database, "http");
  /** The keys that were worked on. */
  const worked: string[] = [];
  /** Writes something with the answer, as a job is written. */
  const accept = (claim: Claim) =>
    database.kysely.transaction().execute(async (kysely) => {
      await memory({ kysely }, "jobs").set(randomUUID(), claim.name);
      await claim.keep(ACCEPTED, memory({ kysely }, "http"));
    });
  return {
    store,
    worked,
    accept,
    /** What was accepted, by the names of its requests. */
    accepted: async () => (await memory(database, "jobs").entries()).map(([, name]) => name),
    /** As a process would make it that has just started. */
    started: () => new Idempotency(store),
    work: async (claim: Claim) => {
      worked.push(claim.request ?? claim.name);
      await accept(claim);
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

  it("is accepted once by two processes that get it at the same moment", async () => {
    await using at = await harness();
    const processes = [at.started(), at.started()];
    const answers = await Promise.all(processes.map((requests) => requests.run(JOBS, "k", "f", at.work)));
    expect(new Set(answers.map(({ replayed }) => replayed))).toEqual(new Set([false, true]));
    expect(answers).toMatchObject([ACCEPTED, ACCEPTED]);
    // Both began; what the slower one wrote is gone.
    expect(at.worked).toHaveLength(2);
    expect(await at.accepted()).toHaveLength(1);
  });

  it("is refused where another process accepts another one under its key meanwhile", async () => {
    await using at = await harness();
    const slow = at.started().run(JOBS, "k", "g", async (claim) => {
      await at.started().run(JOBS, "k", "f", at.work);
      return at.work(claim);
    });
    await expect(slow).rejects.toMatchObject({ code: "idempotency_mismatch" });
    expect(await at.accepted()).toHaveLength(1);
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
    const first = requests.run(JOBS, "k", "f", async (claim) => {
      await gate.promise;
      await at.accept(claim);
      return ACCEPTED;
    });
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
    const first = requests.run(JOBS, "k", "f", async (claim) => {
      await gate.promise;
      await at.accept(claim);
      return ACCEPTED;
    });
    const second = requests.run(JOBS, "k", "f", at.work);
    await expect(second).rejects.toMatchObject({ code: "idempotency_in_flight", retryable: true });
    gate.resolve(ACCEPTED);
    expect((await first).replayed).toBe(false);
    expect((await requests.run(JOBS, "k", "f", at.work)).replayed).toBe(true);
    expect(at.worked).toEqual([]);
  });

  it("is accepted once, however its process died: before its transaction, or after it", async () => {
    await using at = await harness();
    /** Works on it in a process from which nothing comes any more when that is done. */
    const dying = (work: (claim: Claim) => Promise<void>) =>
      new Promise<void>((done) => {
        void at.started().run(JOBS, "k", "f", async (claim) => {
          await work(claim);
          done();
          return new Promise(() => {});
        });
      });
    await dying(async () => {});
    expect(await at.accepted()).toEqual([]);
    await dying(at.accept);
    expect(await at.accepted()).toHaveLength(1);
    expect(await at.started().run(JOBS, "k", "f", at.work)).toEqual({ ...ACCEPTED, replayed: true });
    expect(at.worked).toEqual([]);
  });

  it("goes on under the name that an earlier version gave it before it died", async () => {
    await using at = await harness();
    let name = "";
    await at.started().run(JOBS, "k", "f", async (claim) => {
      name = claim.name;
      return ACCEPTED;
    });
    await at.store.set(name, { fingerprint: "f", request: "first" });
    expect(await at.started().run(JOBS, "k", "f", at.work)).toMatchObject({ replayed: false });
    expect(at.worked).toEqual(["first"]);
    expect(await at.started().run(JOBS, "k", "f", at.work)).toMatchObject({ replayed: true });
  });

  it("must wait where a process of an earlier version begins it meanwhile", async () => {
    await using at = await harness();
    const late = at.started().run(JOBS, "k", "f", async (claim) => {
      await at.store.set(claim.name, { fingerprint: "f", request: "first" });
      return at.work(claim);
    });
    await expect(late).rejects.toMatchObject({ code: "idempotency_in_flight" });
    expect(await at.accepted()).toEqual([]);
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

  it("is answered as it was accepted where something went wrong after that", async () => {
    await using at = await harness();
    const requests = at.started();
    const failing = async (claim: Claim) => {
      await at.accept(claim);
      return refused("internal")();
    };
    await expect(requests.run(JOBS, "k", "f", failing)).rejects.toMatchObject({ code: "internal" });
    expect(await requests.run(JOBS, "k", "f", at.work)).toEqual({ ...ACCEPTED, replayed: true });
    expect(await at.accepted()).toHaveLength(1);
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
    await requests.run(JOBS, "k", "f", async (claim) => {
      names.push(claim.name);
      return at.work(claim);
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

  it("is another one of a partner who was added after it, whatever became of the former one's", async () => {
    await using at = await harness();
    const names: string[] = [];
    for (const key of ["answered", "forgotten"])
      await at.started().run(JOBS, key, "f", async (claim) => {
        names.push(claim.name);
        return at.work(claim);
      });
    vi.setSystemTime(Date.now() + 1_000);
    await at.started().forget(names[1] ?? "");
    const next = { ...JOBS, since: Date.now() };
    for (const key of ["answered", "forgotten"]) {
      expect((await at.started().run(next, key, "g", at.work)).replayed).toBe(false);
      expect((await at.started().run(next, key, "g", at.work)).replayed).toBe(true);
    }
  });

  it("is the partner's own where the clock was set back since they were added", async () => {
    await using at = await harness();
    const added = { ...JOBS, since: Date.now() + 3_600_000 };
    expect((await at.started().run(added, "k", "f", at.work)).replayed).toBe(false);
    expect((await at.started().run(added, "k", "f", at.work)).replayed).toBe(true);
    expect(at.worked).toHaveLength(1);
  });
});
