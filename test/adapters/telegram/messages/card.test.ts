import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { post } from "../../../../adapters/telegram/messages/post.ts";
import { picture, result } from "../../../support/results.ts";
import type { SeenMessage } from "../../../support/telegram/seen.ts";
import { isResult } from "../draft-harness.ts";
import { harness as transport } from "../results-harness.ts";
import { harness } from "../words-harness.ts";

/** What of a message is behind a tap. */
function behindTap({ message }: SeenMessage): readonly string[] {
  const text = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities ?? [];
  return entities
    .filter(({ type }) => type === "spoiler")
    .map(({ offset, length }) => text.slice(offset, offset + length));
}

/** What everybody reads of a message without a tap. */
const openly = (seen: SeenMessage) =>
  behindTap(seen).reduce((text, hidden) => text.replace(hidden, ""), seen.text);

describe("a result in a group", () => {
  it("says who asked, answers the message with the picture, and has the words behind a tap", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Films", admin: true });
    const ann = (await on.regular({ name: "Ann" })).in(group);
    const bob = on.telegram.person({ name: "Bob" }).in(group);
    const photo = await bob.sendsPhoto(await readFile(picture));
    ann.replies(photo, "/video slow zoom");
    await ann.presses(/^✨/);
    const film = await ann.sees(isResult);
    expect(film.replyTo).toBe(photo.id);
    const [name, words, facts, who] = film.text.split("\n");
    expect([name, words, who]).toEqual(["Photo to video: done", "“slow zoom”", "Made by: Ann"]);
    expect(facts).toContain("took");
    expect(behindTap(film)).toEqual(["“slow zoom”"]);
    expect(film.message.caption_entities).toContainEqual(
      expect.objectContaining({ type: "text_link", url: `tg://user?id=${ann.user.id}` }),
    );
  });

  it("leaves no words in sight anywhere: not in its draft, nor in its details", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Films", admin: true });
    const ann = (await on.regular({ name: "Ann" })).in(group);
    await ann.sendsPhoto(await readFile(picture), { caption: "@reelay_bot slow zoom" });
    const draft = await ann.sees("Costs about");
    expect(behindTap(draft)).toEqual(["“slow zoom”"]);
    await ann.presses("✏️ What should happen");
    expect(behindTap(await ann.sees("Now:"))).toEqual(["“slow zoom”"]);
    await ann.presses("‹ Back");
    await ann.presses(/^✨/);
    await ann.sees(isResult);
    await ann.presses("Details");
    await ann.sees("how it was made");
    const said = ann.chat().filter(({ from }) => from === "bot");
    expect(said.filter(({ text }) => text.includes("slow zoom")).length).toBeGreaterThan(2);
    expect(said.map(openly).join("\n")).not.toContain("slow zoom");
  });

  it("names nobody where Telegram does not tell, and lets nothing leave its cover", async () => {
    await using at = await transport();
    const group = at.telegram.group({ title: "Films" });
    const chat = group.chat.id;
    const job = { ...result("video").job, values: { prompt: "a </tg-spoiler> b" } };
    const receipt = await post(at.services, { chat, user: 4_711, locale: "en" }, { ...result("video"), job });
    const film = at.telegram
      .person({ name: "Bob" })
      .in(group)
      .chat()
      .find(({ id }) => id === receipt.message);
    expect(film?.text).toBe("Photo to video: done\n“a </tg-spoiler> b”\n2.7 tokens · took 9 sec");
    expect(film && behindTap(film)).toEqual(["“a </tg-spoiler> b”"]);
  });
});

describe("a result in private", () => {
  it("covers nothing and names nobody", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(await readFile(picture), { caption: "slow zoom" });
    await ann.presses(/^✨/);
    const film = await ann.sees(isResult);
    expect(behindTap(film)).toEqual([]);
    expect(film.text).not.toContain("Ann");
  });
});

describe("what somebody has left", () => {
  it("is said to nobody else, with the price or under the result", async () => {
    await using on = await harness({ paid: false });
    const group = on.telegram.group({ title: "Films", admin: true });
    const person = await on.regular({ name: "Ann" });
    person.says(`/connect ${on.sandbox.keys.pro}`);
    await person.sees("Your key works");
    const ann = person.in(group);
    await ann.sendsPhoto(await readFile(picture), { caption: "@reelay_bot slow zoom" });
    await ann.presses(/^✨/);
    await ann.sees(isResult);
    const said = ann.chat().filter(({ from }) => from === "bot");
    const read = said.flatMap(({ text, history }) => history.map((one) => one.text).concat(text));
    expect(read.join("\n")).not.toMatch(/ left|[Yy]ou have/);
  });
});
