import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { contentsIn, fetchFile, Unreached } from "../../../../adapters/kit/files/fetch-file.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { noFile } from "../../../support/platform-answer.ts";

/** A clock that only pauses move. */
function clock(forMs = 20_000) {
  let at = 0;
  const pauses: number[] = [];
  return {
    pauses,
    patience: {
      forMs,
      now: () => at,
      pause: async (ms: number) => {
        pauses.push(ms);
        at += ms;
      },
    },
  };
}

async function* pieces(...texts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const one of texts) {
    if (one instanceof Error) throw one;
    yield Buffer.from(one);
  }
}

/** Opens one after the other; the last again and again. */
function opening(...tries: readonly (() => Promise<AsyncIterable<Uint8Array>>)[]) {
  let next = 0;
  return () =>
    (tries[Math.min(next++, tries.length - 1)] ?? (() => Promise.reject(new Error("Not once."))))();
}

const gone = () => Promise.reject(new ReelayError("media_gone"));

const refused = (pauseMs?: number) => () => Promise.reject(new Unreached("503", { pauseMs }));

describe("a file of a platform", () => {
  it("is tried with growing pauses for a bounded time", async () => {
    const { patience, pauses } = clock();
    await expect(fetchFile(refused(), patience)).rejects.toMatchObject({ code: "media_unreached" });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  });

  it("is waited for as long as its server asks, not longer than it is tried", async () => {
    const { patience, pauses } = clock();
    const found = fetchFile(
      opening(refused(7_000), async () => pieces("all")),
      patience,
    );
    expect(await text(await found)).toBe("all");
    expect(pauses).toEqual([7_000]);
    await expect(fetchFile(refused(60_000), patience)).rejects.toMatchObject({ code: "media_unreached" });
    expect(pauses).toEqual([7_000]);
  });

  it("is read on where its reading broke off", async () => {
    const { patience } = clock();
    const cut = new TypeError("terminated");
    const open = opening(
      async () => pieces("abc", "de", cut),
      async () => pieces("a", cut),
      refused(),
      async () => pieces("abcd", "ef", "gh"),
    );
    expect(await text(await fetchFile(open, patience))).toBe("abcdefgh");
  });

  it("fails while it is read, too, where it breaks off each time", async () => {
    const { patience } = clock();
    const file = await fetchFile(async () => pieces("abc", new TypeError("terminated")), patience);
    await expect(text(file)).rejects.toMatchObject({ code: "media_unreached" });
  });

  it("is not tried again where that cannot help", async () => {
    const { patience, pauses } = clock();
    await expect(fetchFile(gone, patience)).rejects.toMatchObject({ code: "media_gone" });
    expect(pauses).toEqual([]);
  });

  it.each([403, 404, 410, 302])("is not there with %i", async (status) => {
    expect(await contentsIn(noFile(status))).toBeUndefined();
  });

  it.each([408, 429, 500, 503])("may be there another time with %i", async (status) => {
    const answer = noFile(status, { "retry-after": "3" });
    await expect(contentsIn(answer)).rejects.toMatchObject({ name: "Unreached", pauseMs: 3_000 });
  });
});
