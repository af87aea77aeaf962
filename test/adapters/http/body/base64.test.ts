import * as fc from "fast-check";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { decoded, unescaped } from "../../../../adapters/http/body/base64.ts";

const decode = (...pieces: string[]) => buffer(decoded(pieces));

async function* chunks(text: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

const fromJson = (text: string, size = 1_000) => buffer(decoded(unescaped(chunks(text, size))));

describe("base64 as it comes", () => {
  it("is decoded wherever it is cut, with line breaks, padded or not", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        fc.boolean(),
        async (bytes, size, padded, broken) => {
          let text = Buffer.from(bytes).toString("base64");
          if (!padded) text = text.replace(/=+$/, "");
          if (broken) text = text.replaceAll(/.{7}/g, "$&\r\n");
          const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
          expect(await decode(...pieces)).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });

  it("is read from JSON strings, whatever of it is escaped and wherever that is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(/\//g, /[+/=]/g, /./g),
        fc.boolean(),
        async (bytes, size, which, hex) => {
          const escape = (letter: string) =>
            letter === "/" && !hex ? "\\/" : `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
          const text = Buffer.from(bytes).toString("base64").replaceAll(which, escape);
          expect(JSON.parse(`"${text}"`)).toBe(Buffer.from(bytes).toString("base64"));
          expect(await fromJson(text, size)).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });

  it("may be a data URI of any type that is base64", async () => {
    expect(String(await decode("data:image/png;base64,aGVsbG8="))).toBe("hello");
    expect(String(await decode("data:;base64,aGVsbG8="))).toBe("hello");
    expect(String(await fromJson("data:image\\/png;base64,aGVsbG8="))).toBe("hello");
  });

  it.each([
    "",
    "data:image/png;base64,",
    "data:image/png,hello",
    "A",
    "=",
    "====",
    "QUJD=",
    "QUJD====",
    "QQ==QQ==",
    "Q=Q=",
    "QUJD-_",
    "QUJD.",
    "QUJD QUJD",
    "hello there!",
    "QUJDü",
    "https://example.com/photo.jpg",
  ])("refuses everything else: %j", async (text) => {
    await expect(decode(text)).rejects.toMatchObject({ code: "field_not_file" });
    await expect(decode(...text.split(""))).rejects.toMatchObject({ code: "field_not_file" });
  });

  it.each(["QUJD\n", "QU\\JD", 'QUJD\\"', "QUJD\\\\", "QUJD\\b", "QUJD\\u00e9", "QUJD\\u12", "QUJD\\"])(
    "refuses what JSON would not take, or base64 has not: %j",
    async (text) => {
      await expect(fromJson(text)).rejects.toMatchObject({ code: "field_not_file" });
      await expect(fromJson(text, 1)).rejects.toMatchObject({ code: "field_not_file" });
    },
  );
});
