import { describe, expect, it } from "vitest";
import { testPicture } from "../../support/sandbox.ts";
import { submitted } from "../../support/submitted.ts";
import { isResult } from "./draft-harness.ts";
import { harness } from "./words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");
const lacking = "I lack the right “Send Videos” in “Friends”";

/** Ann in a group, whose films come as files where they cannot come as videos. */
async function inGroup(options: Parameters<typeof harness>[0] = {}) {
  const on = await harness(options);
  const group = on.telegram.group({ title: "Friends" });
  const person = await on.regular({ name: "Ann" });
  const ann = person.in(group);
  return { on, group, ann, person, [Symbol.asyncDispose]: () => on[Symbol.asyncDispose]() };
}

/** Lets somebody allow what costs little to begin at once. */
async function letsBegin(person: Awaited<ReturnType<typeof inGroup>>["person"]): Promise<void> {
  // Nothing begins by itself before it is known what the like of it costs.
  await person.sendsPhoto(photo, { caption: "waves" });
  await person.presses(/Generate/);
  await person.sees(isResult);
  person.says("/settings");
  await person.presses(/Ask only above/);
  person.says("1000");
  await person.sees("Ask only above (tokens): 1000");
  await person.presses(/Save/);
  await person.sees("Saved");
}

describe("a group where the bot may post neither videos nor files", () => {
  it("is named before the price, and the draft goes on once that was changed", async () => {
    await using at = await inGroup();
    const { on, group, ann } = at;
    group.denies("can_send_videos");
    group.denies("can_send_documents");
    await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    const draft = await ann.sees(lacking);
    const labels = draft.buttons.flat().join();
    expect(labels).toContain("Check again");
    expect(labels).not.toContain("Generate");
    expect(draft.text).not.toMatch(/costs|price/i);
    group.allows("can_send_documents");
    await ann.presses("Check again");
    await ann.presses(/Generate/);
    const film = await ann.sees(isResult);
    expect(film.media?.kind).toBe("document");
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("is named also when that was taken away after the price was said", async () => {
    await using at = await inGroup();
    const { on, group, ann } = at;
    await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    const draft = await ann.sees(({ buttons }) => buttons.flat().some((label) => label.includes("Generate")));
    group.restrictsBot("can_send_videos");
    group.restrictsBot("can_send_documents");
    await ann.presses(/Generate/);
    expect((await ann.sees(lacking)).id).toBe(draft.id);
    expect(await submitted(on, 0)).toEqual([]);
  });

  it("is named before a result's button makes another, which goes on once that was changed", async () => {
    await using at = await inGroup();
    const { on, group, ann } = at;
    await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    await ann.presses(/Generate/);
    const film = await ann.sees(isResult);
    group.denies("can_send_videos");
    group.denies("can_send_documents");
    await ann.presses(/New variation/, { on: film });
    const refused = await ann.sees(lacking);
    expect(refused.buttons.flat()).toEqual([expect.stringMatching(/New variation · \d/)]);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
    group.allows("can_send_videos");
    await ann.presses(/New variation/, { on: film });
    expect(await submitted(on, 2)).toEqual(["slow zoom", "slow zoom"]);
  });

  it("begins nothing by itself there, either", async () => {
    await using at = await inGroup();
    const { on, group, ann, person } = at;
    await letsBegin(person);
    group.denies("can_send_videos");
    group.denies("can_send_documents");
    await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    await ann.sees(lacking);
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it.each(["getChatMember", "getChat"])(
    "has a press asked for where Telegram does not tell what it may (%s)",
    async (method) => {
      await using at = await inGroup();
      const { on, ann, person } = at;
      await letsBegin(person);
      on.telegram.fails(method, { kind: "internal" }, 1_000);
      await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
      await ann.presses(/Generate/);
      await ann.sees(isResult);
      expect(await submitted(on, 2)).toEqual(["waves", "slow zoom"]);
    },
  );

  it("is no matter where a link leads to what was made", async () => {
    await using at = await inGroup({ settings: { REELAY_PUBLIC_URL: "https://films.example" } });
    const { group, ann } = at;
    group.denies("can_send_videos");
    group.denies("can_send_documents");
    await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    const draft = await ann.sees("slow zoom");
    expect(draft.text).not.toContain(lacking);
  });

  it("is named in private where it may say nothing at all, of a draft and of a result's button", async () => {
    await using at = await inGroup();
    const { on, group, ann, person } = at;
    const muted = "I lack the right “Send Text Messages” in “Friends”";
    person.says("/balance");
    await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    await ann.presses(/Generate/);
    const film = await ann.sees(isResult);
    group.restrictsBot("can_send_messages");
    await ann.presses(/New variation/, { on: film });
    await person.sees(muted);
    await ann.sendsPhoto(photo, { caption: "@reelay_bot waves" });
    await person.sees(muted, { fresh: true });
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });
});
