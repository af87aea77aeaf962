import { describe, expect, it } from "vitest";
import { attachment } from "../../../support/discord/attachment.ts";
import type { Person } from "../../../support/discord/person.ts";
import { drawn, KEY_SHAPES } from "../../../support/keys.ts";
import { contentsOf, holding } from "../../../support/leaks.ts";
import { cat, isResult, photo } from "../making-harness.ts";
import { harness } from "../harness.ts";

const settings = { REELAY_LOG_LEVEL: "debug" };

type Harness = Awaited<ReturnType<typeof harness>>;

/** Everything in the data folders of bot and service, in the log, in what the bot said, and in what a person sees. */
async function everywhere(
  at: Harness,
  ann: Person,
  folders = [at.data, at.sandbox.dir],
): Promise<readonly string[]> {
  const said = [...at.lines, JSON.stringify(ann.chat()), JSON.stringify(at.discord.calls())];
  return [...(await contentsOf(...folders)), ...said];
}

describe("a key among words on Discord", () => {
  it("that works is connected where nobody else reads it, and what it stood beside goes on", async () => {
    await using at = await harness({ paid: false, settings });
    const ann = at.discord.person({ name: "Ann" });
    await at.stated([ann]);
    const key = at.sandbox.keys.pro;
    await ann.uses("/make video", { image: cat, prompt: `waves ${key}` });
    await ann.sees("Your key works");
    await ann.sees("Still needed: What should happen.");
    await ann.presses("Fill in");
    await ann.submitsModal({ "What should happen": "waves" });
    await ann.presses(/^Make it/);
    await ann.sees(isResult);
    expect(holding(key, await everywhere(at, ann, [at.data]))).toEqual([]);
  });

  it.each(["base62, 40", "with dots", "with a colon"])(
    "(%s) is in no file, log or message",
    async (shape) => {
      await using at = await harness({ paid: false, settings });
      const ann = at.discord.person({ name: "Ann" });
      await at.stated([ann]);
      const key = KEY_SHAPES[shape]?.(drawn(`discord ${shape}`)) ?? "";
      await ann.uses("/make video", { image: cat, prompt: `waves ${key}` });
      await ann.sees(/does not know this key/);
      await ann.uses("/templates", { search: key.slice(0, 100) });
      await ann.uses("/make video", { image: attachment(photo, `${key}.jpg`), prompt: "slow waves" });
      const channel = at.discord.guild({ name: "Films" }).channel();
      await ann.uses("/make image", { prompt: `a cat, ${key}` }, { in: channel });
      const told = await ann.sees(/was not used, kept or sent/, { in: channel });
      // Nobody else saw it.
      expect(told).toMatchObject({ ephemeral: true, buttons: [["Connect a key"]] });
      expect(told.text).not.toContain("others");
      expect(holding(key, await everywhere(at, ann))).toEqual([]);
    },
  );
});
