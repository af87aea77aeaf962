import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMediaFiles } from "../../../../src/infrastructure/media/files/files.ts";
import { LINKS_PATH, openLinks } from "../../../../src/infrastructure/media/files/links.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

async function harness() {
  const folder = temporaryFolder();
  const database = await openDatabase(join(folder, "reelay.db"));
  const files = await openMediaFiles(join(folder, "media"));
  const { id } = await files.put(Readable.from([Buffer.from("a film")]), 1_000);
  const open = () => openLinks(files, memory(database, "links"));
  const made = await open().make({ id, name: "film.mp4", type: "video/mp4" }, 60_000);
  return {
    id,
    files,
    open,
    made: made.slice(LINKS_PATH.length),
    get: async (path: string, headers: Record<string, string> = {}) =>
      open().routes.request(path, { headers }),
    /** What was never used for links. */
    fresh: memory(database, "fresh"),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("a link to a file", () => {
  it("gives the file to whoever has it, also after a restart", async () => {
    await using at = await harness();
    const answer = await at.get(at.made);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("a film");
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(answer.headers.get("content-disposition")).toContain("film.mp4");
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  it("gives a part of it to a player that seeks", async () => {
    await using at = await harness();
    const answer = await at.get(at.made, { range: "bytes=2-3" });
    expect(answer.status).toBe(206);
    expect(await answer.text()).toBe("fi");
  });

  it("gives all of it where the part is to be of a version, by which no file is called (RFC 9110, 13.1.5)", async () => {
    await using at = await harness();
    for (const version of ['"x"', "Fri, 27 Nov 2026 15:00:00 GMT"]) {
      const answer = await at.get(at.made, { range: "bytes=2-3", "if-range": version });
      expect(answer.status).toBe(200);
      expect(answer.headers.has("content-range")).toBe(false);
      expect(await answer.text()).toBe("a film");
    }
  });

  it("expires", async () => {
    await using at = await harness();
    vi.setSystemTime(Date.now() + 60_001);
    const answer = await at.get(at.made, { "accept-language": "de-AT,de;q=0.9" });
    expect(answer.status).toBe(410);
    expect(await answer.text()).toContain("abgelaufen");
  });

  it("ends when it is revoked, with its file and every other link to it", async () => {
    await using at = await harness();
    const again = await at.open().make({ id: at.id, name: "again.mp4", type: "video/mp4" }, 60_000);
    await at.open().revoke(`https://reelay.example${LINKS_PATH}/forged/signature`);
    expect((await at.get(at.made)).status).toBe(200);
    await at.open().revoke(`https://reelay.example${again}`);
    await at.open().revoke(`https://reelay.example${again}`);
    expect((await at.get(at.made)).status).toBe(404);
    expect((await at.get(again.slice(LINKS_PATH.length))).status).toBe(404);
    await expect(at.files.stat(at.id)).rejects.toMatchObject({ code: "media_gone" });
  });

  it("keeps the file until its last link has expired, and no longer", async () => {
    await using at = await harness();
    await at.open().make({ id: at.id, name: "again.mp4", type: "video/mp4" }, 90_000);
    vi.setSystemTime(Date.now() + 60_001);
    await at.open().sweep();
    expect(await at.files.stat(at.id)).toEqual({ bytes: 6 });
    vi.setSystemTime(Date.now() + 30_000);
    await at.open().sweep();
    await expect(at.files.stat(at.id)).rejects.toMatchObject({ code: "media_gone" });
  });

  it("is signed with one key, also where two are made at the same time for the first time", async () => {
    await using at = await harness();
    const links = openLinks(at.files, at.fresh);
    const film = { id: at.id, name: "film.mp4", type: "video/mp4" };
    for (const made of await Promise.all([links.make(film, 1_000), links.make(film, 1_000)]))
      expect((await links.routes.request(made.slice(LINKS_PATH.length))).status).toBe(200);
  });

  it("cannot be made up, nor changed into one for another file or a longer time", async () => {
    await using at = await harness();
    const [, shared = "", signature = ""] = at.made.split("/");
    const forged = Buffer.from(
      JSON.stringify({ id: at.id, name: "x", type: "text/html", until: Number.MAX_SAFE_INTEGER }),
    ).toString("base64url");
    for (const path of [
      `/${forged}/${signature}`,
      `/${shared}/${signature.slice(1)}`,
      `/${shared}/x`,
      `/${shared}`,
    ])
      expect((await at.get(path)).status).toBe(404);
  });

  it("to a file that was removed leads nowhere", async () => {
    await using at = await harness();
    await at.files.remove(at.id);
    const answer = await at.get(at.made);
    expect(answer.status).toBe(404);
    expect(answer.headers.has("content-disposition")).toBe(false);
  });
});
