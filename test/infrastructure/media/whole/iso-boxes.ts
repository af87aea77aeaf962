/** A box of ISO media: how long it is, its name, and what is in it. */
export function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const inside = Buffer.concat(content);
  return Buffer.concat([numbers(8 + inside.length), Buffer.from(type, "latin1"), inside]);
}

/** A box that tells its length in 64 bits. */
export function largeBox(type: string, ...content: readonly Uint8Array[]): Buffer {
  const inside = Buffer.concat(content);
  return Buffer.concat([numbers(1), Buffer.from(type, "latin1"), numbers(0, 16 + inside.length), inside]);
}

/** Numbers of 32 bits, one after the other; negative ones as two's complements. */
export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

/** So many bytes that nobody reads. */
export const filler = (bytes: number) => Buffer.alloc(bytes, 0xee);

/** What a description of samples has before its boxes. */
const ENTRY_BYTES = 78;

/** A box of the description of a codec's samples, with what it says of it. */
export const description = (codec: string, ...about: readonly Buffer[]) =>
  box("stsd", numbers(0, 1), box(codec, filler(ENTRY_BYTES), ...about));

/** A track: whose it is, what it shows, and the tables of its samples. */
export const track = (id: number, handler: string, ...tables: readonly Buffer[]) =>
  box(
    "trak",
    box("tkhd", numbers(0, 0, 0, id, 0)),
    box(
      "mdia",
      box("hdlr", numbers(0, 0), Buffer.from(handler, "latin1"), filler(12)),
      box("minf", box("stbl", ...tables)),
    ),
  );

/** Sizes of samples, each by itself. */
export const sizes = (...bytes: readonly number[]) => box("stsz", numbers(0, 0, bytes.length, ...bytes));

/** Where chunks begin. */
export const chunks = (...places: readonly number[]) => box("stco", numbers(0, places.length, ...places));

/** From which chunk on there are how many samples in each. */
export const runs = (...pairs: readonly (readonly [number, number])[]) =>
  box("stsc", numbers(0, pairs.length, ...pairs.flatMap(([chunk, samples]) => [chunk, samples, 1])));

/** What AVC says of its samples: bytes of the numbers that divide them. */
export const avcC = (lengthBytes: number) =>
  box("avcC", Buffer.from([1, 0x64, 0, 31, 0xfc | (lengthBytes - 1), 0xe1]));

/** Samples of one size, of which there are so many. */
export const alike = (bytes: number, count: number) => box("stsz", numbers(0, bytes, count));
