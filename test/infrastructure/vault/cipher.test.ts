import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyIdOf, open, seal } from "../../../src/infrastructure/vault/cipher.ts";
import { makeKeyring } from "../../../src/infrastructure/vault/keyring.ts";

const [a, b, both] = [
  ["the first secret"],
  ["the second secret"],
  ["the second secret", "the first secret"],
].map(makeKeyring);
if (!a || !b || !both) throw new Error("no rings");

const unreadable = expect.objectContaining({ code: "key_unreadable" });

describe("an envelope", () => {
  it("opens for its owner, under any ring that has its key", () => {
    const property = fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      (owner, text) => {
        const envelope = seal(a, owner, text);
        expect(open(a, owner, envelope)).toBe(text);
        expect(open(both, owner, envelope)).toBe(text);
        expect(keyIdOf(seal(both, owner, text))).toBe(b.newest.id);
        expect(() => open(b, owner, envelope)).toThrow(unreadable);
      },
    );
    fc.assert(property);
  });

  it("does not open for anyone else", () => {
    const property = fc.property(fc.string(), fc.string(), fc.string(), (owner, other, text) => {
      fc.pre(owner !== other);
      expect(() => open(a, other, seal(a, owner, text))).toThrow(unreadable);
    });
    fc.assert(property);
  });

  it("does not open when any bit of it was changed, cut off or added", () => {
    const property = fc.property(fc.string(), fc.nat(), fc.nat(7), (text, position, bit) => {
      const bytes = Buffer.from(seal(a, "web:a", text));
      const at = position % bytes.length;
      const cut = bytes.subarray(0, at).toString("latin1");
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      for (const changed of [bytes.toString("latin1"), cut, `${seal(a, "web:a", text)}A`])
        expect(() => open(a, "web:a", changed)).toThrow(unreadable);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it("is never the same twice", () => {
    expect(seal(a, "web:a", "key")).not.toBe(seal(a, "web:a", "key"));
  });
});
