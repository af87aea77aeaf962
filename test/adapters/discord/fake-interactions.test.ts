import { Events, type Interaction, InteractionResponseType } from "discord.js";
import { describe, expect, it } from "vitest";
import { attachment } from "../../support/discord/attachment.ts";
import { call, connected } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import type { WorldOptions } from "../../support/discord/world.ts";
import { STANDS_STILL } from "../../support/telegram/clock.ts";

const DEFER = { type: 5 };
const EVERYWHERE = { contexts: [0, 1, 2], integration_types: [0, 1] };
const go = { name: "go", description: "Go", ...EVERYWHERE };
const typed = (more: object) => ({ type: 3, name: "x", description: "x", ...more });

/** A fake without a client, with one command. */
async function offering(command: object, options?: WorldOptions): Promise<FakeDiscord> {
  const discord = await FakeDiscord.start({ timeScale: STANDS_STILL, ...options });
  await call(discord, `PUT /applications/${discord.applicationId}/commands`, [command]);
  return discord;
}

/** A fake without a client: Ann uses a command, and the test answers by hand. */
async function asked(options?: WorldOptions) {
  const discord = await offering(go, options);
  const ann = discord.person({ name: "Ann" });
  const channel = discord.guild({ name: "Films" }).channel();
  const bob = discord.person({ name: "Bob" });
  bob.joins(channel);
  const answered = ann.uses("/go", {}, { in: channel });
  // Tests of what comes too late do not wait for it.
  answered.catch(() => {});
  const { id, token } = await sent(discord);
  const webhook = `/webhooks/${discord.applicationId}/${token}`;
  return {
    discord,
    ann,
    bob,
    channel,
    answered,
    original: `${webhook}/messages/@original`,
    webhook,
    answer: (body: object, files?: readonly Buffer[]) =>
      call(discord, `POST /interactions/${id}/${token}/callback`, body, files),
    [Symbol.asyncDispose]: () => discord.stop(),
  };
}

/** The interaction that was sent last, once there are so many. */
async function sent(discord: FakeDiscord, count = 1) {
  await discord.until(() => discord.interactions().length === count);
  const { id = "", token = "" } = discord.interactions().at(-1) ?? {};
  return { id, token };
}

const reply = (data: object) => ({ type: 4, data });

describe("the life of an interaction", () => {
  it("takes the first answer within three seconds, and one only", async () => {
    await using fake = await asked();
    expect((await fake.answer(DEFER)).status).toBe(204);
    expect((await fake.answered).kind).toBe(InteractionResponseType.DeferredChannelMessageWithSource);
    expect((await fake.ann.sees(({ thinking }) => thinking)).text).toBe("");
    expect(await fake.answer(DEFER)).toMatchObject({ status: 400, body: { code: 40_060 } });
  });

  it("takes none after three seconds", async () => {
    await using fake = await asked();
    fake.discord.passTime(3000);
    await expect(fake.answered).rejects.toThrow("The application did not respond to go");
    expect(await fake.answer(DEFER)).toMatchObject({ status: 404, body: { code: 10_062 } });
    expect(fake.discord.interactions()).toMatchObject([{ name: "go", acknowledgedAfter: undefined }]);
  });

  it("fails by itself, faster where the fake's time is", async () => {
    await using fake = await asked({ timeScale: 0.01 });
    await expect(fake.answered).rejects.toThrow("did not respond");
  });

  it("counts no answer that was refused", async () => {
    await using fake = await asked();
    expect(await fake.answer(reply({ content: "x".repeat(2001) }))).toMatchObject({ status: 400 });
    expect(await fake.answer({ type: 6 })).toMatchObject({ status: 400, body: { code: 50_035 } });
    expect(await fake.answer(reply({}))).toMatchObject({ status: 400, body: { code: 50_006 } });
    expect(await fake.answer(reply({ content: "x" }))).toMatchObject({ status: 204 });
    expect(fake.ann.chat()).toHaveLength(1);
  });

  it("lets its token die after fifteen minutes, and know nothing before the first answer", async () => {
    await using fake = await asked();
    const edit = () => call(fake.discord, `PATCH ${fake.original}`, { content: "made" });
    const follow = () => call(fake.discord, `POST ${fake.webhook}`, { content: "and" });
    expect(await follow()).toMatchObject({ status: 404, body: { code: 10_015 } });
    await fake.answer(DEFER);
    fake.discord.passTime(14.9 * 60_000);
    expect((await edit()).status).toBe(200);
    expect((await follow()).status).toBe(200);
    fake.discord.passTime(0.1 * 60_000);
    expect(await edit()).toMatchObject({ status: 401, body: { code: 50_027 } });
    expect(await follow()).toMatchObject({ status: 401, body: { code: 50_027 } });
  });
});

