import { harness } from "../adapters/discord/harness.ts";
import { attachment } from "../support/discord/attachment.ts";
import type { Channel } from "../support/discord/channel.ts";
import type { FakeDiscord } from "../support/discord/fake-discord.ts";
import type { SeenModal } from "../support/discord/modal-form.ts";
import type { Person } from "../support/discord/person.ts";
import type { SeenMessage } from "../support/discord/seen.ts";
import { labelOf } from "../support/discord/seen.ts";
import { submitted } from "../support/submitted.ts";
import { type Actor, PAYING, type Platform, type SceneOptions, type Shown } from "./actor.ts";
import { heldRenderer } from "./held.ts";

/** Where a server's managers are told of reports. */
const MANAGERS = "in the managers' channel";

/** Who is where: Ann and Bob in a server, Olga in the operator's own. */
function people(discord: FakeDiscord, managed: boolean) {
  const [ann, bob, olga] = ["Ann", "Bob", "Olga"].map((name) => discord.person({ name }));
  if (!ann || !bob || !olga) throw new Error("Nobody is there.");
  const guild = discord.guild({ name: "Films" });
  const films = guild.channel();
  const office = managed
    ? guild.channel({ name: "moderators" })
    : discord.guild({ name: "Office" }).channel();
  for (const person of [ann, bob]) person.joins(films);
  olga.joins(office);
  if (managed) guild.appoints(olga);
  return { ann, bob, olga, films, office };
}

/** Reelay on Discord. */
export async function onDiscord({ paid, newcomers, managed, settings }: SceneOptions): Promise<Platform> {
  let there: ReturnType<typeof people> | undefined;
  const { render, holds } = heldRenderer();
  const on = await harness({
    paid,
    source: "operator",
    render,
    settings(discord) {
      there = people(discord, managed);
      const { olga, office } = there;
      return {
        ...PAYING,
        ...settings?.({ person: `discord:${olga.user.id}`, reports: `discord:${office.id}` }),
      };
    },
  });
  if (!there) throw new Error("Nobody is there.");
  const { ann, bob, olga, films, office } = there;
  const naming = namesIn([ann, bob, olga], [films, office]);
  if (!newcomers) await on.stated([ann, bob]);
  if (managed) {
    await olga.uses("/server log", {}, { in: office });
    await olga.selects("Choose a channel", [office]);
    await olga.sees("Saved.");
  }
  const called = managed ? MANAGERS : "in the operator's channel";
  return {
    actors: [actor(ann, films, naming), actor(bob, films, naming), actor(olga, office, naming, called)],
    keys: on.sandbox.keys,
    topUp: (key, tokens) => on.sandbox.topUp(key, tokens),
    restart: () => on.restart(),
    submitted: async () => void (await submitted(on, 1)),
    holds,
    isBusy: () => on.isBusy(),
    [Symbol.asyncDispose]: () => on[Symbol.asyncDispose](),
  };
}

/** Names people and channels as Discord does where it is sent an id. */
function namesIn(people: readonly Person[], channels: readonly Channel[]): (text: string) => string {
  const names = new Map<string, string>([
    ...people.map(({ user }) => [`<@${user.id}>`, `@${user.global_name}`] as const),
    ...channels.map(({ id, name }) => [`<#${id}>`, `#${name}`] as const),
  ]);
  return (text) => text.replaceAll(/<[@#]\d+>/g, (id) => names.get(id) ?? id);
}

function actor(person: Person, channel: Channel, naming: (text: string) => string, called = ""): Actor {
  const name = person.user.global_name ?? person.user.username;
  const beside: string[] = [];
  /** Does something, and notes the form that it opened. */
  const opening = async (act: Promise<unknown>) => {
    const before = person.modal();
    await act;
    const modal = person.modal();
    if (modal && modal !== before) beside.push(formOf(modal));
  };
  return {
    name,
    async asksForHelp() {
      await person.uses("/help", {}, { in: channel });
      return "uses `/help`";
    },
    async asks(prompt, { bytes, fileName, called }) {
      await opening(
        person.uses("/make video", { image: attachment(bytes, fileName), prompt }, { in: channel }),
      );
      return `uses \`/make video\` with ${called}: “${prompt}”`;
    },
    async presses(button) {
      let label = "";
      await opening(
        person.presses((control) => {
          label = labelOf(control);
          return button.test(label);
        }),
      );
      return `presses **${label}**`;
    },
    async gives(answer, called) {
      const [field] = person.modal()?.fields ?? [];
      if (!field) throw new Error("No form is open.");
      await person.submitsModal({ [field.label]: answer });
      return `fills in “${field.label}” with ${called}, and sends the form`;
    },
    messages: () => person.chat().map((message) => shown(message, name, channel, naming, called)),
    beside: () => beside,
  };
}

function formOf({ title, texts, fields }: SeenModal): string {
  const asked = fields.map(({ label, description }) => [label, description].filter(Boolean).join(": "));
  return [`a form opens, **${title}**`, ...texts, ...asked].join("\n");
}

function shown(
  message: SeenMessage,
  name: string,
  channel: Channel,
  naming: (text: string) => string,
  called: string,
): Shown {
  const { id, channelId, from, sender, text, embeds, buttons, files, ephemeral } = message;
  const cards = embeds.flatMap(({ title, description, fields = [], footer }) => {
    const lines = fields.map((field) => `${field.name}: ${field.value}`);
    return [title, description, lines.join("\n"), footer?.text];
  });
  // A server's managers read along in its other channels, too.
  const elsewhere = called === MANAGERS ? "" : called || "in a direct message";
  return {
    id,
    sender: from === "bot" ? "Reelay" : sender,
    text: naming([text, ...cards].filter(Boolean).join("\n")),
    buttons,
    files: files.map(({ contentType }) => contentType.split("/")[0] ?? ""),
    aside: ephemeral ? `only ${name} sees this` : channelId === channel.id ? called : elsewhere,
  };
}
