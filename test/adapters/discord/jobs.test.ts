import { describe, expect, it, vi } from "vitest";
import type { Channel } from "../../support/discord/channel.ts";
import type { Person } from "../../support/discord/person.ts";
import type { SeenMessage } from "../../support/discord/seen.ts";
import { harness } from "./harness.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const isResult = ({ files, from }: SeenMessage) => from === "bot" && files.length > 0;

/** Draws pictures, and waits for all of them. */
async function draws(person: Person, channel: Channel, prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    await person.uses("/make image", { prompt }, { in: channel });
    await person.presses(/^Make it/, { on: await person.sees(`“${prompt}”`) });
  }
  const areThere = () => person.chat({ in: channel }).filter(isResult).length === prompts.length;
  await person.sees(areThere);
  await settled(person, channel, prompts.length);
}

/** Waits until nothing goes on: the last one is seen a moment before the ledger says so. */
async function settled(person: Person, channel: Channel, jobs: number): Promise<void> {
  await vi.waitFor(async () => {
    await person.uses("/delete-all", {}, { in: channel });
    const count = jobs === 1 ? "your one finished job" : `all ${jobs} finished jobs`;
    expect((await person.sees(/delete/i, { fresh: true })).text).toContain(count);
  }, PATIENCE_MS);
}

/** Asks for the list. */
async function lists(person: Person, channel: Channel): Promise<SeenMessage> {
  await person.uses("/jobs", {}, { in: channel });
  return person.sees("Your jobs, newest first:", { fresh: true });
}

/** Ann, and a server with Ben in it. */
async function films() {
  const on = await harness();
  const channel = on.discord.guild({ name: "Films" }).channel();
  const ann = on.discord.person({ name: "Ann" });
  const ben = on.discord.person({ name: "Ben" });
  ben.joins(channel);
  await on.stated([ann, ben], ["terms"]);
  return { ...on, channel, ann, ben };
}

describe("/jobs", () => {
  it("lists what somebody asked for, page by page, for them alone", async () => {
    await using on = await films();
    const { ann, ben, channel } = on;
    const prompts = Array.from({ length: 9 }, (_, nth) => `castle ${nth + 1}`);
    await draws(ann, channel, prompts);
    const before = ben.chat({ in: channel }).length;
    const list = await lists(ann, channel);
    expect(list.ephemeral).toBe(true);
    expect(list.text).toContain("1. Picture from words: castle 9");
    expect(list.text).not.toContain("castle 1\n");
    await ann.presses("Older");
    const older = await ann.sees("1. Picture from words: castle 1");
    expect(older.id).toBe(list.id);
    expect(ben.chat({ in: channel })).toHaveLength(before);
  });

  it("shows a job again, starts from it anew, and deletes it, after a restart too", async () => {
    await using on = await films();
    const { ann, ben, channel } = on;
    await draws(ann, channel, ["a castle"]);
    const made = await ben.sees(isResult, { in: channel });
    await lists(ann, channel);
    await on.restart();
    await ann.presses("1. Show again");
    expect((await ann.sees("channels/")).text).toContain(made.id);
    await settled(ann, channel, 1);
    const list = await lists(ann, channel);
    await ann.presses("Change", { on: list });
    expect(ann.modal()?.fields.map(({ value }) => value)).toContain("a castle");
    ann.closesModal();
    await ann.presses("Delete", { on: list });
    await ann.presses("Delete for good");
    await ann.sees("Deleted, here and at the service.");
    await ann.uses("/jobs", {}, { in: channel });
    expect((await ann.sees("Nothing here yet")).ephemeral).toBe(true);
    expect(ben.chat({ in: channel }).filter(isResult)).toEqual([]);
  });

  it("says where a result is shown in the channel where somebody asks for it, to them alone", async () => {
    await using on = await films();
    const { ann, ben, channel } = on;
    const other = on.discord.guild({ name: "Boats" }).channel();
    ben.joins(other);
    await draws(ann, channel, ["a castle"]);
    const made = await ben.sees(isResult, { in: channel });
    const list = await lists(ann, other);
    await ann.presses("1. Show again");
    const there = await ann.sees(made.id, { in: other });
    expect(there).toMatchObject({ ephemeral: true });
    expect(there.id).not.toBe(list.id);
    await settled(ann, other, 1);
    ben.deletes(made);
    await lists(ann, other);
    await ann.presses("1. Show again");
    expect(await ann.sees(isResult, { in: other })).toMatchObject({ ephemeral: true });
    expect([...ben.chat({ in: channel }), ...ben.chat({ in: other })].filter(isResult)).toEqual([]);
  });

  it("are asked about twice before all of them are deleted", async () => {
    await using on = await films();
    const { ann, channel } = on;
    await draws(ann, channel, ["a castle", "a lake"]);
    await ann.uses("/delete-all", {}, { in: channel });
    const asked = await ann.sees("Delete all 2 finished jobs for good");
    await ann.presses("Delete everything");
    const again = await ann.sees("Delete it for good?");
    expect(again).toMatchObject({ id: asked.id, buttons: [["No, keep everything", "Yes, delete for good"]] });
    await ann.presses("Yes, delete for good");
    await ann.sees("Deleted 2 jobs, here and at the service.");
    await ann.uses("/jobs", {}, { in: channel });
    await ann.sees("Nothing here yet");
  });
});

describe("a button below a result", () => {
  it("of somebody else is refused in private", async () => {
    await using on = await films();
    const { ann, ben, channel } = on;
    await draws(ann, channel, ["a castle"]);
    const before = ann.chat({ in: channel }).length;
    await ben.presses(/^New variation/, { in: channel });
    expect((await ben.sees("This belongs to somebody else")).ephemeral).toBe(true);
    expect(ann.chat({ in: channel })).toHaveLength(before);
    expect((await on.sandbox.ledger()).submissions).toHaveLength(1);
  });
});
