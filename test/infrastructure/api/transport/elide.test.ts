import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutLongStrings } from "../../../../src/infrastructure/api/transport/elide.ts";

const LIMIT = 20;

/** The same value with its long strings emptied, the slow way. */
function elided(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) => (isLong(one) ? "" : one));
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && Buffer.byteLength(JSON.stringify(value)) - 2 > LIMIT;
}

async function passed(json: string, cuts: readonly number[]): Promise<unknown> {
  const bytes = Buffer.from(json);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
  const out: Buffer[] = [];
  for await (const piece of withoutLongStrings(toAsync(chunks), LIMIT)) out.push(piece);
  return JSON.parse(Buffer.concat(out).toString("utf8"));
}

async function* toAsync(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

describe("withoutLongStrings", () => {
  it("empties exactly the long strings, however the answer is cut", async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constant('quote " and \\ and \\"'),
      fc.constant("ą😀"),
    );
    const value = fc.array(fc.record({ id: text, n: fc.double(), url: text, list: fc.array(text) }));
    await fc.assert(
      fc.asyncProperty(value, fc.array(fc.nat()), async (record, cuts) => {
        expect(await passed(JSON.stringify(record), cuts)).toEqual(elided(record));
      }),
    );
  });
});
