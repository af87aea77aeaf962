import { makeCommands } from "../adapters/discord/commands/options.ts";
import { wordCommands } from "../adapters/discord/commands/commands.ts";
import { COMMAND_SPECS } from "../src/domain/dispatch/registry.ts";
import { attachment } from "../test/support/discord/attachment.ts";
import { call } from "../test/support/discord/bare-bot.ts";
import { FakeDiscord } from "../test/support/discord/fake-discord.ts";
import { testPicture } from "../test/support/sandbox.ts";
import { FakeTelegram } from "../test/support/telegram/fake-telegram.ts";
import { onDiscord } from "../test/transcripts/discord.ts";
import { isFilm, played, SCENES } from "../test/transcripts/scenes.ts";
import { onTelegram } from "../test/transcripts/telegram.ts";
import type { Entry } from "../test/transcripts/transcript.ts";
import { compiled } from "./support/compiled.ts";
import { type MeasuredBot, startBot, startReelay } from "./support/measured-bot.ts";
import { median, percent, quantile, say, type Section, table } from "./support/report.ts";
import { type BenchService, startService } from "./support/service.ts";

const PRESSES = 100;
/** The first presses find programs that nothing has run in yet. */
const WARM_UP = 10;
/** How long a bot may take to start, in milliseconds. */
const START_MS = 60_000;
/** Within what time a press is to be answered, in milliseconds. */
const GOAL_MS = 300;
/** What spends: Reelay's button to somebody new, and the least bot's. */
const BEGIN = /generate|Generate|^Cancel$/;

const photo = Buffer.from(await testPicture(), "base64");

/** A bot on a platform, and how long its people waited, in milliseconds. */
interface Waited {
  readonly name: string;
  readonly ms: readonly number[];
}

/** Has newcomers press, one after the other. */
async function waits(name: string, press: (nth: number) => Promise<number>): Promise<Waited> {
  say(`  ${name}`);
  const ms: number[] = [];
  for (let nth = 0; nth < WARM_UP + PRESSES; nth++) ms.push(await press(nth));
  return { name, ms: ms.slice(WARM_UP) };
}

async function onOneTelegram(name: string, start: (telegram: FakeTelegram) => MeasuredBot): Promise<Waited> {
  // The least bot obeys no limit: refused once, it would wait for ever.
  await using telegram = await FakeTelegram.start({ limits: { chatBurst: Infinity, botMessages: Infinity } });
  await using _ = start(telegram);
  return await waits(name, async (nth) => {
    const person = telegram.person({ name: `Visitor ${nth}` });
    await person.sendsPhoto(photo, { caption: `zoom ${nth}` });
    const offer = await person.sees(({ buttons }) => buttons.flat().some((label) => BEGIN.test(label)), {
      within: START_MS,
    });
    const answers = () => telegram.calls("answerCallbackQuery").length;
    const before = answers();
    const begin = performance.now();
    await person.presses(BEGIN, { on: offer });
    await telegram.until(() => answers() > before);
    return performance.now() - begin;
  });
}

async function onOneDiscord(name: string, start: (discord: FakeDiscord) => MeasuredBot): Promise<Waited> {
  await using discord = await FakeDiscord.start();
  // Both are asked by the same commands.
  const commands = [...makeCommands(COMMAND_SPECS), ...wordCommands(COMMAND_SPECS)];
  await call(discord, `PUT /applications/${discord.applicationId}/commands`, commands);
  await using _ = start(discord);
  await discord.until(() => discord.gateway.connected > 0, START_MS);
  const channel = discord.guild({ name: "Films" }).channel();
  return await waits(name, async (nth) => {
    const person = discord.person({ name: `Visitor ${nth}` });
    const values = { image: attachment(photo, "photo.jpg"), prompt: `zoom ${nth}` };
    await person.uses("/make video", values, { in: channel });
    const offer = await person.sees(({ buttons }) => buttons.flat().includes("Cancel"));
    const spends = offer.buttons.flat().find((label) => BEGIN.test(label)) ?? "";
    return (await person.presses(spends, { on: offer })).acknowledgedAfter;
  });
}

