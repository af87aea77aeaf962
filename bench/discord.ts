import { RESTJSONErrorCodes } from "discord.js";
import { makeCommands } from "../adapters/discord/commands/options.ts";
import { wordCommands } from "../adapters/discord/commands/commands.ts";
import { DISCORD } from "../adapters/discord/api/limits.ts";
import { COMMAND_SPECS } from "../src/domain/dispatch/registry.ts";
import { call } from "../test/support/discord/bare-bot.ts";
import { ACTS_EACH, bustling, gathered, type Visitor } from "../test/support/discord/crowd.ts";
import { FakeDiscord } from "../test/support/discord/fake-discord.ts";
import { compiled } from "./support/compiled.ts";
import { type MeasuredBot, startBot, startReelay } from "./support/measured-bot.ts";
import { median, quantile, say, type Section, table } from "./support/report.ts";
import { type BenchService, startService } from "./support/service.ts";
import { silence } from "./support/silence.ts";

const PEOPLE = 100;
const SECONDS = 5;
const CROWDS = 2;
/** How long a crowd takes to come, in milliseconds. */
const GATHERING_MS = 3_000;
/** How long a bot may take to start, in milliseconds. */
const START_MS = 60_000;
/** Who says nothing for so long has nothing more to say, or waits for the service: in milliseconds. */
const SILENCE_MS = 3_000;
/** Until whoever was not served counts as never: the service gives a key its next reads after a minute. */
const PATIENCE_MS = 90_000;
const ALREADY_ANSWERED: number = RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;

/** A bot under test. */
interface Contender {
  readonly name: string;
  readonly start: (discord: FakeDiscord, service: BenchService) => MeasuredBot;
}

/** What became of a bot's crowds. */
interface Measured {
  readonly name: string;
  /** Milliseconds until the first answer, of each interaction; Infinity where none came in time. */
  readonly firstAnswers: readonly number[];
  /** Interactions that were answered a second time, as far as Discord refused it. */
  readonly twice: number;
  /** People whose every message was filled in. */
  readonly served: number;
  readonly sent: number;
  readonly refused: number;
  /** Processor time, in milliseconds. */
  readonly cpuMs: number;
}

const CONTENDERS: readonly Contender[] = [
  {
    name: "Reelay",
    start: ({ token, url }, service) =>
      startReelay(service, { DISCORD_BOT_TOKEN: token, DISCORD_API_ROOT: url }),
  },
  {
    name: "discord.js, deferReply and editReply",
    start: ({ token, url }) => startBot(compiled("discord-least"), [token, url]),
  },
];

/** Whether no message to somebody says "thinking" any more. */
const isServed = ({ person }: Visitor) => !person.chat().some(({ thinking }) => thinking);

async function measure({ name, start }: Contender, service: BenchService): Promise<Measured> {
  say(`  ${name}`);
  await using discord = await FakeDiscord.start();
  // Both are asked by the same commands.
  const commands = [...makeCommands(COMMAND_SPECS), ...wordCommands(COMMAND_SPECS)];
  await call(discord, `PUT /applications/${discord.applicationId}/commands`, commands);
  await using bot = start(discord, service);
  await discord.until(() => discord.gateway.connected > 0, START_MS);
  const firstAnswers: number[] = [];
  const visitors: Visitor[] = [];
  let cpuMs = 0;
  for (let nth = 0; nth < CROWDS; nth++) {
    const crowd = await gathered(discord, { people: PEOPLE, withinMs: GATHERING_MS });
    await silence(() => discord.calls().length, SILENCE_MS);
    const before = await bot.figures();
    const known = discord.interactions().length;
    // Who is not answered in time throws; they are counted below.
    await bustling(discord, crowd, SECONDS * 1_000).catch(() => {});
    await silence(() => discord.calls().length, SILENCE_MS);
    cpuMs += (await bot.figures()).cpuMs - before.cpuMs;
    for (const { acknowledgedAfter = Infinity } of discord.interactions().slice(known))
      firstAnswers.push(acknowledgedAfter);
    visitors.push(...crowd);
  }
  await discord.until(() => visitors.every(isServed), PATIENCE_MS).catch(() => {});
  const errors = discord.calls().flatMap(({ error }) => error ?? []);
  return {
    name,
    firstAnswers,
    cpuMs,
    twice: errors.filter(({ code }) => code === ALREADY_ANSWERED).length,
    served: visitors.filter(isServed).length,
    sent: discord.calls().length,
    refused: errors.filter(({ status }) => status === 429).length,
  };
}

/** What a crowd on Discord is given, and what it costs. */
export async function discord(): Promise<Section> {
  await using service = await startService({ timeScale: 1, people: 0 });
  const all: Measured[] = [];
  for (const contender of CONTENDERS) all.push(await measure(contender, service));
  const least = Math.min(...all.map(({ cpuMs }) => cpuMs));
  const each = ACTS_EACH * PEOPLE;
  const rows = all.map(({ name, firstAnswers, twice, served, sent, refused, cpuMs }) => [
    name,
    `${median(firstAnswers).toFixed(1)} ms`,
    `${quantile(firstAnswers, 0.99).toFixed(0)} ms`,
    `${Math.max(...firstAnswers).toFixed(0)} ms`,
    String(firstAnswers.filter((ms) => ms >= DISCORD.firstAnswerMs).length),
    String(twice),
    `${served} / ${CROWDS * PEOPLE}`,
    `${refused} / ${sent}`,
    `${(cpuMs / firstAnswers.length).toFixed(2)} ms`,
    `${(cpuMs / least).toFixed(1)} x`,
  ]);
  const head = ["", "median", "99th percentile", "slowest", "late", "twice", "served", "429s / calls"];
  const text = `${PEOPLE} people do ${each} things within ${SECONDS} s, evenly, half of them in a server: \`/make\` with a photo, \`/balance\`, \`/jobs\`,
autocompletion, and a press on Cancel under a draft that they had before. Discord wants each interaction's first answer
within ${DISCORD.firstAnswerMs / 1_000} s ("late" counts the others), once ("twice"), and the rest of it by an edit ("served" are people with no message
left that says "thinking"). ${CROWDS} such crowds, of new people, come by a gateway on loopback with Discord's published limits. Times
are Discord's own, from the interaction to its first answer. Reelay is the whole program as it is always started, in a
process of its own, with every interaction on disk and the photos read; the service is a third process. The peer is the
least that a bot can be: discord.js, one deferred answer and one edit with a fixed text. CPU is processor time of the
bot's process for one interaction.

${table([...head, "CPU an interaction", "ratio"], rows)}`;
  return { title: `${each} interactions on Discord in ${SECONDS} seconds`, text };
}
