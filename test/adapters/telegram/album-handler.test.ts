import type { Message, Update } from "telegraf/types";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { albumHandler, resumeAlbums } from "../../../adapters/telegram/handlers/album.ts";
import { inboxIn, UpdateDispatcher } from "../../../adapters/telegram/dispatcher.ts";
import { Moves } from "../../../adapters/telegram/api/moves.ts";
import { BusyAlbums } from "../../../adapters/telegram/context/albums.ts";
import type { Services, UpdateContext } from "../../../adapters/telegram/context/context.ts";
import type { Sender } from "../../../adapters/telegram/api/telegraf-sender.ts";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { Draft } from "../../../adapters/kit/drafts/draft.ts";
import { mediaIn } from "../../../src/seam/values.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { sleep } from "../../../src/common/time.ts";
import { translator } from "../../../src/common/i18n.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param ms how long it takes to read or write an entry, in milliseconds */
function memoryOfATest(ms = 0): Memory {
  const kept = new Map<string, string>();
  const pause = async () => void (ms > 0 && (await sleep(ms)));
  return {
    get: async <T>(key: string) => {
      await pause();
      const value = kept.get(key);
      return value === undefined ? undefined : (JSON.parse(value) as T);
    },
    async set(key, value) {
      await pause();
      kept.set(key, JSON.stringify(value));
    },
    delete: async (key) => void kept.delete(key),
    async add(key, value) {
      if (kept.has(key)) return false;
      kept.set(key, JSON.stringify(value));
      return true;
    },
    keep: (write) => write(),
    entries: async <T>() => [...kept].map(([key, value]): [string, T] => [key, JSON.parse(value) as T]),
  };
}

/** Services whose messages are only written down. */
function services({ memory = memoryOfATest() } = {}) {
  const said: { readonly method: string; readonly text: string; readonly replyTo: unknown }[] = [];
  const sender = {
    call: async (method: string, parameters: { text: string; reply_parameters?: { message_id: number } }) => {
      said.push({
        method,
        text: parameters.text.split("\n")[0] ?? "",
        replyTo: parameters.reply_parameters?.message_id,
      });
      return { message_id: 900, chat: { id: 5 } };
    },
  };
  const parts: Services = {
    host: { log: { error: () => undefined, warn: () => undefined } } as unknown as SurfaceHost,
    sender: sender as unknown as Sender,
    memory,
    intake: {
      commands: COMMAND_SPECS,
      examine: async () => [],
      mayBegin: async () => false,
      suggest: async () => [],
      quote: async () => ({ tokens: 1, balance: 9, asks: [] }),
      preferences: async () => ({ locale: "en" }),
    } as unknown as Intake,
    bot: 700_000_001,
    username: "reelay_bot",
    presses: new Map(),
    albums: new BusyAlbums(),
    openMedia: () => Promise.reject(new Error("Nothing is to be fetched.")),
  };
  return { parts, said };
}

/** A part of an album as it arrives. */
function part(parts: Services, message_id: number, caption?: string): UpdateContext {
  const photo = [{ file_id: `photo ${message_id}`, file_unique_id: "", width: 1, height: 1 }];
  const message = { message_id, chat: { id: 5, type: "private" }, photo, media_group_id: "g", caption };
  return {
    ...parts,
    update: { update_id: message_id, message: message as unknown as Message } as Update,
    origin: {
      platform: "telegram",
      user: "telegram:5",
      address: { chat: 5, locale: "en", replyTo: message_id },
      request: `telegram:${message_id}`,
      locale: "en",
      audience: "private",
    },
    say: translator("en"),
  };
}

/** What is shown of an album so far. */
const pictures = async ({ memory }: Services) =>
  (await memory.get<{ given: { pictures: { id: string }[] } }>("draft:5:900"))?.given.pictures.map(
    ({ id }) => id,
  );

