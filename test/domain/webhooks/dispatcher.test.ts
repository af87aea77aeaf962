import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Attempt } from "../../../src/seam/access/webhooks.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import type { Deliveries, Fresh, WebhookMessage } from "../../../src/domain/webhooks/deliveries.ts";
import { WebhookDispatcher } from "../../../src/domain/webhooks/dispatcher.ts";
import type { Due } from "../../../src/domain/webhooks/due.ts";
import type { Receiver } from "../../../src/domain/webhooks/places.ts";
import type { Fate } from "../../../src/domain/webhooks/schedule.ts";
import type { SigningSecrets } from "../../../src/domain/webhooks/signing-secrets.ts";
import { ACME, HOUR, MINUTE, OTHER, receiver } from "./harness.ts";

const NOW = Date.UTC(2026, 0, 30, 12);
const DAY = 24 * HOUR;
const DISK = new Error("disk");
const fail = (error: Error): never => {
  throw error;
};

/** A dispatcher over deliveries that are held in memory, and what it does to them. */
function harness(
  url: string,
  different: {
    readonly secrets?: Partial<SigningSecrets>;
    readonly sweep?: () => Promise<void>;
    readonly due?: () => Promise<readonly Due[]>;
    readonly settle?: () => Promise<void>;
  } = {},
) {
  const waiting: (Due & { readonly to: string | null })[] = [];
  const done: { readonly id: string; readonly attempt: Attempt; readonly fate: Fate }[] = [];
  const asked: string[] = [];
  const swept: number[] = [];
  const lines: string[] = [];
  const released: string[] = [];
  let ring: ((fresh?: readonly Fresh[]) => void) | undefined;
  let maySend: ((to: Receiver) => boolean) | undefined;
  let listening = 0;
  const deliveries = {
    onDue: (listener: typeof ring, may: typeof maySend) => {
      ring = listener;
      maySend = may;
      listening += 1;
      return () => void (listening -= 1);
    },
    due: different.due ?? (async () => [...waiting]),
    claim: async ({ seq, user }: Due): Promise<WebhookMessage | undefined> => {
      const at = waiting.findIndex((one) => one.seq === seq);
      const [taken] = at < 0 ? [] : waiting.splice(at, 1);
      return (
        taken && {
          id: `m${seq}`,
          user,
          type: "ping",
          job: null,
          endpoint: taken.to,
          url,
          body: "{}",
          failures: 0,
        }
      );
    },
    settle: async ({ id }: WebhookMessage, attempt: Attempt, fate: Fate) => {
      await different.settle?.();
      done.push({ id, attempt, fate });
    },
    release: async ({ id }: WebhookMessage) => void released.push(id),
  } as unknown as Deliveries;
  const secrets = {
    newest: async (signer: string) => (asked.push(`newest ${signer}`), ""),
    signing: async (signer: string) => (asked.push(`signing ${signer}`), ["whsec_YQ=="]),
    ...different.secrets,
  } as unknown as SigningSecrets;
  const dispatcher = new WebhookDispatcher({
    deliveries,
    secrets,
    sweep: different.sweep ?? (async (before: number) => void swept.push(before)),
    log: makeLogger({ level: "error", destination: { write: (line) => void lines.push(line) } }),
    privateHosts: ["127.0.0.1"],
    now: () => NOW,
    chance: () => 0.5,
  });
  return {
    dispatcher,
    waiting,
    done,
    asked,
    swept,
    lines,
    released,
    ring: (fresh?: readonly Fresh[]) => ring?.(fresh),
    maySend: (to: Receiver) => maySend?.(to),
    listening: () => listening,
  };
}

