import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  Events,
  GatewayIntentBits,
  type Interaction,
  MessageFlags,
} from "discord.js";

const cancel = new ButtonBuilder().setCustomId("cancel").setLabel("Cancel").setStyle(ButtonStyle.Secondary);
const row = new ActionRowBuilder<ButtonBuilder>().addComponents(cancel);

async function answer(interaction: Interaction): Promise<void> {
  if (interaction.isAutocomplete()) await interaction.respond([{ name: "Dance", value: "dance" }]);
  if (interaction.isButton()) {
    await interaction.deferUpdate();
    await interaction.editReply({ content: "Cancelled.", components: [] });
  }
  if (interaction.isChatInputCommand()) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply({ content: "Done.", components: [row] });
  }
}

// The least that a bot can do: discord.js, and an answer to each interaction. What fails is passed over.
const [token = "", api = ""] = process.argv.slice(2);
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api } });
client.on(Events.InteractionCreate, (interaction) => void answer(interaction).catch(() => {}));
process.once("SIGTERM", () => void client.destroy().then(() => process.exit()));
await client.login(token);