/** How long it takes until a press is answered: of Reelay, and of the least bot of the same library. */
async function answered(service: BenchService): Promise<readonly (readonly Waited[])[]> {
  const telegram = [
    await onOneTelegram("Telegram: Reelay", ({ token, url }) =>
      startReelay(service, { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: url }),
    ),
    await onOneTelegram("Telegram: telegraf, answerCbQuery", ({ token, url }) =>
      startBot(compiled("telegram-least"), [token, url]),
    ),
  ];
  const discord = [
    await onOneDiscord("Discord: Reelay", ({ token, url }) =>
      startReelay(service, { DISCORD_BOT_TOKEN: token, DISCORD_API_ROOT: url }),
    ),
    await onOneDiscord("Discord: discord.js, deferUpdate", ({ token, url }) =>
      startBot(compiled("discord-least"), [token, url]),
    ),
  ];
  return [telegram, discord];
}

/** What a conversation took from asking with a photo to the film. */
function counted(entries: readonly Entry[]): string[] {
  const asked = entries.findIndex((entry) => entry.kind === "does" && entry.what.includes("a photo"));
  const way = entries.slice(asked, 1 + entries.findIndex(isFilm));
  const acts = way.filter(({ kind }) => kind === "does");
  const presses = acts.filter((entry) => entry.kind === "does" && entry.press).length;
  const posts = way.filter(({ kind }) => kind === "posts").length;
  const edits = way.filter(({ kind }) => kind === "edits").length;
  return [presses, acts.length - presses, posts, edits].map(String);
}

/** The conversations that end with a film, on both platforms. */
const WAYS = new Set(["Somebody new", "Somebody who was here before", "Without a key"]);

async function ways(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [platform, open] of [
    ["Telegram", onTelegram],
    ["Discord", onDiscord],
  ] as const)
    for (const scene of SCENES.filter(({ title }) => WAYS.has(title))) {
      say(`  ${platform}: ${scene.title}`);
      const { entries } = await played(scene, open);
      rows.push([`${platform}: ${scene.title.toLowerCase()}`, ...counted(entries)]);
    }
  return rows;
}

/** From a photo to the film: what people do and read, and how soon the press that spends is answered. */
export async function conversation(): Promise<Section> {
  await using service = await startService({ timeScale: 1, people: 0 });
  const platforms = await answered(service);
  const rows = platforms.flatMap((bots) => {
    const least = Math.min(...bots.map(({ ms }) => median(ms)));
    return bots.map(({ name, ms }) => [
      name,
      `${median(ms).toFixed(1)} ms`,
      `${quantile(ms, 0.99).toFixed(1)} ms`,
      `${(median(ms) / least).toFixed(1)} x`,
      percent(ms.filter((one) => one <= GOAL_MS).length / ms.length),
    ]);
  });
  const text = `What people do and read from the photo to the film, counted in the conversations that the tests keep
(docs/conversations-telegram.md and docs/conversations-discord.md); progress that does not stay is not counted. The least would
be a press, the photo with its words, and two messages to read: the offer and the film. Without a key, the first one
that is sent has a mistake in it.

${table(["", "presses", "messages and forms sent", "messages read", "changes of them"], await ways())}

How soon the press that spends is answered: ${PRESSES} newcomers, one after the other, each with a photo and a wish, after
${WARM_UP} more that are not counted; from the press to the answer on the platform's side, on loopback. Reelay is the whole program
as it is always started, in a process of its own, with jobs of those who came before under way, and every press on disk
before its answer on Discord; the service is a third process. No platform refuses anything here for coming too fast.
The peer is the least that a bot can be: the platform's library, and the answer as the first thing that is done.

${table(["", "median", "99th percentile", "ratio", `within ${GOAL_MS} ms`], rows)}`;
  return { title: "From a photo to the film", text };
}
