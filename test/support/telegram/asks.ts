import { testPicture } from "../sandbox.ts";
import type { Person } from "./person.ts";
import type { SeenMessage } from "./seen.ts";

const photo = Buffer.from(await testPicture(), "base64");

/**
 * Whether a message shows what was made, since however many edits: killed before noting that it is there, the bot puts it
 * there again.
 */
export const isFilm = ({ from, media }: SeenMessage): boolean => from === "bot" && media?.kind === "video";

/**
 * Sends a photo with words, agrees to whatever must be agreed to, and waits for what is made of it.
 * @param within how long each step may take, in milliseconds
 */
export async function asksFor(person: Person, words: string, within: number): Promise<void> {
  await person.sendsPhoto(photo, { caption: words });
  await begins(person, within);
}

/**
 * Presses the button that spends, and states what must be stated, until the result is there. Killed between posting a draft and noting where, the bot says that the press
 * came too late, and posts the draft again.
 */
async function begins(person: Person, within: number): Promise<void> {
  const { length: after } = person.toasts();
  await person.presses(/Yes, generate/, { within });
  const isStale = await Promise.race([
    person.sees(isFilm, { within }).then(() => false),
    person.hears(/too old/, { within, after }).then(() => true),
  ]);
  if (isStale) await begins(person, within);
}
