import { array, assert, asyncProperty, constantFrom, nat, record, tuple } from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Paced, Superseded } from "../../../adapters/kit/throttle/chat-queue.ts";
import { ALONE, othersOver } from "../../../adapters/kit/throttle/others.ts";
import { Throttler } from "../../../adapters/kit/throttle/throttler.ts";
import type { Bell } from "../../../src/common/bell.ts";
import { TELEGRAM, throttlerLimits } from "../../../adapters/telegram/api/limits.ts";

const ANN = 1;
const BOB = 2;
const GROUP = -100;

const throttler = () => new Throttler(throttlerLimits(TELEGRAM));

/** One call that Telegram saw: when it arrived, and when its answer was back. */
interface Sent {
  readonly chat: number;
  readonly messages: number;
  readonly at: number;
  readonly idle: boolean;
}

/** A Telegram that takes some time for each answer. */
function line(pace: Throttler, answerMs = 20) {
  const sent: Sent[] = [];
  async function send(chat: number, more: Partial<Paced> = {}): Promise<void> {
    const call = { chat, messages: 1, since: performance.now(), ...more };
    const answered = await pace.turn(call);
    sent.push({ chat, messages: call.messages, at: performance.now(), idle: call.idle !== undefined });
    await new Promise((resolve) => void setTimeout(resolve, answerMs));
    answered();
  }
  return { sent, send };
}

