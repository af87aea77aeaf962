import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { decide } from "../../../../src/domain/policy/decision.ts";
import { readOperatorWords } from "../../../../src/domain/policy/words/operator-words.ts";
import { Patterns } from "../../../../src/domain/policy/words/patterns.ts";
import { DEFAULTS, USUAL } from "../../../../tools/docs/situation.ts";
import { ConfigError } from "../../../../src/common/config-error.ts";
import { ALLOWED } from "../prompts.ts";
import { DISGUISES, WORD_DISGUISES } from "../disguises.ts";

const folder = mkdtempSync(join(tmpdir(), "reelay-words-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, "words.txt");

/** The rules of a file. */
function rulesOf(content: string | Uint8Array) {
  writeFileSync(file, content);
  return readOperatorWords([], file);
}

/** What is wrong with a list and a file. */
function mistakesOf(content: string | Uint8Array | undefined, inline: readonly string[] = []) {
  if (content !== undefined) writeFileSync(file, content);
  try {
    readOperatorWords(inline, content === undefined ? undefined : file);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes;
  }
}

describe("the operator's words", () => {
  const words = readOperatorWords(["dragon", "Blöd", "ass", "red bull"], undefined);

  it.each([
    "a DRAGON",
    "drаgоn, in Cyrillic",
    "dra\u200Bgon",
    "dr4gon",
    "dr@g0n!",
    "d r a g o n",
    "d.r.a.g.o.n",
    "dra gon",
    "drrraaagon",
    "bloed",
    "BLÖD",
    "kiss my ass",
    "red-bull",
    "Red Bull",
  ])("are found however they are spelt: %s", (text) => {
    expect(words.find(text)).toEqual({});
  });

  it.each([
    "a dragonfly",
    "drag on and on",
    "dragons, as inflection is not guessed",
    "first class bass, grass and brass",
    "as soon as she asks",
    "a red ball, a bull",
    "Blödsinn",
  ])("are not found in other words: %s", (text) => {
    expect(words.find(text)).toBeUndefined();
  });

  it("are found in every disguise", () => {
    const disguises = Object.values({ ...DISGUISES, ...WORD_DISGUISES });
    const texts = fc.constantFrom("dragon", "red bull");
    fc.assert(
      fc.property(texts, fc.constantFrom(...disguises), fc.nat(), (text, disguise, seed) => {
        expect(words.find(`Slow zoom. ${disguise(text, seed)}. Golden hour`)).toEqual({});
      }),
    );
  });

  it("are none when none are set", () => {
    const none = readOperatorWords([], undefined);
    for (const text of ["", ...ALLOWED]) expect(none.find(text)).toBeUndefined();
  });
});

describe("a file of them", () => {
  it("holds words, phrases and patterns, and tells which line fits", async () => {
    const rules = rulesOf(
      "\uFEFF# Ours\r\ndragon\r\n\r\n  red bull  \r\n/\\bwizards?\\b/\r\n/^secret: \\d+$/\r\n",
    );
    expect(rules.find("a dr4gon")).toEqual({ line: 2 });
    expect(rules.find("Red  Bull")).toEqual({ line: 4 });
    expect(await rules.findPattern("two WIZARDS")).toEqual({ line: 5 });
    expect(await rules.findPattern("two wizаrds, in Cyrillic")).toEqual({ line: 5 });
    expect(await rules.findPattern("a line\nsecret: 12\nand another")).toEqual({ line: 6 });
    expect(await rules.findPattern("a wizardry, secret: none")).toBeUndefined();
    expect(rules.find("a wizardry, secret: none")).toBeUndefined();
  });

  it("tells of every line that does not parse, with the parser's words", () => {
    expect(mistakesOf("dragon\n/(/\n🐉\n/a\n//\n/a*/\n/(?=a)/\n").map(({ found }) => found)).toEqual([
      "line 2: /(/: missing closing )",
      "line 3: 🐉: neither letters nor digits",
      "line 4: /a: a pattern stands between two slashes",
      "line 5: //: a pattern stands between two slashes",
      "line 6: /a*/: fits every text",
      "line 7: /(?=a)/: invalid or unsupported Perl syntax",
    ]);
  });

  it("is no folder, pipe or device, which would be read without end", () => {
    for (const path of ["/dev/zero", import.meta.dirname])
      expect(() => readOperatorWords([], path)).toThrow(`${path}: not a file`);
  });

  it("tells of twenty at most", () => {
    const mistakes = mistakesOf("/(/\n".repeat(25));
    expect(mistakes).toHaveLength(21);
    expect(mistakes[20]?.found).toBe("and 5 more");
  });

  it.each([
    ["is not UTF-8", new Uint8Array([0x64, 0xff, 0x0a]), "not UTF-8"],
    ["is too large", "a".repeat(1024 * 1024 + 1), "1048577 bytes"],
    ["has too many lines", "a\n".repeat(10_001), "10001 lines"],
  ])("is refused when it %s", (_, content: string | Uint8Array, found) => {
    expect(mistakesOf(content)).toEqual([
      {
        setting: "REELAY_WORDS_FILE",
        found: `${file}: ${found}`,
        wanted: "a text file in UTF-8 of at most 1 MiB and 10000 lines",
      },
    ]);
  });

  it("is refused when it is missing, or a folder", () => {
    expect(() => readOperatorWords([], join(folder, "none"))).toThrow(/REELAY_WORDS_FILE: found .*ENOENT/);
    expect(() => readOperatorWords([], folder)).toThrow(/REELAY_WORDS_FILE: found .*not a file/);
  });

  it("may have as many lines as it may, each found by its own", () => {
    const rules = rulesOf(Array.from({ length: 10_000 }, (_, index) => `${spelled(index)}\n`).join(""));
    expect(rules.find(`a ${spelled(9_999)} b`)).toEqual({ line: 10_000 });
  });
});

/** A word of its own for each number. */
const spelled = (index: number) =>
  `x${String(index).replaceAll(/\d/g, (digit) => `${"bcdfghjklm".charAt(Number(digit))}a`)}`;

describe("the list of them", () => {
  it("is refused for what is no word", () => {
    expect(mistakesOf(undefined, ["dragon", "!!", "/a/"])).toEqual([
      { setting: "REELAY_BLOCKED_WORDS", found: '"!!": neither letters nor digits', wanted: "words" },
      {
        setting: "REELAY_BLOCKED_WORDS",
        found: '"/a/": patterns stand in REELAY_WORDS_FILE',
        wanted: "words",
      },
    ]);
  });
});

describe("patterns", () => {
  it("have a thread only where there are any", async () => {
    let threads = 0;
    const count = () => (threads += 1);
    process.on("worker", count);
    onTestFinished(() => void process.off("worker", count));
    expect(await new Patterns([], 600_000).find("a dragon")).toBeUndefined();
    expect(threads).toBe(0);
    expect(await new Patterns(["dragon"], 600_000).find("a dragon")).toBe(0);
    expect(threads).toBe(1);
  });

  it("are looked for in one text after the other", async () => {
    const patterns = new Patterns(["dragon"], 600_000);
    const texts = ["a dragon", "a lake", "a dragon"];
    expect(await Promise.all(texts.map((text) => patterns.find(text)))).toEqual([0, undefined, 0]);
  });
});

describe("hostile patterns", () => {
  it.each(["(a+)+$", "(x+x+)+y", "(a?){50}a{50}b", "(.*a){20}b"])(
    "are looked for to the end where there is time: %s",
    async (source: string) => {
      const patterns = new Patterns([source], 600_000);
      expect(await patterns.find(`${"a".repeat(2_000)} b`)).toBeUndefined();
    },
  );

  it("are given up where they take longer than they may, and the next text is read", async () => {
    // Hours of work, whatever the machine.
    const slow = Array.from(
      { length: 200 },
      (_, index) => `(.*a){200}[b-${String.fromCharCode(99 + (index % 20))}]`,
    );
    const patterns = new Patterns([...slow, "dragon"], 1_000);
    const threads: Worker[] = [];
    const note = (thread: Worker) => threads.push(thread);
    process.once("worker", note);
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    expect(await patterns.find("a".repeat(20_000))).toBe("late");
    clearInterval(ticking);
    // It has ended, and the work with it.
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
    // Meanwhile the main loop went on.
    expect(turns).toBeGreaterThan(1);
    await expect.poll(() => patterns.find("a dragon")).toBe(slow.length);
  });

  it("are late when they could not be told in time: that is refused", async () => {
    expect(decide({ ...USUAL, pattern: "late" }, DEFAULTS)).toMatchObject({ code: "words_unread" });
    expect(decide({ ...USUAL, pattern: { line: 5 } }, DEFAULTS)).toMatchObject({
      code: "words_blocked",
      params: { line: 5 },
    });
  });
});
