import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GOING_ON } from "../../../src/domain/jobs/row.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { person } from "../../support/surface.ts";
import { history, post } from "./support/client.ts";
import { startWhole, type WholeSite } from "./support/whole.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

let site: WholeSite;
beforeEach(async () => {
  site = await startWhole();
});
afterEach(() => site[Symbol.asyncDispose]());

const WORDS = ["a zebra in a bathtub", "a walrus on a swing"] as const;
const [ZEBRA, WALRUS] = WORDS;
const said = async () => JSON.stringify(await history(site.url));
const command = (name: string, values: object = {}, more: object = {}) =>
  post(site.url, `/web/command/${name}`, { values, ...more });
const act = (token: string) => post(site.url, "/web/act", { token });

async function results() {
  return (await history(site.url)).flatMap(({ body }) => (body.kind === "result" ? body.job : []));
}

/** Makes something for each of these words. Resolves with their jobs. */
async function make(...prompts: readonly string[]): Promise<readonly string[]> {
  for (const prompt of prompts)
    await command("image", { prompt }, { agreed: ["terms"], draft: `draft of ${prompt}` });
  await vi.waitFor(async () => expect(await results()).toHaveLength(prompts.length), PATIENCE_MS);
  // It is noted a moment later that they were delivered.
  await vi.waitFor(async () => {
    const open = site.database.kysely.selectFrom("jobs").select("id").where("going_on", "=", GOING_ON);
    expect(await open.execute()).toEqual([]);
  }, PATIENCE_MS);
  const made = await results();
  return prompts.map((prompt) => made.find(({ values }) => values["prompt"] === prompt)?.id ?? "");
}

/** How many entries of the page hold these words. */
async function kept(words: string): Promise<number> {
  const entries = await site.database.kysely.selectFrom("kv").select(["namespace", "value"]).execute();
  return entries.filter(({ value }) => value.includes(words)).length;
}

async function tokenOf(name: string): Promise<string> {
  const tokens = [...(await said()).matchAll(/"token":"([^"]+)"/g)].map(([, token = ""]) => token);
  return tokens.findLast((token) => token.startsWith(`${name}:`)) ?? "";
}

describe("what is deleted", () => {
  it("is said and shown nowhere in the conversation any more, and kept nowhere", async () => {
    const ids = await make(...WORDS);
    await command("jobs");
    for (const id of ids) await act(`details:${id}`);
    await command("delete-all");
    await act(await tokenOf("delete-all-now"));
    expect(await said()).toContain('"delete.done"');
    for (const words of WORDS) {
      expect(await said()).not.toContain(words);
      expect(await kept(words)).toBe(0);
    }
    expect(await said()).not.toContain('"delete_all.ask"');
    // Nothing is left to press that would be too old.
    for (const id of ids) expect(await said()).not.toContain(`:${id}`);
  });

  it("takes nothing of another job along", async () => {
    const [zebra = "", walrus = ""] = await make(...WORDS);
    await command("jobs");
    for (const id of [zebra, walrus]) await act(`details:${id}`);
    const before = await kept(WALRUS);
    await act(`delete-now:${zebra}`);
    expect(await kept(ZEBRA)).toBe(0);
    expect(await kept(WALRUS)).toBe(before);
    const lists = (await history(site.url)).flatMap(({ body }) => (body.kind === "menu" ? body.items : []));
    expect(lists.map(({ job }) => job)).toEqual([walrus]);
  });

  it("goes from the page's lists, too, where it was made and deleted elsewhere", async () => {
    const me = { ...person("me", "telegram"), user: "web:me" as UserId };
    await site.chat.intake.command(me, "image", { prompt: ZEBRA });
    await site.chat.results(1);
    const [{ job } = { job: undefined }] = site.chat.showing("result");
    await command("jobs");
    expect(await kept(ZEBRA)).toBe(1);
    await vi.waitFor(async () => {
      await site.chat.intake.act(me, `delete-now:${job?.id}`);
      expect(await kept(ZEBRA)).toBe(0);
    }, PATIENCE_MS);
    expect(await said()).not.toContain(ZEBRA);
  });
});

describe("the question whether everything is to be deleted", () => {
  it("can be left, deletes nothing then and is gone", async () => {
    await make(ZEBRA);
    await command("delete-all");
    expect(await said()).toContain('"sure.no"');
    await act(await tokenOf("~keep"));
    expect((await history(site.url)).at(-1)?.body).toEqual({ kind: "notice", text: { key: "sure.kept" } });
    expect(await said()).not.toContain("delete-all-now");
    expect(await results()).toHaveLength(1);
  });

  it("can be left, too, where it is asked beside the conversation", async () => {
    const asked = await (await post(site.url, "/web/aside/command/forget", { values: {} })).text();
    const [keep] = /~keep:[^"]+/.exec(asked) ?? [];
    expect(asked).toContain('"sure.no"');
    const answer = await post(site.url, "/web/aside/act", { token: keep });
    expect(await answer.json()).toEqual([{ kind: "notice", text: { key: "sure.kept" } }]);
  });
});
