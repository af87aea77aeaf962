import { NotWhole } from "./reading.ts";

/** Boxes of ISO media that lie in another one (ISO/IEC 14496-12, section 4.2), by their names. */
export class Boxes {
  readonly #found = new Map<string, Buffer[]>();

  /** @throws NotWhole where they do not add up to what they lie in */
  constructor(content: Buffer) {
    for (let at = 0; content.length - at >= 8;) {
      const { type, head, bytes } = boxAt(content.subarray(at, at + 16), content.length - at);
      if (bytes < head || at + bytes > content.length) throw new NotWhole("Its tables cannot be read.");
      this.#found.set(type, [...this.all(type), content.subarray(at + head, at + bytes)]);
      at += bytes;
    }
  }

  all(type: string): readonly Buffer[] {
    return this.#found.get(type) ?? [];
  }

  /** What is in the first of a name; undefined where there is none. */
  one(type: string): Buffer | undefined {
    return this.all(type)[0];
  }

  /** The boxes in the first of a name; none where there is none. */
  in(type: string): Boxes {
    return new Boxes(this.one(type) ?? Buffer.alloc(0));
  }
}

/**
 * How a box begins.
 * @param start of it: 16 bytes, or 8 where no more follow
 * @param left how many bytes there are from its start on, for one that goes on to the end
 * @returns how many bytes come before its content, and all of them
 */
export function boxAt(start: Buffer, left: number): { type: string; head: number; bytes: number } {
  const type = start.toString("latin1", 4, 8);
  const bytes = start.readUInt32BE(0);
  if (bytes === 0) return { type, head: 8, bytes: left };
  if (bytes !== 1 || start.length < 16) return { type, head: 8, bytes };
  return { type, head: 16, bytes: Number(start.readBigUInt64BE(8)) };
}