/** The most that was sent within any window that is shorter than `ms`. */
function mostWithin(sent: readonly Sent[], ms: number, weigh: (one: Sent) => number): number {
  return Math.max(
    0,
    ...sent.map(({ at }) =>
      sent
        .filter((other) => other.at >= at && other.at < at + ms)
        .map(weigh)
        .reduce((a, b) => a + b, 0),
    ),
  );
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the pace of messages", () => {
  it("is one for several processes, of which one has most of it, and each can always say something", async () => {
    const shares = [0.6, ...Array.from({ length: 5 }, () => 0.08)];
    const lines = shares.map((share) => line(new Throttler(throttlerLimits(TELEGRAM), { ...ALONE, share })));
    const all = lines.flatMap(({ send }, place) =>
      Array.from({ length: 60 }, (_, chat) => send(1_000 * place + chat + 1)),
    );
    await vi.advanceTimersByTimeAsync(120_000);
    await Promise.all(all);
    const sent = lines.flatMap((one) => one.sent);
    expect(sent).toHaveLength(6 * 60);
    expect(mostWithin(sent, 1_000, () => 1)).toBeLessThanOrEqual(TELEGRAM.perSecond);
    expect(mostWithin(lines[0]?.sent ?? [], 1_000, () => 1)).toBe(18);
  });

  it("is one in a chat for several processes, each of which hears a moment later what the others send there", async () => {
    const heardAfterMs = 60;
    const bells = new Set<(key: string) => void>();
    const bell = (): Bell => {
      let own: ((key: string) => void) | undefined;
      return {
        isShared: true,
        hears: true,
        ring: (_, key) => {
          const others = [...bells].filter((hears) => hears !== own);
          setTimeout(() => others.forEach((hears) => hears(key)), heardAfterMs);
        },
        on: (_, listener) => {
          own = listener;
          bells.add(listener);
          return () => bells.delete(listener);
        },
      };
    };
    const paces = ["telegram", "telegram", "telegram", "whatsapp"].map(
      (name) => new Throttler(throttlerLimits(TELEGRAM), othersOver(name, bell(), { share: 1 })),
    );
    const lines = paces.map((pace) => line(pace));
    const all = lines.flatMap(({ send }) => Array.from({ length: 40 }, () => send(GROUP)));
    await vi.advanceTimersByTimeAsync(8 * 60_000);
    await Promise.all(all);
    const [one, two, three, other] = lines.map(({ sent }) => sent);
    const together = [...(one ?? []), ...(two ?? []), ...(three ?? [])];
    expect(together).toHaveLength(3 * 40);
    // What the others begin before they hear of it; counted by each alone, it would be three times as many.
    const inTheMoment = 2 * TELEGRAM.burst;
    const { perMinuteInGroup } = TELEGRAM;
    expect(mostWithin(together, 60_000, () => 1)).toBeLessThanOrEqual(perMinuteInGroup + inTheMoment);
    // On another platform a chat of the same name is another one.
    expect(mostWithin(other ?? [], 60_000, () => 1)).toBe(perMinuteInGroup);
    for (const pace of paces) pace.close(new Error("The test has ended."));
    expect(bells.size).toBe(0);
  });

  it("never breaks a limit of Telegram's, and lets everybody through in the end", async () => {
    const call = record({
      chat: constantFrom(ANN, BOB, 3, 4, GROUP, -200),
      messages: constantFrom(1, 1, 1, 3),
      afterMs: constantFrom(0, 0, 10, 400),
    });
    const burst = tuple(array(call, { maxLength: 60 }), nat({ max: 2_000 }));
    await assert(
      asyncProperty(burst, async ([asked, answerMs]) => {
        const { sent, send } = line(throttler(), answerMs);
        const all: Promise<void>[] = [];
        for (const { chat, messages, afterMs } of asked) {
          all.push(send(chat, { messages }));
          await vi.advanceTimersByTimeAsync(afterMs);
        }
        await vi.runAllTimersAsync();
        await Promise.all(all);
        expect(sent).toHaveLength(asked.length);
        expect(mostWithin(sent, 1_000, ({ messages }) => messages)).toBeLessThanOrEqual(TELEGRAM.perSecond);
        for (const chat of new Set(sent.map((one) => one.chat))) {
          const here = sent.filter((one) => one.chat === chat);
          const { burst, perChatMs } = TELEGRAM;
          expect(mostWithin(here, burst * perChatMs, () => 1)).toBeLessThanOrEqual(burst);
          const perMinute = chat < 0 ? TELEGRAM.perMinuteInGroup : Infinity;
          expect(mostWithin(here, 60_000, ({ messages }) => messages)).toBeLessThanOrEqual(perMinute);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("uses nearly all of what is allowed: a thousand people are written to in little more than 33 s", async () => {
    const { sent, send } = line(throttler());
    const all = Array.from({ length: 1_000 }, (_, person) => send(person + 1));
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(sent.at(-1)?.at).toBeLessThan((1_000 / TELEGRAM.perSecond) * 1_000 * 1.05 + (sent[0]?.at ?? 0));
  });

  it("lets a few in a chat follow each other at once, one after the answer to the other", async () => {
    const { sent, send } = line(throttler());
    const begin = performance.now();
    const all = [1, 2, 3, 4].map(() => send(ANN));
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(sent.map(({ at }) => at - begin)).toEqual([0, 20, 40, 3_020]);
  });

  it("takes a chat's burst for used up by the bot that ran before, and no longer", async () => {
    const begin = performance.now();
    const { sent, send } = line(new Throttler(throttlerLimits(TELEGRAM, begin)));
    const first = [1, 2, 3, 4].map(() => send(ANN));
    await vi.runAllTimersAsync();
    const later = [1, 2, 3].map(() => send(BOB));
    await vi.runAllTimersAsync();
    await Promise.all([...first, ...later]);
    const at = (chat: number) => sent.filter((one) => one.chat === chat).map((one) => one.at - begin);
    expect(at(ANN)).toEqual([1_000, 2_000, 3_000, 4_020]);
    const [asked = 0] = at(BOB);
    expect(at(BOB)).toEqual([asked, asked + 20, asked + 40]);
  });

  it("lets nobody wait behind somebody with much to be told", async () => {
    const { sent, send } = line(throttler());
    const much = Array.from({ length: 50 }, () => send(ANN));
    const one = send(BOB);
    await vi.runAllTimersAsync();
    await Promise.all([...much, one]);
    expect(sent.findIndex(({ chat }) => chat === BOB)).toBeLessThanOrEqual(1);
  });

  it("sends in a chat in the order that was asked, one at a time", async () => {
    const order: string[] = [];
    const pace = throttler();
    const send = async (name: string) => {
      const answered = await pace.turn({ chat: ANN, messages: 1, since: performance.now() });
      order.push(name);
      await new Promise((resolve) => void setTimeout(resolve, 3_000));
      order.push(`${name} answered`);
      answered();
    };
    const all = ["a", "b", "c"].map(send);
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(order).toEqual(["a", "a answered", "b", "b answered", "c", "c answered"]);
  });

  it("shows only the newest progress of a message, after what somebody waits for", async () => {
    const { sent, send } = line(throttler());
    const hello = send(ANN);
    const old = send(ANN, { idle: "job", message: "1:7" }).catch((error: unknown) => error);
    const newest = send(ANN, { idle: "job", message: "1:7" });
    const answer = send(ANN);
    await vi.runAllTimersAsync();
    await Promise.all([hello, newest, answer]);
    expect(await old).toBeInstanceOf(Superseded);
    expect(sent.map(({ idle }) => idle)).toEqual([false, false, true]);
  });

  it("drops progress that waits when the same message is changed for good", async () => {
    const { sent, send } = line(throttler());
    const hello = send(ANN);
    const progress = send(ANN, { idle: "job", message: "1:7" }).catch((error: unknown) => error);
    const result = send(ANN, { message: "1:7" });
    await vi.runAllTimersAsync();
    await Promise.all([hello, result]);
    expect(await progress).toBeInstanceOf(Superseded);
    expect(sent).toHaveLength(2);
  });

  it("keeps half of a group's minute for what somebody waits for", async () => {
    const { sent, send } = line(throttler());
    const idle = Array.from({ length: 30 }, (_, job) => send(GROUP, { idle: `job ${job}` }));
    await vi.advanceTimersByTimeAsync(40_000);
    expect(sent).toHaveLength(TELEGRAM.perMinuteInGroup / 2);
    const answer = send(GROUP);
    await vi.advanceTimersByTimeAsync(1_000);
    await answer;
    expect(sent.at(-1)?.idle).toBe(false);
    await vi.runAllTimersAsync();
    await Promise.all(idle);
  });

  it("lets a chat rest as long as Telegram says, and only that one", async () => {
    const pace = throttler();
    const { sent, send } = line(pace);
    const begin = performance.now();
    pace.hold(ANN, 7_000);
    const all = [send(ANN), send(BOB)];
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(sent.map(({ chat, at }) => [chat, at - begin])).toEqual([
      [BOB, 0],
      [ANN, 7_000],
    ]);
  });

  it("lets everybody rest when it was too fast altogether", async () => {
    const pace = throttler();
    const { sent, send } = line(pace);
    const begin = performance.now();
    pace.hold(ANN, 5_000);
    pace.hold(BOB, 5_000);
    const carla = send(3);
    await vi.runAllTimersAsync();
    await carla;
    expect(sent[0]?.at).toBe(begin + 5_000);
  });

  it("forgets chats that nothing was said in for a while", async () => {
    const pace = throttler();
    const { send } = line(pace);
    const all = [send(ANN), send(BOB), send(GROUP)];
    await vi.advanceTimersByTimeAsync(120_000);
    await Promise.all(all);
    const last = send(3);
    await vi.advanceTimersByTimeAsync(1_000);
    await last;
    expect(pace.chats).toBe(1);
  });

  it("gives nobody a turn after it was closed", async () => {
    const pace = throttler();
    const { send } = line(pace);
    const first = Promise.all(Array.from({ length: TELEGRAM.burst }, () => send(ANN)));
    const waiting = send(ANN).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    const stop = new Error("stop");
    pace.close(stop);
    expect(await waiting).toBe(stop);
    await first;
    await expect(send(BOB)).rejects.toBe(stop);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("takes somebody out of the line who does not want to wait any more", async () => {
    const pace = throttler();
    const { sent, send } = line(pace);
    const first = send(ANN);
    const leaving = new AbortController();
    const gone = pace
      .turn({ chat: ANN, messages: 1, since: performance.now() }, leaving.signal)
      .catch((error: unknown) => error);
    leaving.abort(new Error("gone"));
    const third = send(ANN);
    await vi.runAllTimersAsync();
    await Promise.all([first, third]);
    expect(await gone).toMatchObject({ message: "gone" });
    expect(sent).toHaveLength(2);
  });
});
