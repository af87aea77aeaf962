import { testPicture } from "../sandbox.ts";
import { attachment, type PersonsFile } from "./attachment.ts";
import type { Channel } from "./channel.ts";
import type { FakeDiscord } from "./fake-discord.ts";
import type { Person } from "./person.ts";
import type { SeenMessage } from "./seen.ts";

/** Somebody of a crowd, and where they use the bot. */
interface Guest {
  readonly person: Person;
  readonly channel: Channel;
}

/** The same with the draft of a video in front of them. */
export interface Visitor extends Guest {
  readonly draft: SeenMessage;
}

/** What everybody does once. */
const ACTS: readonly ((visitor: Visitor, photo: PersonsFile) => Promise<unknown>)[] = [
  makes,
  ({ person, channel }) => person.uses("/balance", {}, { in: channel }),
  ({ person, channel }) => person.uses("/jobs", {}, { in: channel }),
  ({ person, channel }) => person.types("/make video", "template", "a", { in: channel }),
  ({ person, draft }) => person.presses("Cancel", { on: draft }),
];

/** How many things everybody does. */
export const ACTS_EACH = ACTS.length;

function makes({ person, channel }: Guest, photo: PersonsFile): Promise<unknown> {
  return person.uses("/make video", { image: photo, prompt: "zoom" }, { in: channel });
}

/** Many people come, evenly in time, every second one in a server; each asks for a video, and sees what it costs. */
export async function gathered(
  discord: FakeDiscord,
  { people, withinMs }: { readonly people: number; readonly withinMs: number },
): Promise<readonly Visitor[]> {
  const photo = await newPhoto();
  const room = discord.guild({ name: "Crowded" }).channel();
  return discord.spread(people, withinMs, async (nth) => {
    const person = discord.person({ name: `Visitor ${nth}` });
    const guest = { person, channel: nth % 2 === 0 ? room : person.conversation };
    await makes(guest, photo);
    const draft = await person.sees(({ buttons }) => buttons.flat().includes("Cancel"));
    return { ...guest, draft };
  });
}

/** Everybody does everything once: evenly in time, and at each moment as mixed as at any other. */
export async function bustling(
  discord: FakeDiscord,
  visitors: readonly Visitor[],
  withinMs: number,
): Promise<void> {
  const photo = await newPhoto();
  await discord.spread(visitors.length * ACTS_EACH, withinMs, async (index) => {
    const nth = index % visitors.length;
    const round = Math.floor(index / visitors.length);
    const visitor = visitors[nth];
    if (visitor) await ACTS[(nth + round) % ACTS_EACH]?.(visitor, photo);
  });
}

async function newPhoto(): Promise<PersonsFile> {
  return attachment(Buffer.from(await testPicture(), "base64"), "photo.jpg");
}