const due = (seq: number, different: Partial<Due & { to: string | null }> = {}) => ({
  seq,
  user: ACME,
  receiver: `r${seq}`,
  next_at: NOW,
  to: `ep_${seq}`,
  ...different,
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

describe("a dispatcher", () => {
  it("looks as it starts, when it is told, and every two seconds, until it stops", async () => {
    const looks: number[] = [];
    const at = harness("", { due: async () => (looks.push(1), []) });
    at.dispatcher.start();
    await expect.poll(() => looks.length).toBe(1);
    at.ring();
    await expect.poll(() => looks.length).toBe(2);
    vi.advanceTimersByTime(1_999);
    await setImmediate();
    expect(looks).toHaveLength(2);
    vi.advanceTimersByTime(1);
    await expect.poll(() => looks.length).toBe(3);
    expect(at.listening()).toBe(1);
    await at.dispatcher.stop();
    expect([at.listening(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("sweeps as it starts and every hour what is older than thirty days", async () => {
    const at = harness("");
    at.dispatcher.start();
    expect(at.swept).toEqual([NOW - 30 * DAY]);
    vi.advanceTimersByTime(HOUR - 1);
    expect(at.swept).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(at.swept).toHaveLength(2);
    await at.dispatcher.stop();
  });

  it("goes on where it could neither read nor sweep, and says so", async () => {
    const at = harness("", { due: async () => fail(DISK), sweep: async () => fail(DISK) });
    at.dispatcher.start();
    await expect.poll(() => at.lines.length).toBe(2);
    expect(at.lines.join()).toMatch(
      /could not be read.*could not be erased|could not be erased.*could not be read/s,
    );
    at.ring();
    await expect.poll(() => at.lines.length).toBe(3);
    await at.dispatcher.stop();
  });

  it("stops once a look and a sweep that are under way have ended", async () => {
    const [look, sweep] = [Promise.withResolvers<readonly Due[]>(), Promise.withResolvers<void>()];
    const at = harness("", { due: () => look.promise, sweep: () => sweep.promise });
    at.dispatcher.start();
    let stopped = false;
    const stop = at.dispatcher.stop().then(() => (stopped = true));
    look.resolve([due(1)]);
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect(stopped).toBe(false);
    sweep.resolve();
    await stop;
    // Nothing more is begun.
    expect(at.asked).toEqual([]);
  });
});

describe("a message that is due", () => {
  it("is sent with what signs its endpoint, and what came of it is written", async () => {
    await using hook = await receiver();
    const at = harness(hook.url);
    at.waiting.push(due(1));
    at.dispatcher.start();
    await expect
      .poll(() => at.done)
      .toEqual([
        { id: "m1", attempt: { at: NOW, status: 200, error: null, tookMs: 0 }, fate: { state: "delivered" } },
      ]);
    expect(at.asked).toEqual(["signing ep_1"]);
    expect(hook.arrived[0]?.headers).toMatchObject({ "user-agent": "Reelay", "webhook-id": "m1" });
    await at.dispatcher.stop();
  });

  it("of a job's own address is sent with what signs its partner's, made where there is none", async () => {
    await using hook = await receiver();
    const at = harness(hook.url);
    at.waiting.push(due(1, { to: null }));
    at.dispatcher.start();
    await expect.poll(() => at.done.length).toBe(1);
    expect(at.asked).toEqual([`newest ${ACME}`, `signing ${ACME}`]);
    await at.dispatcher.stop();
  });

  it("is not sent unsigned", async () => {
    await using hook = await receiver();
    const at = harness(hook.url, {
      secrets: { signing: async () => fail(new ReelayError("key_unreadable")) },
    });
    at.waiting.push(due(1));
    at.dispatcher.start();
    await expect
      .poll(() => at.done)
      .toMatchObject([
        { attempt: { status: null, error: "key_unreadable" }, fate: { state: "due", nextAt: NOW + 5_000 } },
      ]);
    expect(hook.arrived).toEqual([]);
    await at.dispatcher.stop();
  });

  it("is left taken where what came of it could not be written, and said so", async () => {
    await using hook = await receiver();
    const at = harness(hook.url, {
      settle: async () => fail(DISK),
    });
    at.waiting.push(due(1));
    at.dispatcher.start();
    await expect.poll(() => at.lines.join()).toContain("could not be written");
    expect([at.done, at.released]).toEqual([[], []]);
    await at.dispatcher.stop();
  });

  it("goes first where its partner has fewest under way, then where it has waited longest", async () => {
    await using hook = await receiver();
    const at = harness(hook.url);
    at.waiting.push(
      due(1, { next_at: NOW - MINUTE }),
      due(2, { next_at: NOW - 2 * MINUTE }),
      due(3, { user: OTHER, next_at: NOW - 3 * MINUTE }),
    );
    at.dispatcher.start();
    await expect.poll(() => at.done.length).toBe(3);
    expect(at.asked).toEqual(["signing ep_3", "signing ep_2", "signing ep_1"]);
    await at.dispatcher.stop();
  });

  it("goes behind another partner's where its own has one under way, however long it has waited", async () => {
    const answer = Promise.withResolvers<void>();
    await using hook = await receiver((_request, response) => void answer.promise.then(() => response.end()));
    const at = harness(hook.url);
    at.waiting.push(due(1));
    at.dispatcher.start();
    await hook.atLeast(1);
    at.waiting.push(due(2, { next_at: NOW - MINUTE }), due(3, { user: OTHER }));
    at.ring();
    await expect.poll(() => at.asked.length).toBe(3);
    expect(at.asked).toEqual(["signing ep_1", "signing ep_3", "signing ep_2"]);
    answer.resolve();
    await at.dispatcher.stop();
  });
});

function taken(seq: number, url: string): Fresh {
  const { to: endpoint, ...one } = due(seq, { receiver: "r" });
  const message = { id: `m${seq}`, user: ACME, type: "ping", job: null, endpoint, url, body: "{}" };
  return { ...one, taken: { ...message, failures: 0 } };
}

describe("a message that was taken as it was written", () => {
  const somebody: Receiver = { receiver: "r", user: ACME };

  it("is sent without being taken once more, and given back where its place is somebody else's by then", async () => {
    const answer = Promise.withResolvers<void>();
    await using hook = await receiver((_request, response) => void answer.promise.then(() => response.end()));
    const at = harness(hook.url);
    at.dispatcher.start();
    await expect.poll(() => at.maySend(somebody)).toBe(true);
    at.ring([1, 2, 3, 4, 5].map((seq) => taken(seq, hook.url)));
    await hook.atLeast(4);
    expect(at.released).toEqual(["m5"]);
    expect(at.maySend(somebody)).toBe(false);
    answer.resolve();
    await expect.poll(() => at.done.map(({ id }) => id).toSorted()).toEqual(["m1", "m2", "m3", "m4"]);
    await at.dispatcher.stop();
  });

  it("is given back by a process that leaves, which takes nothing more", async () => {
    const sweep = Promise.withResolvers<void>();
    const at = harness("http://127.0.0.1:9", { sweep: () => sweep.promise });
    at.dispatcher.start();
    await expect.poll(() => at.maySend(somebody)).toBe(true);
    const stopped = at.dispatcher.stop();
    expect(at.maySend(somebody)).toBe(false);
    at.ring([taken(1, "http://127.0.0.1:9")]);
    sweep.resolve();
    await stopped;
    expect([at.released, at.asked, at.listening()]).toEqual([["m1"], [], 0]);
  });
});
