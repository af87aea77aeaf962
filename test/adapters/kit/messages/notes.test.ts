import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChatNotes } from "../../../../adapters/kit/messages/notes.ts";
import type { Memory } from "../../../../src/common/memory.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("says what was noted lately, and no older", async () => {
  const kept = new Map<string, unknown>();
  const memory = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: unknown) => void kept.set(key, value),
    keep: (write: () => Promise<void>) => write(),
  } as unknown as Memory;
  const notes = new ChatNotes(memory);
  await notes.keep("49", "words", "a dog");
  vi.advanceTimersByTime(60_000);
  expect(await notes.find("49", "words", 60_000)).toBe("a dog");
  vi.advanceTimersByTime(1);
  expect(await notes.find("49", "words", 60_000)).toBeUndefined();
  expect(await notes.find("49", "words")).toBe("a dog");
});