describe("what answers an interaction", () => {
  it("is filled in by the first follow-up after a deferred answer, and stays ephemeral", async () => {
    await using fake = await asked();
    await fake.answer({ type: 5, data: { flags: 64 } });
    await call(fake.discord, `POST ${fake.webhook}`, { content: "made" });
    await call(fake.discord, `POST ${fake.webhook}`, { content: "public" });
    const [made, open] = fake.ann.chat();
    expect(made).toMatchObject({ text: "made", ephemeral: true, thinking: false });
    expect(open).toMatchObject({ text: "public", ephemeral: false, replyTo: made?.id });
    expect(fake.bob.chat().map(({ text }) => text)).toEqual(["public"]);
    const messages = `/channels/${fake.channel.id}/messages`;
    expect(await call(fake.discord, `GET ${messages}/${made?.id}`)).toMatchObject({ status: 404 });
    const quoted = { content: "x", message_reference: { message_id: made?.id } };
    expect(await call(fake.discord, `POST ${messages}`, quoted)).toMatchObject({ status: 400 });
  });

  it("can be told with the answer, and be deleted", async () => {
    await using fake = await asked();
    const { discord, original } = fake;
    const { id, token } = await sent(discord);
    const callback = `/interactions/${id}/${token}/callback?with_response=true`;
    const told = await call(discord, `POST ${callback}`, reply({ content: "x" }));
    expect(told).toMatchObject({ status: 200, body: { resource: { type: 4, message: { content: "x" } } } });
    expect((await call(discord, `DELETE ${original}`)).status).toBe(204);
    expect(fake.ann.chat()).toEqual([]);
    expect(await call(discord, `PATCH ${original}`, { content: "y" })).toMatchObject({
      status: 404,
      body: { code: 10_008 },
    });
  });

  it("may bring larger files where the interaction says so", async () => {
    await using fake = await asked({ limits: { fileBytes: 10 } });
    const big = { ...reply({ content: "x" }) };
    expect(await fake.answer(big, [Buffer.alloc(11)])).toMatchObject({ status: 413, body: { code: 40_005 } });
    const roomy = fake.discord.guild({ name: "Boosted" }).channel({ attachmentLimit: 20 });
    fake.ann.uses("/go", {}, { in: roomy }).catch(() => {});
    const { id, token } = await sent(fake.discord, 2);
    const callback = `POST /interactions/${id}/${token}/callback`;
    expect((await call(fake.discord, callback, big, [Buffer.alloc(20)])).status).toBe(204);
  });

  it.each<[what: string, data: object]>([
    ["a title of 46", { title: "x".repeat(46), custom_id: "m", components: [field("a")] }],
    ["a label of 46", { title: "x", custom_id: "m", components: [{ ...field("a"), label: "x".repeat(46) }] }],
    ["six fields", { title: "x", custom_id: "m", components: ["a", "b", "c", "d", "e", "f"].map(field) }],
    ["two fields of one name", { title: "x", custom_id: "m", components: [field("a"), field("a")] }],
    ["no field", { title: "x", custom_id: "m", components: [] }],
  ])("is no modal with %s", async (_what, data) => {
    await using fake = await asked();
    expect(await fake.answer({ type: 9, data })).toMatchObject({ status: 400, body: { code: 50_035 } });
    expect(
      (await fake.answer({ type: 9, data: { title: "x", custom_id: "m", components: [field("a")] } })).status,
    ).toBe(204);
    await fake.answered;
    expect(fake.ann.modal()?.fields.map(({ label }) => label)).toEqual(["x"]);
  });

  it("has five follow-ups where only a person installed the app", async () => {
    await using discord = await offering(go, { limits: { webhookRequests: 100 } });
    const ann = discord.person({ name: "Ann", installed: true });
    const bob = discord.person({ name: "Bob" });
    const there = discord.privateChannel(ann, bob);
    const answered = ann.uses("/go", {}, { in: there });
    const { id, token } = await sent(discord);
    await call(discord, `POST /interactions/${id}/${token}/callback`, reply({ content: "x" }));
    await answered;
    const follow = () => call(discord, `POST /webhooks/${discord.applicationId}/${token}`, { content: "y" });
    for (let count = 0; count < 5; count += 1) expect((await follow()).status).toBe(200);
    expect(await follow()).toMatchObject({ status: 400, body: { code: 40_094 } });
    const message = await call(discord, `POST /channels/${there.id}/messages`, { content: "z" });
    expect(message).toMatchObject({ status: 403, body: { code: 50_001 } });
  });
});

