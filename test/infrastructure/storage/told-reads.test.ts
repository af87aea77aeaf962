import { afterEach, describe, expect, it, vi } from "vitest";
import type { Bell, BellTopic } from "../../../src/common/bell.ts";
import { changeOf, kvKey, ReadCache } from "../../../src/infrastructure/storage/read-cache.ts";

/** A bell that two processes hear, as long as the line is there. */
function fakeBell() {
  const listeners = new Set<(key: string | undefined) => void>();
  const line = { isThere: true };
  const bell: Bell = {
    isShared: true,
    get hears() {
      return line.isThere;
    },
    ring: (_topic: BellTopic, key: string) => {
      if (line.isThere) for (const listener of listeners) listener(key);
    },
    on(_topic, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    bell,
    line,
    missed: () => {
      for (const listener of listeners) listener(undefined);
    },
  };
}

const WRITE =
  'insert into "kv" ("namespace", "key", "value", "expires_at") values ($1, $2, $3, $4) on conflict';

/** What one process keeps in mind of what the same and another one change. */
function processes() {
  const { bell, line, missed } = fakeBell();
  let looks = 0;
  const here = new ReadCache(() => (looks += 1), bell);
  const there = new ReadCache(() => (looks += 1), bell);
  const stored = new Map<string, string>();
  let asked = 0;
  const ask = (namespace: string, key: string) =>
    here.get("kv", kvKey(namespace, key), async () => {
      asked += 1;
      return stored.get(kvKey(namespace, key));
    });
  const write = (namespace: string, key: string, value: string) => {
    stored.set(kvKey(namespace, key), value);
    const change = changeOf(WRITE);
    if (!change) throw new Error("It is no change.");
    there.changed(change, [namespace, key, value, null]);
    return () => {
      for (const ring of there.rings([{ change, values: [namespace, key, value, null] }]))
        bell.ring("changed", ring);
    };
  };
  return { here, line, missed, ask, write, asked: () => asked };
}

/** What is read at once may be of 20 ms ago in any case. */
const later = (ms: number) => vi.setSystemTime(Date.now()) && vi.advanceTimersByTime(ms);

describe("what hardly changes, on a server that says nothing by itself", () => {
  afterEach(() => void vi.useRealTimers());

  it("is kept until another process rings for it, and of that entry alone", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date"] });
    const { here, ask, write, asked } = processes();
    here.hear();
    await ask("blocks", "anna");
    await ask("blocks", "ben");
    later(59_000);
    expect([await ask("blocks", "anna"), asked()]).toEqual([undefined, 2]);
    write("blocks", "anna", "blocked")();
    expect([await ask("blocks", "anna"), asked()]).toEqual(["blocked", 3]);
    await ask("blocks", "ben");
    expect(asked()).toBe(3);
  });

  it("is asked for anew after a minute, whatever was rung for", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date"] });
    const { here, ask, write } = processes();
    here.hear();
    await ask("blocks", "anna");
    write("blocks", "anna", "blocked");
    later(60_000);
    expect(await ask("blocks", "anna")).toBe("blocked");
  });

  it("is asked for as anything else where no ring is heard: on a broken line, and by who does not listen", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date"] });
    const { here, line, ask, write } = processes();
    await ask("blocks", "anna");
    write("blocks", "anna", "first");
    later(20);
    expect(await ask("blocks", "anna")).toBe("first");
    const deaf = here.hear();
    line.isThere = false;
    write("blocks", "anna", "second");
    later(20);
    expect(await ask("blocks", "anna")).toBe("second");
    line.isThere = true;
    deaf();
    write("blocks", "anna", "third");
    later(20);
    expect(await ask("blocks", "anna")).toBe("third");
  });

  it("is forgotten where rings may have been missed", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date"] });
    const { here, missed, ask, write } = processes();
    here.hear();
    await ask("blocks", "anna");
    const before = here.revision("known_keys");
    expect(here.revision("known_keys")).toBe(before);
    write("blocks", "anna", "blocked");
    missed();
    expect(await ask("blocks", "anna")).toBe("blocked");
    expect(here.revision("known_keys")).not.toBe(before);
  });

  it("is told of by its table where too much of it changed at once, and not where none of it did", () => {
    const { here } = processes();
    const change = changeOf(WRITE);
    if (!change) throw new Error("It is no change.");
    const changes = (namespace: string, count: number) =>
      Array.from({ length: count }, (_, nth) => ({ change, values: [namespace, `${nth}`, "", null] }));
    expect(here.rings(changes("people", 2))).toEqual(['["kv","people\\u00000"]', '["kv","people\\u00001"]']);
    expect(here.rings(changes("people", 5_000)).length).toBeLessThan(2_000);
    expect(here.rings(changes("people", 1_001))).toEqual(['["kv",""]']);
    expect(here.rings(changes("web", 5))).toEqual([]);
  });

  it("does not hold what changes at every step", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date"] });
    const { here, ask, write } = processes();
    here.hear();
    await ask("web", "draft");
    write("web", "draft", "new")();
    later(20);
    expect(await ask("web", "draft")).toBe("new");
  });
});
