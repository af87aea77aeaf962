import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { MAX_ANSWER_BYTES, readAnswer } from "../../../../src/infrastructure/api/transport/answer.ts";
import { ServiceFailure } from "../../../../src/infrastructure/api/transport/errors.ts";

/** What is understood of an answer that comes in two pieces. */
function read(text: string) {
  const bytes = Buffer.from(text);
  const half = Math.ceil(bytes.length / 2);
  const body = Readable.from([bytes.subarray(0, half), bytes.subarray(half)]);
  return readAnswer({ paid: false, status: 200, headers: {}, body, requestId: "r" }, "a key");
}

/** An answer of so many bytes. */
const long = (bytes: number) => `{"tokens":${"1".padStart(bytes - 11)}}`;

it("an answer is read up to 32 MiB, and understood no further", async () => {
  const most = 32 * 2 ** 20;
  expect(MAX_ANSWER_BYTES).toBe(most);
  expect(await read(long(most))).toEqual({ tokens: 1 });
  await expect(read(long(most + 1))).rejects.toMatchObject({ status: 200, requestId: "r" });
});

it("an answer that is no object is none of the service", async () => {
  for (const text of ["", "[1]", "null", "1", '"tokens"', "{"])
    await expect(read(text)).rejects.toBeInstanceOf(ServiceFailure);
});
