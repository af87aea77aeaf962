import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitJson } from "../../../../adapters/http/body/split-json.ts";

const FILE = 40_000;

async function* cut(text: string | Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** What is left, each file replaced by "#<its number>", and the files' contents. */
async function split(text: string | Buffer, sizes: readonly number[] = [65_536]) {
  let left = Buffer.alloc(0);
  const files: string[] = [];
  let open = false;
  for await (const { kind, bytes } of splitJson(cut(text, sizes))) {
    if (kind === "text") {
      left = Buffer.concat([left, bytes]);
    } else if (kind === "end") {
      left = Buffer.concat([left, Buffer.from(`#${files.length - 1}`)]);
      open = false;
    } else {
      if (!open) files.push("");
      open = true;
      files[files.length - 1] += bytes.toString("latin1");
    }
  }
  return { left: left.toString(), files };
}

const sizes = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 8 });
const fileText = fc
  .tuple(fc.constantFrom("", "data:image/png;base64,"), fc.integer({ min: FILE, max: 3 * FILE }))
  .map(([head, length]) => head + "QUJD".repeat(Math.ceil(length / 4)));

describe("JSON whose files are taken out", () => {
  it("is the same JSON, but for the files, wherever it is cut into chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ noUnicodeString: false }),
        fc.array(fileText, { maxLength: 3 }),
        sizes,
        fc.constantFrom(undefined, 1, "\t"),
        async (value, files, sizes, indent) => {
          const whole = JSON.stringify({ value, files, 'key " \\ ': 'ü \u2028 \\" \n' }, undefined, indent);
          const { left, files: found } = await split(whole, sizes);
          expect(found).toEqual(files);
          const placeholders = files.map((_, index) => `#${index}`);
          expect(JSON.parse(left)).toEqual(
            JSON.parse(JSON.stringify({ value, files: placeholders, 'key " \\ ': 'ü \u2028 \\" \n' })),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is left byte for byte as it is where it has no files, JSON or not", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: fc.constantFrom('"', "\\", "{", "ü", "a", "\n", "/"), maxLength: 400 }),
          fc.string(),
        ),
        sizes,
        async (text, sizes) => {
          expect((await split(text, sizes)).left).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ["prose", "It was a dark and stormy night, wasn't it? ".repeat(2_000)],
    ["20,000 characters of three bytes", "漢".repeat(20_000)],
    ["20,000 letters, each escaped", "\\u0041".repeat(20_000)],
    ["19,999 line breaks and a letter", `${"\\n".repeat(19_999)}A`],
  ])("keeps what may be a text: %s", async (_, text) => {
    const whole = `{"prompt":"${text}"}`;
    expect(await split(whole)).toEqual({ left: whole, files: [] });
  });

  it.each([
    ["escaped slashes", "AB\\/+".repeat(10_000)],
    ["escaped plus signs", "ABCDEFGHIJKLMN\\u002B=".repeat(3_000)],
    ["escaped line breaks", `${"QUJD".repeat(19)}\\r\\n`.repeat(600)],
    ["a head in capitals", `DATA:IMAGE/PNG;BASE64,${"QUJD".repeat(10_000)}`],
  ])("takes out base64 with %s, escapes and all", async (_, text) => {
    expect(await split(`["${text}"]`, [997])).toEqual({ left: '["#0"]', files: [text] });
  });

  it("gives away what it looked at where a string never ends", async () => {
    expect(await split('["QUJD', [1])).toEqual({ left: '["QUJD', files: [] });
    const file = "A".repeat(FILE);
    expect(await split(`["${file}`)).toEqual({ left: '["', files: [file] });
  });
});
