import { createHmac } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSigner } from "../../../../src/infrastructure/media/files/signed.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { inProcess } from "../support/process.ts";

async function harness() {
  const path = join(temporaryFolder(), "reelay.db");
  const database = await openDatabase(path);
  return {
    path,
    store: memory(database, "signer"),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const script = new URL("../support/sign.ts", import.meta.url);
const VALUE = { id: "a/b", until: 17, of: ["ü", null] };

describe("a signed text", () => {
  it("is its value again, also after a restart", async () => {
    await using at = await harness();
    const text = await makeSigner(at.store).sign(VALUE);
    expect(text).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(await makeSigner(at.store).verify(text)).toEqual(VALUE);
  });

  it("is signed with one key by all who sign for the first time at once", async () => {
    await using at = await harness();
    const others = Array.from({ length: 3 }, () => inProcess(script, at.path, JSON.stringify(VALUE)));
    const own = [makeSigner(at.store), makeSigner(at.store)].map((signer) => signer.sign(VALUE));
    expect(new Set(await Promise.all([...others, ...own])).size).toBe(1);
  });

  it("is signed with the key of links that were made before", async () => {
    await using at = await harness();
    await at.store.set("key", "ab".repeat(32));
    const value = Buffer.from(JSON.stringify(VALUE)).toString("base64url");
    const signature = createHmac("sha256", "ab".repeat(32)).update(value).digest("base64url");
    expect(await makeSigner(at.store).sign(VALUE)).toBe(`${value}.${signature}`);
  });

  it("cannot be made up or changed", async () => {
    await using at = await harness();
    const signer = makeSigner(at.store);
    const text = await signer.sign(VALUE);
    const [value = "", signature = ""] = text.split(".");
    const other = Buffer.from(JSON.stringify({ ...VALUE, until: 18 })).toString("base64url");
    for (const forged of [
      "",
      ".",
      value,
      signature,
      `${value}.`,
      `.${signature}`,
      `${other}.${signature}`,
      `${value}.${signature.slice(1)}`,
      `${text}.${signature}`,
      `${text}.`,
      `x${text}`,
    ])
      expect(await signer.verify(forged)).toBeUndefined();
  });
});
