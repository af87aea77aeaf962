import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Base64Encoder, base64Length } from "../../../../src/infrastructure/api/transport/base64.ts";

describe("Base64Encoder", () => {
  it("answers as Buffer does, however the bytes are cut", async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(chunks, async (parts) => {
        const buffers = parts.map((part) => Buffer.from(part));
        const whole = Buffer.concat(buffers);
        const encoded = await text(Readable.from(buffers).pipe(new Base64Encoder()));
        expect(encoded).toBe(whole.toString("base64"));
        expect(encoded).toHaveLength(base64Length(whole.length));
      }),
    );
  });

  it("does not depend on memory that its source reuses", async () => {
    const encoder = new Base64Encoder();
    const chunk = Buffer.from("abcd");
    encoder.write(chunk);
    chunk.fill(0);
    encoder.end();
    expect(await text(encoder)).toBe(Buffer.from("abcd").toString("base64"));
  });
});
