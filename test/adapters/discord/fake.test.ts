import {
  ActionRowBuilder,
  ApplicationCommandOptionType as Kind,
  ButtonBuilder,
  ButtonStyle,
  Events,
  type Interaction,
  LabelBuilder,
  Locale,
  MessageFlags,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { describe, expect, it } from "vitest";
import { attachment } from "../../support/discord/attachment.ts";
import { connected } from "../../support/discord/bare-bot.ts";

const make = {
  name: "make",
  description: "Make something",
  name_localizations: { de: "mache" },
  options: [
    {
      type: Kind.Subcommand as const,
      name: "video",
      description: "A video",
      options: [
        { type: Kind.Attachment as const, name: "image", description: "A photo", required: true },
        {
          type: Kind.String as const,
          name: "prompt",
          name_localizations: { de: "text" },
          description: "What happens",
          max_length: 20,
        },
        { type: Kind.Integer as const, name: "seconds", description: "Length", min_value: 1, max_value: 10 },
        { type: Kind.String as const, name: "template", description: "Template", autocomplete: true },
      ],
    },
  ],
};
const animate = { name: "Animate", type: 3 };
const photo = attachment(Buffer.from("photo"), "photo.jpg");

/** Lets the bot answer interactions. */
function answering(
  client: { on(event: Events.InteractionCreate, listener: (one: Interaction) => void): unknown },
  answer: (interaction: Interaction) => Promise<unknown>,
): void {
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
}

const button = (id: string, label: string) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(ButtonStyle.Primary),
  );

describe("a conversation", () => {
  it("goes from a command over a deferred answer and a button to a modal", async () => {
    await using bot = await connected([make]);
    answering(bot.client, async (interaction) => {
      if (interaction.isChatInputCommand()) {
        await interaction.deferReply();
        const file = interaction.options.getAttachment("image", true);
        const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer());
        await interaction.editReply({
          content: `Made of ${String(bytes)}`,
          files: [{ attachment: Buffer.from("film"), name: "film.mp4" }],
          components: [button("change", "Change")],
        });
      } else if (interaction.isButton()) {
        const input = new TextInputBuilder()
          .setCustomId("text")
          .setStyle(TextInputStyle.Short)
          .setMaxLength(9);
        const label = new LabelBuilder().setLabel("What happens").setTextInputComponent(input);
        await interaction.showModal(
          new ModalBuilder().setCustomId("again").setTitle("Change it").addLabelComponents(label),
        );
      } else if (interaction.isModalSubmit()) {
        const content = `Again: ${interaction.fields.getTextInputValue("text")}`;
        await interaction.reply({ content, flags: MessageFlags.Ephemeral });
      }
    });
    const ann = bot.discord.person({ name: "Ann" });
    const bob = bot.discord.person({ name: "Bob" });
    const channel = bot.discord.guild({ name: "Films" }).channel();
    bob.joins(channel);
    await ann.uses("/make video", { image: photo, prompt: "She waves" }, { in: channel });
    const made = await ann.sees("Made of photo");
    expect(made).toMatchObject({ buttons: [["Change"]], ephemeral: false, thinking: false });
    expect(made.history[0]).toMatchObject({ text: "" });
    expect(made.files.map(({ name, bytes }) => [name, String(bytes)])).toEqual([["film.mp4", "film"]]);
    await bob.sees("Made of photo");
    await ann.presses("Change");
    expect(ann.modal()).toMatchObject({ title: "Change it", fields: [{ label: "What happens", most: 9 }] });
    await expect(ann.submitsModal({ "What happens": "far too much of it" })).rejects.toThrow("0 to 9");
    await ann.submitsModal({ "What happens": "she sits" });
    expect(await ann.sees("Again: she sits")).toMatchObject({ ephemeral: true });
    expect(bob.chat().map(({ text }) => text)).toEqual(["Made of photo"]);
  });

  it("offers what autocomplete suggests, and sends what the name stands for", async () => {
    await using bot = await connected([make]);
    const templates: (string | null)[] = [];
    answering(bot.client, async (interaction) => {
      if (interaction.isAutocomplete()) {
        await interaction.respond([
          {
            name: "Dance",
            nameLocalizations: { de: "Tanz" },
            value: `t1 ${interaction.options.getFocused()}`,
          },
        ]);
      } else if (interaction.isChatInputCommand()) {
        templates.push(interaction.options.getString("template"));
        await interaction.reply("ok");
      }
    });
    const ann = bot.discord.person({ name: "Ann", locale: Locale.German });
    expect(ann.commands()).toEqual([{ name: "/mache", description: "Make something" }]);
    const choices = await ann.types("/mache video", "template", "dan");
    expect(choices.map(({ name }) => name)).toEqual(["Tanz"]);
    await ann.uses("/mache video", { image: photo, template: "Tanz", text: "hallo" });
    expect(templates).toEqual(["t1 dan"]);
  });

  it("starts from a message's menu, also where only a person installed the app", async () => {
    await using bot = await connected([{ ...animate, contexts: [0, 1, 2], integration_types: [0, 1] }]);
    answering(bot.client, async (interaction) => {
      if (!interaction.isMessageContextMenuCommand()) return;
      await interaction.reply(interaction.targetMessage.attachments.map(({ name }) => name).join());
    });
    const ann = bot.discord.person({ name: "Ann", installed: true });
    const bob = bot.discord.person({ name: "Bob" });
    const channel = bot.discord.guild({ name: "Elsewhere", bot: false }).channel();
    const message = await bob.says("Look", { in: channel, files: [photo] });
    await expect(bob.contextMenu("Animate", message)).rejects.toThrow("is offered no command Animate");
    await ann.contextMenu("Animate", message);
    await bob.sees("photo.jpg");
  });
});
