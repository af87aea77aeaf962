import { readdir } from "node:fs/promises";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { ReelayError } from "../../../../src/common/errors.ts";
import { type Moderated, Moderator } from "../../../../src/domain/policy/moderation/moderator.ts";
import { smallPicture } from "../../../../src/domain/policy/moderation/picture.ts";
import type { ModerationSettings } from "../../../../src/domain/policy/moderation/settings.ts";
import { makeLogger, scrub } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { answer, hang, json, reset, serve, truncated } from "../../../infrastructure/api/server.ts";
import { openModeration } from "../../../support/moderation.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const WORDS = "a dragon over the harbour";

/** A photo with a place in its metadata. */
const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: "red" } })
  .withExif({ IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 0/1" } })
  .jpeg()
  .toBuffer();

const failing = (error: Error) => async (): Promise<Readable> => {
  throw error;
};

const opening = (content: Buffer) => async () => Readable.from([content], { objectMode: false });

/** A moderator, what it logged, and the folder that it works in. */
function moderator(settings: ModerationSettings) {
  const lines: string[] = [];
  const log = makeLogger({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const scratch = temporaryFolder();
  const made = new Moderator(settings, { log, scratch });
  return {
    lines,
    scratch,
    examine: (content: Partial<Moderated> = {}, signal?: AbortSignal) =>
      made.examine({ text: WORDS, pictures: [], ...content }, signal),
  };
}

describe("a moderator", () => {
  it("shows the words, and every picture, small and without metadata, each in a request of its own", async () => {
    await using endpoint = await openModeration();
    const { examine, scratch } = moderator(endpoint.settings);
    const pictures = [opening(photo), opening(photo), opening(photo)];
    expect(await examine({ pictures })).toEqual({ kind: "passed" });
    expect(endpoint.asked.map(({ text }) => text).toSorted()).toEqual(["", "", "", WORDS]);
    for (const { picture } of endpoint.asked.filter(({ text }) => text === "")) {
      const { format, width, height, exif } = await sharp(picture).metadata();
      expect({ format, width, height, exif }).toEqual({ format: "jpeg", width: 512, height: 341 });
    }
    expect(await readdir(scratch)).toEqual([]);
  });

  it("opens no picture and asks nobody for whoever has left already", async () => {
    await using endpoint = await openModeration();
    const { examine } = moderator(endpoint.settings);
    const open = vi.fn<() => Promise<Readable>>(opening(photo));
    await expect(examine({ pictures: [open] }, AbortSignal.abort())).rejects.toThrow("aborted");
    expect(open).not.toHaveBeenCalled();
    expect(endpoint.requests()).toBe(0);
  });

  it("asks about words alone, a picture alone, and nothing at all", async () => {
    await using endpoint = await openModeration();
    const { examine } = moderator(endpoint.settings);
    expect(await examine()).toEqual({ kind: "passed" });
    expect(await examine({ text: " \n", pictures: [opening(photo)] })).toEqual({ kind: "passed" });
    expect(await examine({ text: "" })).toEqual({ kind: "passed" });
    expect(endpoint.asked).toEqual([
      { text: WORDS, picture: undefined },
      { text: "", picture: expect.any(Buffer) },
    ]);
  });

  it("names everything that was flagged anywhere, and what came of the rest", async () => {
    await using endpoint = await openModeration({
      flag: ({ text }) => (text ? ["hate", "sexual"] : ["sexual", "violence"]),
    });
    const { examine } = moderator(endpoint.settings);
    expect(await examine({ pictures: [opening(photo), opening(photo)] })).toEqual({
      kind: "flagged",
      words: ["hate", "sexual"],
      pictures: ["sexual", "violence"],
      rest: { kind: "passed" },
    });
    const rest = { kind: "unseen", code: "media_unreadable", params: {} };
    expect(await examine({ pictures: [opening(photo), opening(Buffer.from("no picture"))] })).toMatchObject({
      kind: "flagged",
      rest,
    });
  });

  it("has at most four requests under way, whoever they are for", async () => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    await using endpoint = await openModeration({ until });
    const { examine } = moderator(endpoint.settings);
    const all = Promise.all(Array.from({ length: 10 }, () => examine()));
    await vi.waitFor(() => expect(endpoint.requests()).toBe(4), PATIENCE_MS);
    resolve();
    for (const verdict of await all) expect(verdict).toEqual({ kind: "passed" });
    expect(endpoint).toMatchObject({ asked: { length: 10 } });
    expect(endpoint.most()).toBeLessThanOrEqual(4);
  });

  it("fails with the signal's reason, also while it waits", async () => {
    await using endpoint = await openModeration({ first: [hang] });
    const { examine, lines } = moderator(endpoint.settings);
    const stop = new AbortController();
    const examining = examine({}, stop.signal);
    await vi.waitFor(() => expect(endpoint.requests()).toBe(1), PATIENCE_MS);
    stop.abort(new Error("enough"));
    await expect(examining).rejects.toThrow("enough");
    await expect(examine({}, stop.signal)).rejects.toThrow("enough");
    expect(lines).toEqual([]);
  });
});

describe("an endpoint that fails for a while", () => {
  it.each([
    ["is busy", json({}, 429, { "retry-after": "0" })],
    ["is broken", json({}, 503)],
    ["hangs up", reset],
    ["breaks off", truncated],
  ])("is asked once more where it %s", async (_, step) => {
    await using once = await openModeration({ first: [step] });
    expect(await moderator(once.settings).examine()).toEqual({ kind: "passed" });
    await using twice = await openModeration({ first: [step, step] });
    expect(await moderator(twice.settings).examine()).toEqual({ kind: "down" });
    expect(twice.requests()).toBe(2);
  });

  it("is not waited for beyond the deadline", async () => {
    const first = [json({}, 429, { "retry-after": "120" })];
    await using endpoint = await openModeration({ first, settings: { timeoutMs: 60_000 } });
    expect(await moderator(endpoint.settings).examine()).toEqual({ kind: "down" });
    expect(endpoint.requests()).toBe(1);
    await using silent = await openModeration({ first: [hang], settings: { timeoutMs: 100 } });
    expect(await moderator(silent.settings).examine()).toEqual({ kind: "down" });
  });
});

describe("an endpoint that the settings are wrong about", () => {
  it.each([
    ["the key is wrong", { key: "sk-wrong-but-secret" }, "REELAY_MODERATION_KEY"],
    ["there is no key", { key: undefined }, "REELAY_MODERATION_KEY"],
    ["the key is no header", { key: "sk-two\nlines-of-it" }, "REELAY_MODERATION_URL"],
    ["the model is unknown", { model: "moderation-9" }, "REELAY_MODERATION_MODEL"],
    ["nobody listens", { url: "http://127.0.0.1:1/v1/moderations" }, "REELAY_MODERATION_URL"],
  ])("is down where %s, and one line says what to check", async (_, settings, named) => {
    await using endpoint = await openModeration({ settings });
    const { examine, lines } = moderator(endpoint.settings);
    const verdict = await examine({ pictures: [opening(photo), opening(photo)] });
    expect(verdict).toEqual({ kind: "down" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(named);
    expect(lines[0]).not.toMatch(/sk-|lines-of-it|dragon|base64/);
  });

  const result = { flagged: false, categories: { violence: false } };
  it.each([
    ["a page", answer(200, "<p>Hello</p>"), "not JSON"],
    ["a chat", json({ choices: [] }), "results"],
    ["no results", json({ results: [] }), "results"],
    ["a flag that is none", json({ results: [{ ...result, flagged: "no" }] }), "results.0.flagged"],
    ["a refusal of what was asked", json({ error: { message: WORDS } }, 400), "status 400"],
    [
      "more than a mebibyte",
      answer(200, JSON.stringify({ results: [result], pad: "x".repeat(2 ** 20) })),
      "1 MiB",
    ],
  ])("is unreadable where it answers %s, and one line says why", async (_, step, why) => {
    await using endpoint = await openModeration({ first: [step, step] });
    const { examine, lines } = moderator(endpoint.settings);
    expect(await examine({ pictures: [opening(photo), opening(photo)] })).toEqual({ kind: "unreadable" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(why);
    expect(lines[0]).not.toMatch(/dragon|Hello|base64/);
    expect(lines[0]).not.toContain(endpoint.settings.key);
  });

  it("is asked with a key that the log knows to leave out", async () => {
    const key = `sk-${crypto.randomUUID()}`;
    await using endpoint = await openModeration({ settings: { key } });
    moderator(endpoint.settings);
    expect(scrub.text(`${key} was refused`)).toBe("[scrubbed] was refused");
  });

  it("is not followed elsewhere", async () => {
    await using elsewhere = await openModeration();
    const step = answer(307, "", { location: elsewhere.settings.url });
    await using endpoint = await openModeration({ first: [step] });
    expect(await moderator(endpoint.settings).examine()).toEqual({ kind: "unreadable" });
    expect(elsewhere.requests()).toBe(0);
  });

  it("lets nothing pass by any JSON, and breaks nothing", async () => {
    let body: unknown;
    await using server = await serve((request, response) => json(body)(request, response));
    const settings = { url: server.origin, model: "any", whenDown: "open", timeoutMs: 60_000 } as const;
    const { examine } = moderator(settings);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        body = value;
        expect(await examine()).toEqual({ kind: "unreadable" });
      }),
      { numRuns: 30 },
    );
  });
});

describe("a picture that cannot be shown", () => {
  it.each([
    ["is no picture", opening(Buffer.from("words")), "media_unreadable", 60_000],
    ["is gone", failing(new ReelayError("media_gone")), "media_gone", 60_000],
    ["fails without a word", failing(new Error("socket")), "moderation_down", 60_000],
    ["is never opened", () => new Promise<Readable>(() => {}), "moderation_down", 300],
    ["never ends", async () => new Readable({ read() {} }), "moderation_down", 300],
  ])("lets nothing pass where it %s, and says so", async (_, open, code, timeoutMs) => {
    await using endpoint = await openModeration({ settings: { whenDown: "open", timeoutMs } });
    const { examine, scratch } = moderator(endpoint.settings);
    expect(await examine({ pictures: [open] })).toEqual({ kind: "unseen", code, params: {} });
    expect(endpoint.asked.map(({ picture }) => picture).filter(Boolean)).toEqual([]);
    await vi.waitFor(async () => expect(await readdir(scratch)).toEqual([]), PATIENCE_MS);
  });

  it("is closed again where it is opened too late", async () => {
    const { promise: late, resolve } = Promise.withResolvers<Readable>();
    const asked = Promise.withResolvers<void>();
    const end = new AbortController();
    const open = () => {
      asked.resolve();
      return late;
    };
    const shown = smallPicture(open, temporaryFolder(), { at: Infinity, signal: end.signal });
    await asked.promise;
    end.abort(new Error("too late"));
    await expect(shown).rejects.toThrow("too late");
    const stream = await opening(photo)();
    resolve(stream);
    await vi.waitFor(() => expect(stream.destroyed).toBe(true), PATIENCE_MS);
  });
});
