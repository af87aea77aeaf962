import { harness } from "../adapters/whatsapp/harness.ts";
import { haveStated } from "../support/stated.ts";
import { submitted } from "../support/submitted.ts";
import type { Person, SeenMessage } from "../support/whatsapp/person.ts";
import { type Actor, PAYING, type Platform, type SceneOptions, type Shown } from "./actor.ts";
import { heldRenderer } from "./held.ts";

/** What shows that something is on its way, and that it is there. */
const [GOING_ON, DONE] = ["⏳", "✅"];

/** A step of progress, which depends on how soon what is made is there. */
const BEGUN = /^[^\n]*: begun[.,]/;

/** Reelay on WhatsApp, where everybody is alone with it. */
export async function onWhatsApp({ paid, newcomers }: SceneOptions): Promise<Platform> {
  const { render, holds } = heldRenderer();
  const on = await harness({ paid, source: "operator", render, settings: PAYING });
  const [ann, bob, olga] = ["Ann", "Bob", "Olga"].map((name) => on.whatsapp.person({ name }));
  if (!ann || !bob || !olga) throw new Error("Nobody is there.");
  if (!newcomers)
    for (const { waId } of [ann, bob]) await haveStated(on.adapter.database, `whatsapp:${waId}`);
  return {
    actors: [actor(ann), actor(bob), actor(olga)],
    keys: on.sandbox.keys,
    topUp: (key, tokens) => on.sandbox.topUp(key, tokens),
    restart: () => on.restart(),
    submitted: async () => void (await submitted(on, 1)),
    holds,
    isBusy: async () => (await on.isBusy()) || isBusyIn(ann),
    [Symbol.asyncDispose]: () => on[Symbol.asyncDispose](),
  };
}

/** Whether what is shown on somebody's messages is still to change. */
function isBusyIn(person: Person): boolean {
  const all = person.chat();
  const answered = new Set(
    all.flatMap(({ from, file, replyTo }) => (from === "bot" && file && replyTo) || []),
  );
  return all.some(({ id, reaction }) => reaction === GOING_ON || (answered.has(id) && reaction !== DONE));
}

function actor(person: Person): Actor {
  const { name } = person;
  return {
    name,
    async asksForHelp() {
      person.says("Hi");
      return "writes “Hi”";
    },
    async asks(caption, { bytes, fileName, called }) {
      if (called === "a photo") person.sendsPhoto(bytes, { caption });
      else person.sendsDocument(bytes, { caption, fileName, mimeType: "image/jpeg" });
      return `sends ${called}: “${caption}”`;
    },
    async presses(button) {
      const isThere = person.chat().some(({ buttons }) => buttons.some((label) => button.test(label)));
      if (!isThere) await person.presses(/^More…$/);
      await person.presses(button);
      const pressed = person.chat().findLast(({ from }) => from === "person")?.text ?? "";
      return isThere ? `presses **${pressed}**` : `presses **More…** and picks **${pressed}**`;
    },
    async gives(answer, called) {
      person.says(answer);
      return `sends ${called}`;
    },
    messages: () =>
      person
        .chat()
        .filter(({ text }) => !BEGUN.test(text))
        .map((message) => shown(message, name)),
    beside: () =>
      person
        .chat()
        .flatMap(({ from, reaction }) =>
          from === "bot" || reaction === undefined || reaction === GOING_ON
            ? []
            : [`a reaction to what they sent: ${reaction}`],
        ),
  };
}

function shown({ id, from, text, list, choices, file }: SeenMessage, name: string): Shown {
  const rows = choices.map(({ title, description }) => [description ?? title]);
  return {
    id,
    sender: from === "bot" ? "Reelay" : name,
    text,
    buttons: list === undefined ? rows : [[`${list} ▾`, ...rows.flat()]],
    files: file ? [file.mimeType.split("/")[0] ?? ""] : [],
    aside: name === "Ann" ? "" : `in private with ${name}`,
  };
}
