import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cat, isResult } from "./making-harness.ts";
import { harness } from "./harness.ts";

const CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback";
const EDIT = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original";

/** Logs whatever there is to log. */
const settings = { REELAY_LOG_LEVEL: "debug" };

/** What is in all files of a folder; a result's own file is gone as soon as it is sent. */
async function contentsOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map((file) => readFile(file, "latin1").catch(() => "")));
}

describe("a key that was given in a modal", () => {
  it("is in no file, no log line, no message and no call, whether it works or not", async () => {
    await using at = await harness({ paid: false, settings });
    const keys = [at.sandbox.keys.pro, `${at.sandbox.keys.pro.slice(0, -3)}xyz`];
    const ann = at.discord.person({ name: "Ann" });
    await at.stated([ann]);
    for (const key of keys.toReversed()) {
      await ann.uses("/connect");
      await ann.submitsModal({ "API key": key });
      await ann.sees(/Your key works|does not know this key/, { fresh: true });
    }
    await ann.uses("/make video", { image: cat, prompt: "waves" });
    await ann.presses(/^Make it/);
    await ann.sees(isResult);
    // What is worked on goes while it is read.
    const scratch = () => readdir(join(at.data, "scratch"), { recursive: true }).catch((): string[] => []);
    const kinds = async () =>
      (await scratch()).map((name) => name.replace(/^[\da-f-]{36}/, "own")).toSorted();
    await expect.poll(kinds).toEqual(["own", "own.lock"]);
    const files = await contentsOf(at.data);
    expect(files.join("")).toContain("SQLite format 3");
    const places = [...files, ...at.lines, JSON.stringify(ann.chat()), JSON.stringify(at.discord.calls())];
    for (const key of keys) expect(places.filter((place) => place.includes(key))).toEqual([]);
  });
});

describe("the token of an interaction", () => {
  it("is in no log line, whatever goes wrong with it", async () => {
    // An answer that never comes is waited for.
    await using at = await harness({ settings, timeScale: 1 });
    const { discord } = at;
    const ann = discord.person({ name: "Ann" });
    for (const kind of ["internal", "bad gateway", "reset before", "reset after"] as const) {
      discord.fails(EDIT, { kind }, 4);
      await ann.uses("/balance");
    }
    discord.fails(CALLBACK, { kind: "bad gateway" }, 4);
    await expect(ann.uses("/balance")).rejects.toThrow("did not respond");
    await expect.poll(() => at.lines.join("")).toContain("was not answered");
    await expect.poll(() => at.lines.join("")).toContain("was not taken by its platform");
    for (const { token } of discord.interactions()) expect(at.lines.join("")).not.toContain(token);
  });
});
