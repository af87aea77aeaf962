import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IncomingFiles } from "../../../../adapters/http/body/incoming-files.ts";
import { type Misplaced, readJson } from "../../../../adapters/http/body/read-json.ts";
import { storeText } from "../../../../adapters/http/body/store-text.ts";
import { bodyHarness, idOf } from "../body-harness.ts";

/** More than is looked at of a string before it is taken for a file or a text. */
const HEAD = 32 * 1_024;

/** What may be in a string that is nearly base64. */
const BLANKS = ["", "\r\n", "\t", " ", ".", "é"];

/** A string, as it is to be understood: the file that it is, undefined where it is none. */
const strings = fc
  .record({
    bytes: fc
      .integer({ min: 20_000, max: 60_000 })
      .map((length) => Buffer.alloc(length, "Reelay makes films")),
    head: fc.constantFrom("", "data:image/png;base64,", "DATA:;base64,", "data:text/plain,"),
    blank: fc.constantFrom(...BLANKS),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    isPadded: fc.boolean(),
    more: fc.constantFrom("", "A", "AAAAA"),
  })
  .map(({ bytes, head, blank, at, isPadded, more }) => {
    const base64 = bytes.toString("base64");
    const text = (isPadded ? base64 : base64.replace(/=+$/, "")) + more;
    const place = Math.round(at * text.length);
    const isBroken = blank === " " || blank === "." || blank === "é" || head === "data:text/plain,";
    const whole = text.replace(/=+$/, "");
    const isFile = !isBroken && !(more && text.includes("=")) && whole.length % 4 !== 1;
    return {
      text: head + text.slice(0, place) + blank + text.slice(place),
      file: isFile ? Buffer.from(text, "base64") : undefined,
    };
  });

/** Says of every field but the picture that its text is too long. */
const misplaced: Misplaced = (_, [field = ""]) =>
  field === "prompt" ? { field, code: "field_too_long", params: {} } : undefined;

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("a long string", () => {
  it("is a file where it is base64, and else none, wherever it has what is not; as text it is never a file that is wrong", async () => {
    await using at = await bodyHarness();
    const read = async (field: string, text: string, size: number) => {
      const files = new IncomingFiles(at.files, at.hold);
      const said = await readJson(pieces(JSON.stringify({ [field]: text }), size), files, misplaced).catch(
        (error: { readonly code: string }) => error.code,
      );
      if (typeof said === "string") return said;
      const given = String(Reflect.get(Object(said), field));
      // What was left as text is looked at where its field is known.
      const stored =
        files.stored.get(given) ??
        (await storeText(field, given, at.files, at.hold).catch(
          (error: { readonly code: string }) => error.code,
        ));
      return { text: given === text, stored: typeof stored === "string" ? stored : stored.id };
    };
    await fc.assert(
      fc.asyncProperty(strings, fc.integer({ min: 1_000, max: 2 * HEAD }), async ({ text, file }, size) => {
        const asPicture = await read("image", text, size);
        const found = typeof asPicture === "string" ? asPicture : asPicture.stored;
        expect(found).toBe(file ? idOf(file) : "field_not_file");
        const asText = await read("prompt", text, size);
        // What was left as text is judged where its bounds are known.
        expect(["field_too_long", "left"]).toContain(typeof asText === "string" ? asText : "left");
      }),
      { numRuns: 150 },
    );
  });
});
