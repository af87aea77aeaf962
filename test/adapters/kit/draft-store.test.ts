import { describe, expect, it } from "vitest";
import { BLANK, originFor, type Draft } from "../../../adapters/kit/drafts/draft.ts";
import { DraftStore } from "../../../adapters/kit/drafts/store.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const ann: Draft = {
  ...BLANK,
  id: "1",
  owner: "discord:7",
  address: { secret: false },
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
  const drafts = new DraftStore(kept);
  await drafts.keep(ann, sheet);
  const find = (user: UserId, id: string) => drafts.own({ user }, id);
  return {
    kept,
    drafts,
    find,
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
    await at.drafts.forget("discord:8");
    expect(await at.find("discord:7", "1")).toEqual(ann);
    await at.drafts.forget("discord:7");
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
    const values = { key: "rk_secret" };
    const kept = await at.drafts.keep({ ...ann, id: "3", form, values }, sheet);
    expect(kept.values).toEqual({});
    expect(JSON.stringify(await at.kept.entries())).not.toContain("rk_secret");
  });

  it("is told apart from one that has begun, for a while", async () => {
    await using at = await store();
    await at.drafts.finish(ann);
    await expect(at.find("discord:7", "1")).rejects.toMatchObject({ code: "already_begun" });
  });

  it("is told apart from one that was given up, unless it is there again", async () => {
    await using at = await store();
    await at.drafts.finish(ann, "given_up");
    const gone = { code: "stale_button", params: { end: "given_up" } };
    await expect(at.find("discord:7", "1")).rejects.toMatchObject(gone);
    await at.drafts.keep(ann);
    expect(await at.find("discord:7", "1")).toEqual(ann);
  });

  it("is read as it was kept before all platforms had the same", async () => {
    await using at = await store();
    const { values } = ann;
    const receipt = { chat: 5, message: 6, form: "media", locale: "en" };
    const screen = { show: "more" };
    await at.kept.set("draft:5:6", {
      owner: "telegram:5",
      receipt,
      operation: "image",
      values,
      screen,
      at: 1,
    });
    expect(await at.drafts.find("5:6")).toMatchObject({ id: "5:6", address: receipt, values, screen });
    await at.kept.set("draft:9", { id: "9", owner: "discord:7", secret: true, operation: "image", values });
    const old = { ...ann, id: "9", request: "9", address: { secret: true } };
    expect(await at.drafts.find("9")).toEqual(old);
    const origin: Origin = {
      platform: "discord",
      user: "discord:7",
      locale: "en",
      audience: "private",
      address: {},
    };
    expect(originFor({ origin }, old).request).toBe("discord:9");
    expect(originFor({ origin }, ann).request).toBe("discord:draft:1");
  });
});
