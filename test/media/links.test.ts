import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMediaFiles } from "../../src/media/files.ts";
import { LINKS_PATH, openLinks } from "../../src/media/links.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { memory } from "../../src/storage/key-value.ts";
import { temporaryFolder } from "../support/sandbox.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

async function stage() {
  const folder = temporaryFolder();
  const database = await openDatabase(join(folder, "reelay.db"));
  const files = await openMediaFiles(join(folder, "media"));
  const { id } = await files.put(Readable.from([Buffer.from("a film")]), 1_000);
  const open = () => openLinks(files, memory(database, "links"));
  const made = await open().make({ id, name: "film.mp4", type: "video/mp4" }, 60_000);
  return {
    id,
    files,
    made: made.slice(LINKS_PATH.length),
    get: async (path: string, headers: Record<string, string> = {}) =>
      open().routes.request(path, { headers }),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("a link to a file", () => {
  it("gives the file to whoever has it, also after a restart", async () => {
    await using at = await stage();
    const answer = await at.get(at.made);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("a film");
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(answer.headers.get("content-disposition")).toContain("film.mp4");
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  it("gives a part of it to a player that seeks", async () => {
    await using at = await stage();
    const answer = await at.get(at.made, { range: "bytes=2-3" });
    expect(answer.status).toBe(206);
    expect(await answer.text()).toBe("fi");
  });

  it("expires", async () => {
    await using at = await stage();
    vi.setSystemTime(Date.now() + 60_001);
    expect((await at.get(at.made)).status).toBe(410);
  });

  it("cannot be made up, nor changed into one for another file or a longer time", async () => {
    await using at = await stage();
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
    await using at = await stage();
    await at.files.remove(at.id);
    expect((await at.get(at.made)).status).toBe(404);
  });
});
