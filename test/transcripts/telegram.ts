import type { Group } from "../support/telegram/group.ts";
import { PATIENT, harness } from "../adapters/telegram/words-harness.ts";
import { haveStated } from "../support/stated.ts";
import { submitted } from "../support/submitted.ts";
import { FakeTelegram } from "../support/telegram/fake-telegram.ts";
import type { Person } from "../support/telegram/person.ts";
import type { SeenMessage } from "../support/telegram/seen.ts";
import { type Actor, PAYING, type Platform, type SceneOptions, type Shown } from "./actor.ts";
import { heldRenderer } from "./held.ts";

/** What a transcript calls the kinds of media. */
const CALLED: Readonly<Record<string, string>> = { document: "file", voice: "voice message" };

/** Reelay on Telegram. */
export async function onTelegram({
  paid,
  newcomers,
  group,
  managed,
  settings,
}: SceneOptions): Promise<Platform> {
  const telegram = await FakeTelegram.start({ limits: PATIENT });
  const [ann, bob, olga] = ["Ann", "Bob", "Olga"].map((name) => telegram.person({ name }));
  if (!ann || !bob || !olga) throw new Error("Nobody is there.");
  const named = `telegram:${olga.user.id}`;
  const { render, holds } = heldRenderer();
  const on = await harness({
    telegram,
    paid,
    source: "operator",
    render,
    settings: { ...PAYING, ...settings?.({ person: named, reports: named }) },
  });
  if (!newcomers) for (const { user } of [ann, bob]) await haveStated(on.database, `telegram:${user.id}`);
  // Bots cannot begin a conversation.
  olga.says("/start");
  await olga.sees("Send me a photo");
  const room = group ? telegram.group({ title: "Films", admin: true }) : undefined;
  if (room && managed) {
    room.appoints(olga);
    olga.says(`/start g_${room.chat.id}`);
    await olga.presses("Reports go to");
    await olga.presses("To me, in this chat");
    await olga.sees("From now on I say here");
    await olga.sees("Reports go to: Olga");
  }
  return {
    actors: [actor(ann, room), actor(bob, room), actor(olga)],
    keys: on.sandbox.keys,
    topUp: (key, tokens) => on.sandbox.topUp(key, tokens),
    restart: () => on.restart(),
    submitted: async () => void (await submitted(on, 1)),
    holds,
    isBusy: () => on.isBusy(),
    [Symbol.asyncDispose]: () => on[Symbol.asyncDispose](),
  };
}

/** @param room the group that they are in; else they are alone with the bot */
function actor(privately: Person, room?: Group): Actor {
  const person = room ? privately.in(room) : privately;
  const name = person.user.first_name;
  const toBot = room ? "@reelay_bot " : "";
  const besides: string[] = [];
  const reacted = new Set<number>();
  let flashed = 0;
  return {
    name,
    async asksForHelp() {
      person.says("/start");
      return "opens the chat and presses Start";
    },
    async asks(words, { bytes, fileName, called }) {
      const caption = `${toBot}${words}`;
      const isPhoto = called === "a photo";
      if (isPhoto) await person.sendsPhoto(bytes, { caption });
      else person.sendsDocument(bytes, { caption, fileName, mimeType: "image/jpeg" });
      return `sends ${called}: “${caption}”`;
    },
    async presses(button) {
      let label = "";
      await person.presses(({ text }) => {
        label = text;
        return button.test(text);
      });
      return `presses **${label}**`;
    },
    async gives(answer, called) {
      // In a group only answers are meant for the bot.
      const asked = room && person.chat().findLast(({ from }) => from === "bot");
      person.says(answer, asked && { replyTo: asked });
      return asked ? `answers that message with ${called}` : `sends ${called}`;
    },
    messages: () =>
      person.chat().map((message) => shown(message, room || name === "Ann" ? "" : `in private with ${name}`)),
    beside: () => {
      const reactions = person
        .chat()
        .flatMap(({ id, reaction, sender }) =>
          reaction === undefined || sender !== name || reacted.has(id) ? [] : [{ id, reaction }],
        );
      const flashes = privately.toasts().slice(flashed);
      flashed += flashes.length;
      besides.push(...flashes.flatMap(({ text }) => (text ? [`a sentence that flashes up: ${text}`] : [])));
      for (const { id, reaction } of reactions) {
        reacted.add(id);
        besides.push(`a reaction to what they sent: ${reaction}`);
      }
      return besides;
    },
  };
}

function shown(seen: SeenMessage, aside: string): Shown {
  const { chatId, id, from, sender, buttons, media } = seen;
  return {
    id: `${chatId}:${id}`,
    sender: from === "bot" ? "Reelay" : sender,
    text: marked(seen),
    buttons,
    files: media ? [CALLED[media.kind] ?? media.kind] : [],
    aside,
  };
}

/** What a message says; what is behind a tap stands between bars. */
function marked({ text, message }: SeenMessage): string {
  const entities = message.entities ?? message.caption_entities ?? [];
  return entities
    .filter(({ type }) => type === "spoiler")
    .toReversed()
    .reduce((said, { offset, length }) => {
      const end = offset + length;
      return `${said.slice(0, offset)}||${said.slice(offset, end)}||${said.slice(end)}`;
    }, text);
}
