import { attachment } from "../../support/discord/attachment.ts";
import type { Channel } from "../../support/discord/channel.ts";
import type { Person } from "../../support/discord/person.ts";
import type { SeenMessage } from "../../support/discord/seen.ts";
import { testPicture } from "../../support/sandbox.ts";
import { harness } from "./harness.ts";

export const photo = Buffer.from(await testPicture(), "base64");

/** A photo to attach. */
export const cat = attachment(photo, "cat.jpg");

/** Whether a message shows what was made. */
export const isResult = ({ files, from, text }: SeenMessage) =>
  from === "bot" && files.length > 0 && !text.includes("costs");

/** What differs for those who come for the first time. */
interface MakingOptions extends NonNullable<Parameters<typeof harness>[0]> {
  /** Whether nobody has stated anything yet. */
  readonly newcomers?: boolean;
}

/** The bot, and Ann in a channel of a server, where Bob reads along. `await using` stops it. */
export async function makingHarness({ newcomers = false, ...options }: MakingOptions = {}) {
  const on = await harness(options);
  const [ann, bob] = ["Ann", "Bob"].map((name) => on.discord.person({ name }));
  if (!ann || !bob) throw new Error("Nobody is there.");
  const channel = on.discord.guild({ name: "Films" }).channel();
  for (const person of [ann, bob]) person.joins(channel);
  if (!newcomers) await on.stated([ann, bob]);
  return { on, ann, bob, channel, [Symbol.asyncDispose]: () => on[Symbol.asyncDispose]() };
}

/** Has somebody make their first video. */
export async function makeFirst(person: Person, channel: Channel): Promise<void> {
  await person.uses("/make video", { image: cat, prompt: "first" }, { in: channel });
  await person.presses(/^Make it/);
  await person.sees(isResult, { in: channel });
}

/** Lets somebody allow what costs little to begin at once. */
export async function allowSpending(person: Person, tokens: string): Promise<void> {
  await person.uses("/settings");
  await person.submitsModal({ Language: "English", "Ask only above (tokens)": tokens });
  await person.sees("Saved.");
}