describe("the parts of an album", () => {
  it("are shown together, in their order, when none came for a while", async () => {
    const { parts, said } = services();
    for (const id of [2, 1, 3]) {
      await albumHandler(part(parts, id));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual([
      { method: "sendMessage", text: "What shall I make from these 3 pictures?", replyTo: 1 },
    ]);
    expect(await pictures(parts)).toEqual(["photo 1", "photo 2", "photo 3"]);
  });

  it("count once, however often Telegram hands them on", async () => {
    const { parts, said } = services();
    for (const id of [1, 2, 1, 2]) await albumHandler(part(parts, id));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(said.map(({ text }) => text)).toEqual(["What shall I make from these 2 pictures?"]);
  });

  it("are waited for anew after a restart, and shown once", async () => {
    const { parts, said } = services();
    for (const id of [1, 2]) await albumHandler(part(parts, id));
    vi.clearAllTimers();
    await resumeAlbums(parts);
    await vi.advanceTimersByTimeAsync(5_000);
    await resumeAlbums(parts);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(said.map(({ text }) => text)).toEqual(["What shall I make from these 2 pictures?"]);
  });

  it("that come late join the offers", async () => {
    const { parts, said } = services();
    for (const id of [1, 2]) await albumHandler(part(parts, id));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await albumHandler(part(parts, 3))).toBe(true);
    expect(said.at(-1)).toMatchObject({
      method: "editMessageText",
      text: "What shall I make from these 3 pictures?",
    });
    expect(await pictures(parts)).toEqual(["photo 1", "photo 2", "photo 3"]);
  });

  it("are all there, however slow the disk is and whenever the last one comes", async () => {
    for (let after = 1_100; after <= 1_400; after += 10) {
      const { parts, said } = services({ memory: memoryOfATest(10) });
      for (const [id, ms] of [
        [1, 100],
        [2, after],
        [3, 5_000],
      ] as const) {
        const handled = albumHandler(part(parts, id));
        await vi.advanceTimersByTimeAsync(ms);
        expect(await handled).toBe(true);
      }
      const shown = pictures(parts);
      await vi.advanceTimersByTimeAsync(10);
      expect(await shown, `${after} ms`).toEqual(["photo 1", "photo 2", "photo 3"]);
      expect(said.filter(({ method }) => method === "sendMessage")).toHaveLength(1);
    }
  });

  it("that arrived are waited for while they queue, however long that takes", async () => {
    const { parts, said } = services();
    const place = { chat: 5, group: "g" };
    parts.albums.begin(place);
    await albumHandler(part(parts, 1, "they meet"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(said).toEqual([]);
    await albumHandler(part(parts, 2));
    parts.albums.end(place);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(said.map(({ method }) => method)).toEqual(["sendMessage"]);
    expect(await pictures(parts)).toEqual(["photo 1", "photo 2"]);
  });

  it("that come late join what was only guessed from the words, and nothing that was changed since", async () => {
    const { parts, said } = services();
    await albumHandler(part(parts, 1, "they meet"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(said).toHaveLength(1);
    expect(await albumHandler(part(parts, 2))).toBe(true);
    expect(said.map(({ method }) => method)).toEqual(["sendMessage", "editMessageText"]);
    expect(await pictures(parts)).toEqual(["photo 1", "photo 2"]);
    const draft = await parts.memory.get<Draft>("draft:5:900");
    expect(Object.values(draft?.values ?? {}).flatMap((value) => mediaIn(value))).toHaveLength(2);
    await parts.memory.set("draft:5:900", { ...draft, values: { ...draft?.values, prompt: "they part" } });
    expect(await albumHandler(part(parts, 3))).toBe(false);
  });
});

describe("an update with a part of an album", () => {
  it("counts from when it is taken in until it is dealt with", async () => {
    const { parts } = services();
    const place = { chat: 5, group: "g" };
    const first = Promise.withResolvers<boolean>();
    const turns = [first.promise];
    const handler = () => turns.shift() ?? Promise.reject(new Error("This one fails."));
    const memory = memoryOfATest();
    const dispatcher = new UpdateDispatcher(parts, inboxIn(memory), new Moves(memory), {
      handlers: [handler],
      answerAtOnce: async () => undefined,
    });
    const from = { id: 5, is_bot: false, first_name: "Ann" };
    const updates = [1, 2].map((id) => {
      const { update } = part(parts, id);
      return Object.assign(update, {
        message: Object.assign((update as { message: object }).message, { from }),
      });
    });
    await dispatcher.take(updates);
    expect(parts.albums.has(place)).toBe(true);
    first.resolve(true);
    await vi.waitUntil(() => !parts.albums.has(place), PATIENCE_MS);
    expect(turns).toEqual([]);
  });
});