/** A field of a modal. */
function field(custom_id: string) {
  return { type: 18, label: "x", component: { type: 4, style: 1, custom_id } };
}

describe("what Discord's clients do not let people do", () => {
  it.each<[what: string, option: object, value: string | number | undefined, why: string]>([
    ["leave out what is required", typed({ required: true }), undefined, "The option x is required"],
    ["write too much", typed({ max_length: 3 }), "four", "out of bounds"],
    ["go below a bound", typed({ type: 4, min_value: 2 }), 1, "out of bounds"],
    ["give a fraction for a whole number", typed({ type: 4 }), 1.5, "takes no number"],
    ["choose what is not offered", typed({ choices: [{ name: "a", value: "a" }] }), "b", "offers no b"],
    ["write where a file is due", typed({ type: 11 }), "photo", "takes no string"],
  ])("%s", async (_what, option, value, why) => {
    await using discord = await offering({ ...go, options: [option] });
    await expect(
      discord.person({ name: "Ann" }).uses("/go", value === undefined ? {} : { x: value }),
    ).rejects.toThrow(why);
  });

  it("use what is not offered to them", async () => {
    const command = { ...go, contexts: [0], nsfw: true, default_member_permissions: "32" };
    await using discord = await offering(command);
    const open = discord.guild({ name: "Open" });
    const adult = open.channel({ nsfw: true });
    const manager = discord.person({ name: "Manager" });
    open.appoints(manager);
    expect(discord.person({ name: "Ann" }).commands({ in: adult })).toEqual([]);
    expect(manager.commands({ in: open.channel() })).toEqual([]);
    expect(manager.commands()).toEqual([]);
    expect(manager.commands({ in: adult })).toEqual([{ name: "/go", description: "Go" }]);
  });

  it("press a button that is greyed out or gone", async () => {
    await using fake = await asked();
    const button = { type: 2, style: 1, label: "Go", custom_id: "a", disabled: true };
    await fake.answer(reply({ content: "x", components: [{ type: 1, components: [button] }] }));
    await expect(fake.ann.presses("Go")).rejects.toThrow("greyed out");
    await expect(fake.ann.presses("Stop", { within: 10 })).rejects.toThrow(
      "did not see the button or menu Stop",
    );
  });
});

describe("menus", () => {
  it("let people pick by labels, and channels", async () => {
    await using bot = await connected([go]);
    const picks: string[] = [];
    const answer = async (interaction: Interaction) => {
      if (interaction.isChatInputCommand()) {
        const options = ["a", "b"].map((value) => ({ label: `Label ${value}`, value }));
        await interaction.reply({
          content: "Pick",
          components: [
            {
              type: 1,
              components: [{ type: 3, customId: "m", placeholder: "Which?", options, maxValues: 2 }],
            },
            { type: 1, components: [{ type: 8, customId: "c", placeholder: "Where?" }] },
          ],
        });
      } else if (interaction.isAnySelectMenu()) {
        picks.push(...interaction.values);
        await interaction.deferUpdate();
        await interaction.editReply({ content: "Picked", components: [] });
      }
    };
    bot.client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
    const ann = bot.discord.person({ name: "Ann" });
    const channel = bot.discord.guild({ name: "Films" }).channel({ name: "films" });
    await ann.uses("/go", {}, { in: channel });
    const offer = await ann.sees("Pick");
    await expect(ann.selects("Which?", "Label c")).rejects.toThrow("Label a, Label b");
    await ann.selects("Which?", ["Label b", "Label a"]);
    await ann.sees("Picked", { fresh: true });
    await ann.selects("Where?", channel, { on: offer });
    expect(picks).toEqual(["b", "a", channel.id]);
    expect((await ann.sees("Picked")).buttons).toEqual([]);
  });
});

it("marks attachments of strangers' hosts only when a test says so", async () => {
  await using bot = await connected([{ ...go, options: [{ type: 11, name: "image", description: "x" }] }]);
  const urls: string[] = [];
  const answer = async (interaction: Interaction) => {
    if (!interaction.isChatInputCommand()) return;
    urls.push(interaction.options.getAttachment("image", true).url);
    await interaction.reply("ok");
  };
  bot.client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
  const ann = bot.discord.person({ name: "Ann" });
  await ann.uses("/go", { image: attachment(Buffer.from("x"), "x.png") });
  await ann.uses("/go", {
    image: attachment(Buffer.from("x"), "x.png", { url: "http://evil.example/x.png" }),
  });
  expect(urls[0]).toContain(`${bot.discord.url}/cdn/ephemeral-attachments/`);
  expect(urls[1]).toBe("http://evil.example/x.png");
});
