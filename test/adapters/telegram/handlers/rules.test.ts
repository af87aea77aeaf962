import { describe, expect, it } from "vitest";
import { picture } from "../../../support/telegram/bare-bot.ts";
import { harness } from "../words-harness.ts";

/** A group that Ann manages, of which Ben is a member, seen from the private chat and from inside. */
async function managed(options: Parameters<typeof harness>[0] = {}) {
  const on = await harness(options);
  const group = on.telegram.group({ title: "Films", admin: true });
  const ann = await on.regular({ name: "Ann" });
  const ben = await on.regular({ name: "Ben" });
  group.appoints(ann);
  return { ...on, sandbox: on.sandbox, group, ann, ben, annThere: ann.in(group), benThere: ben.in(group) };
}

type Managed = Awaited<ReturnType<typeof managed>>;

/** Opens the rules as whoever types the command does. */
async function opens({ annThere, ann }: Managed) {
  annThere.says("/group");
  await annThere.presses("Open the private chat");
  return ann.sees("Rules of “Films”", { fresh: true });
}

describe("/group", () => {
  it("leads those who manage the group to its rules in private, and nobody else", async () => {
    await using on = await managed();
    const { ann, ben, benThere } = on;
    const rules = await opens(on);
    for (const fact of ["each person's own", "everything", "everywhere"]) expect(rules.text).toContain(fact);
    benThere.says("/group");
    await benThere.sees("Only people who manage this server or group");
    ben.says(`/start g_${on.group.chat.id}`);
    await ben.sees("Only people who manage this server or group");
    ann.says("/group");
    await ann.sees("in a server or group that you manage");
    ann.says("/start g_-100999");
    await ann.sees("Only people who manage this server or group");
  });

  it("is asked again at every press: whoever managed the group may do so no more", async () => {
    await using on = await managed();
    const { ann, group } = on;
    await opens(on);
    group.dismisses(ann);
    await ann.presses("Jobs a day for each member");
    expect((await ann.sees("Only people who manage this server or group")).buttons).toEqual([]);
  });

  it("is answered to whoever writes as the group, and shows its rules to whoever manages it; to a channel nothing is", async () => {
    await using on = await managed();
    const { ann, annThere, benThere, group } = on;
    benThere.saysAs({ id: -1_009_999, type: "channel", title: "News" }, "/group@reelay_bot");
    annThere.saysAs(group.chat, "/video a key that nobody has");
    annThere.saysAs(group.chat, "/group@reelay_bot");
    await annThere.presses("Open the private chat");
    await ann.sees("Rules of “Films”");
    const answers = annThere.chat().filter(({ buttons }) => buttons.length > 0);
    expect(answers.map(({ text }) => text)).toEqual([
      "This is between you and me. Let's continue in private.",
    ]);
  });

  it("sets what may be made, how often and in which language, in one message", async () => {
    await using on = await managed();
    const { ann, benThere } = on;
    const { id } = await opens(on);
    const shows = (what: string) => ann.sees((message) => message.id === id && message.text.includes(what));
    await ann.presses("What may be made");
    await ann.presses("✓ Picture from words");
    await ann.presses("✗ Picture from words");
    await ann.presses("✓ Picture from words");
    await ann.sees((message) => message.id === id && message.buttons.flat().includes("✗ Picture from words"));
    benThere.says("/image a castle");
    await benThere.sees("is not allowed here");
    await ann.presses("Everything");
    await shows("What may be made: everything");
    await ann.presses("Jobs a day for each member");
    await ann.presses("3");
    await shows("Jobs a day for each member: 3");
    await shows("Jobs a day for all together: no limit");
    await ann.presses("Jobs a day for all together");
    await ann.presses("200");
    await shows("Jobs a day for all together: 200");
    await ann.presses("Jobs a day for all together");
    await ann.sees((message) => message.id === id && message.buttons.flat().includes("✓ 200"));
    await ann.presses("no limit");
    await shows("Jobs a day for all together: no limit");
    await ann.presses("Budgets in tokens");
    await ann.presses("Tokens a month for each member");
    await ann.presses("500 tokens");
    await shows("Tokens a month for each member: 500 tokens");
    await ann.presses("Budgets in tokens");
    await ann.presses("Tokens a month for each member");
    await ann.sees((message) => message.id === id && message.buttons.flat().includes("✓ 500 tokens"));
    await ann.presses("no limit");
    await ann.sees((message) => message.id === id && !message.text.includes("Tokens a month"));
    await ann.presses("Language");
    await ann.presses("✓ Each member's own");
    await ann.presses("Language");
    await ann.presses("Deutsch");
    await shows("Deutsch");
    expect(ann.chat().filter(({ text }) => text.includes("Rules of"))).toHaveLength(1);
  });
});

it("a group that the bot was taken out of leaves no rules behind", async () => {
  await using on = await managed();
  const { ann, group } = on;
  await opens(on);
  await ann.presses("Jobs a day for each member");
  await ann.presses("3");
  await ann.sees("Jobs a day for each member: 3");
  group.kicksBot();
  group.addsBot();
  expect((await opens(on)).text).not.toContain("Jobs a day for each member: 3");
});

it("a group that becomes a supergroup takes its rules and its key along", async () => {
  await using on = await managed({ paid: false });
  const { ann, ben, group } = on;
  await opens(on);
  await ann.presses("Jobs a day for each member");
  await ann.presses("3");
  await ann.presses("A key for everybody here");
  await ann.sees("pay for everybody in the group");
  ann.says(on.sandbox.keys.pro);
  await ann.sees("It pays for everybody here");
  group.upgrades();
  const rules = await opens({ ...on, annThere: ann.in(group) });
  expect(rules.text).toContain("Jobs a day for each member: 3");
  const there = ben.in(group);
  await there.sendsPhoto(await picture(64, 64), { caption: "@reelay_bot slow zoom" });
  await there.sees((message) => message.buttons.flat().some((button) => /generate|make it/i.test(button)));
});

describe("a group's key", () => {
  it("is asked for in private, pays for its members, and goes again", async () => {
    await using on = await managed({ paid: false });
    const { ann, benThere, sandbox, telegram } = on;
    await opens(on);
    await ann.presses("A key for everybody here");
    await ann.sees("pay for everybody in the group");
    const secret = ann.says(sandbox.keys.pro);
    await ann.losesSightOf(secret);
    await ann.sees("It pays for everybody here");
    await benThere.sendsPhoto(await picture(64, 64), { caption: "@reelay_bot slow zoom" });
    await benThere.sees((message) =>
      message.buttons.flat().some((button) => /generate|make it/i.test(button)),
    );
    await ann.presses("Remove the key");
    await ann.sees("The key is erased.");
    expect(JSON.stringify(telegram.calls())).not.toContain(sandbox.keys.pro);
    // It was never theirs: what they ask for themselves it does not pay.
    ann.says("/balance");
    await ann.sees("No key is connected yet.");
  });

  it("that is none is asked for again; a command ends that", async () => {
    await using on = await managed({ paid: false });
    const { ann } = on;
    await opens(on);
    await ann.presses("A key for everybody here");
    await ann.sees("pay for everybody in the group");
    ann.says("no key at all");
    await ann.sees("That was not a key");
    await ann.sees("pay for everybody in the group", { fresh: true });
    ann.says("/connect");
    await ann.sees("of your account at the service");
    ann.says(on.sandbox.keys.pro);
    // It is their own now.
    expect((await ann.sees("Your key works")).text).not.toContain("everybody");
  });
});
