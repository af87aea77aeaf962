import { describe, expect, it } from "vitest";
import type { Draft } from "../../../adapters/discord/drafts/draft.ts";
import { forgetDrafts, keepDraft, ownDraft } from "../../../adapters/discord/drafts/store.ts";
import type { UserId } from "../../../src/chat/values.ts";
import { sheetOf } from "../../../src/chat/sheet.ts";
import { COMMAND_SPECS } from "../../../src/commands/registry.ts";
import { openMediaFiles } from "../../../src/media/files.ts";
import { openDatabase } from "../../../src/storage/database.ts";
import { memory } from "../../../src/storage/key-value.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const ann: Draft = {
  id: "1",
  owner: "discord:7",
  secret: false,
  operation: "image",
  values: { prompt: "x" },
};

/** The store with Ann's draft in it. */
async function store() {
  const dir = temporaryFolder();
  const database = await openDatabase(`${dir}/reelay.db`);
  const kept = memory(database, "discord");
  const sheet = sheetOf(ann, COMMAND_SPECS);
  if (!sheet) throw new Error("There is no such operation.");
  await keepDraft(kept, ann, sheet);
  const find = (user: UserId, id: string) => ownDraft({ memory: kept, origin: { user } }, id);
  return {
    kept,
    find,
    files: await openMediaFiles(`${dir}/media`),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("a draft", () => {
  it("is its owner's alone", async () => {
    await using at = await store();
    expect(await at.find("discord:7", "1")).toEqual(ann);
    await expect(at.find("discord:8", "1")).rejects.toMatchObject({ code: "not_yours" });
    await expect(at.find("discord:7", "2")).rejects.toMatchObject({ code: "stale_button" });
  });

  it("is erased with its owner", async () => {
    await using at = await store();
    await forgetDrafts(at.kept, at.files, "discord:8");
    expect(await at.find("discord:7", "1")).toEqual(ann);
    await forgetDrafts(at.kept, at.files, "discord:7");
    expect(await at.kept.entries()).toEqual([]);
  });

  it("is kept without what is secret", async () => {
    await using at = await store();
    const connect = COMMAND_SPECS.find(({ name }) => name === "connect");
    const form = {
      id: "connect",
      title: { key: "command.connect" },
      fields: connect?.fields ?? [],
      values: {},
      submit: { key: "form.save" },
    } as const;
    const sheet = { ...form, name: "connect", costs: false };
    const kept = await keepDraft(
      at.kept,
      { id: "3", owner: "discord:7", secret: false, form, values: { key: "rk_secret" } },
      sheet,
    );
    expect(kept.values).toEqual({});
    expect(JSON.stringify(await at.kept.entries())).not.toContain("rk_secret");
  });
});
