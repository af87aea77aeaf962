import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Child } from "../../support/crash-child.ts";
import type { Channel } from "../../support/discord/channel.ts";
import type { Person } from "../../support/discord/person.ts";
import { cat, isResult } from "./making-harness.ts";
import { surroundings } from "./program-harness.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

/** How long each life lasts from when it listens, in milliseconds. */
const LIVES_MS = [0, 250, 1_500, 700, 2_500, 400];

/** For as long as all of the lives last: each takes its time to start on a busy machine. */
const within = LIVES_MS.length * PATIENCE_MS;

/** Somebody, and where they ask. */
interface Guest {
  readonly person: Person;
  readonly in: Channel;
  readonly private?: boolean;
}

/** Does something again as long as Discord says that the application did not respond. */
async function insists(act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!String(error).includes("did not respond")) throw error;
    }
  }
}

/** Asks for a video, agrees to whatever must be agreed to, and waits for it. */
async function asksFor({ person, ...guest }: Guest, prompt: string): Promise<void> {
  const where = { in: guest.in, within };
  const options = { image: cat, prompt, private: guest.private ?? false };
  await insists(() => person.uses("/make video", options, where));
  await insists(() => person.presses(/^Yes, generate/, where));
  await person.sees(isResult, where);
}

describe("killed again and again while people use it", { timeout: 2 * within }, () => {
  it("makes for each what they asked for once, shows it once, and leaves nobody waiting", async () => {
    await using at = await surroundings();
    const { discord, sandbox, home } = at;
    const films = discord.guild({ name: "Films" });
    const elsewhere = discord.guild({ name: "Elsewhere", bot: false });
    const bob = discord.person({ name: "Bob" });
    const guests: readonly Guest[] = [
      { person: discord.person({ name: "Ann" }), in: films.channel() },
      { person: bob, in: bob.conversation },
      { person: discord.person({ name: "Carla" }), in: films.channel(), private: true },
      { person: discord.person({ name: "Dora", installed: true }), in: elsewhere.channel() },
    ];
    const dances = guests.map(({ person }) => `dance of ${person.user.username}`);
    let everybody: Promise<unknown> = Promise.resolve();
    for (const [nth, ms] of LIVES_MS.entries()) {
      using life = new Child(home);
      await life.url;
      if (nth === 0) everybody = Promise.all(guests.map((one, who) => asksFor(one, dances[who] ?? "")));
      await sleep(ms);
      life.kill();
      await life.untilKilled();
    }
    using _ = new Child(home);
    await everybody;
    const { submissions } = await sandbox.ledger();
    expect(submissions).toHaveLength(guests.length);
    expect(new Set(submissions.map(({ prompt }) => prompt))).toEqual(new Set(dances));
    const chats = () => guests.map(({ person, in: channel }) => person.chat({ in: channel }));
    await discord.until(() => !chats().some((chat) => chat.some(({ thinking }) => thinking)), within);
    for (const chat of chats()) expect(chat.filter(isResult)).toHaveLength(1);
    expect(discord.calls().filter(({ error }) => error?.status === 429)).toEqual([]);
  });
});
