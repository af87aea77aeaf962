import { TELEGRAM } from "../adapters/telegram/api/limits.ts";
import { translator } from "../src/common/i18n.ts";
import { crowd, type Outcome, outcomeOf } from "../test/support/telegram/crowd.ts";
import { FakeTelegram } from "../test/support/telegram/fake-telegram.ts";
import type { TelegramLimits } from "../test/support/telegram/limits.ts";
import { compiled } from "./support/compiled.ts";
import { type MeasuredBot, startBot, startReelay } from "./support/measured-bot.ts";
import type { Figures } from "./support/meter.ts";
import { median, percent, say, type Section, table } from "./support/report.ts";
import { type BenchService, startService } from "./support/service.ts";
import { silence } from "./support/silence.ts";

const PEOPLE = 1_000;
const SECONDS = 10;
const WAVES = 2;
/** How often each has its turn: what the peer costs moves by half from one run to the next. */
const ROUNDS = 3;
const WARM_UP = { people: 100, withinMs: 1_000 };
/** How long a bot may take to start, in milliseconds. */
const START_MS = 60_000;
/** Who says nothing for so long has nothing more to say: nobody waits longer than a second for their turn. */
const SILENCE_MS = 3_000;
const MIB = 2 ** 20;

/** A bot under test, and the Telegram that it meets. */
interface Contender {
  readonly name: string;
  /** A part of what it says to a photo. */
  readonly toPhoto: string;
  /** What this Telegram refuses, where it differs. */
  readonly limits: Partial<TelegramLimits>;
  readonly start: (telegram: FakeTelegram, service: BenchService) => MeasuredBot;
}

/** What became of a bot's crowds. */
interface Measured extends Outcome {
  readonly name: string;
  /** Its calls, and those that were refused with a 429. */
  readonly sent: number;
  readonly refused: number;
  /** From a crowd's first photo to the last answer, in seconds; the slower crowd's. */
  readonly lastS: number;
  /** Before the first crowd, and after each. */
  readonly figures: readonly Figures[];
}

const echo: Pick<Contender, "toPhoto" | "start"> = {
  toPhoto: "A photo.",
  start: ({ token, url }) => startBot(compiled("telegram-echo"), [token, url]),
};
const CONTENDERS: readonly Contender[] = [
  {
    name: "Reelay",
    toPhoto: translator("en")("offers.pictures", { count: 1 }),
    limits: {},
    start: ({ token, url }, service) =>
      startReelay(service, { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: url }),
  },
  { name: "telegraf, echo", ...echo, limits: {} },
  { name: "telegraf, echo, no limits", ...echo, limits: { chatBurst: Infinity, botMessages: Infinity } },
];

async function measure(
  { name, toPhoto, limits, start }: Contender,
  service: BenchService,
): Promise<Measured> {
  say(`  ${name}`);
  await using telegram = await FakeTelegram.start({ limits });
  await using bot = start(telegram, service);
  await crowd(telegram, WARM_UP);
  await telegram.until(() => telegram.calls("sendMessage").length > 0, START_MS);
  const end = () => silence(() => telegram.calls().length, SILENCE_MS);
  await end();
  const warm = telegram.calls().length;
  const figures = [await bot.figures()];
  const visitors = [];
  let lastS = 0;
  for (let wave = 0; wave < WAVES; wave++) {
    const begin = Date.now();
    visitors.push(...(await crowd(telegram, { people: PEOPLE, withinMs: SECONDS * 1_000 })));
    await end();
    lastS = Math.max(lastS, ((telegram.calls().at(-1)?.at ?? Number.NaN) - begin) / 1_000);
    figures.push(await bot.figures());
  }
  const calls = telegram.calls().slice(warm);
  const refused = calls.filter(({ error }) => error?.code === 429).length;
  return { name, ...outcomeOf(visitors, toPhoto), sent: calls.length, refused, lastS, figures };
}

/** Milliseconds of processor time for one update. */
function cpuOf({ updates, figures }: Measured): number {
  return ((figures.at(-1)?.cpuMs ?? Number.NaN) - (figures[0]?.cpuMs ?? Number.NaN)) / updates;
}

/** How much a bot's memory grew with each person after the first crowd, in KiB. */
function growthOf({ figures }: Measured, what: "heap" | "resident"): number {
  const [, first, ...later] = figures;
  const bytes = (later.at(-1)?.[what] ?? Number.NaN) - (first?.[what] ?? Number.NaN);
  return bytes / ((WAVES - 1) * PEOPLE) / 1_024;
}

/** A bot's memory before the first crowd and after each, in MiB: the median of its rounds. */
function courseOf(all: readonly Measured[], what: "heap" | "resident"): string {
  const waves = [...Array(WAVES + 1).keys()];
  const inMib = (wave: number) =>
    median(all.map(({ figures }) => (figures[wave]?.[what] ?? Number.NaN) / MIB));
  return waves.map((wave) => inMib(wave).toFixed(1)).join(" → ");
}

/** The median of its rounds, and the least and the most. */
function spread(figures: readonly number[], digits: number, unit: string): string {
  const [middle, least, most] = [median(figures), Math.min(...figures), Math.max(...figures)].map((figure) =>
    figure.toFixed(digits),
  );
  return `${middle} ${unit} (${least} to ${most})`;
}

function sum(
  all: readonly Measured[],
  what: "answered" | "updates" | "surplus" | "inOrder" | "refused" | "sent",
): number {
  return all.reduce((total, one) => total + one[what], 0);
}

/** What a crowd on Telegram is given, and what it costs. */
export async function telegram(): Promise<Section> {
  await using service = await startService({ timeScale: 1, people: 0 });
  const rounds: Measured[][] = [];
  for (let nth = 0; nth < ROUNDS; nth++) {
    const round: Measured[] = [];
    for (const contender of CONTENDERS) round.push(await measure(contender, service));
    rounds.push(round);
  }
  const least = rounds.map((round) => Math.min(...round.map(cpuOf)));
  const rows = CONTENDERS.map(({ name }, nth) => ({
    name,
    all: rounds.flatMap((round) => round[nth] ?? []),
  }));
  const given = rows.map(({ name, all }) => [
    name,
    percent(sum(all, "answered") / sum(all, "updates")),
    String(sum(all, "surplus")),
    percent(sum(all, "inOrder") / (ROUNDS * WAVES * PEOPLE)),
    `${sum(all, "refused")} / ${sum(all, "sent")}`,
    `${Math.max(...all.map(({ lastS }) => lastS)).toFixed(1)} s`,
  ]);
  const cost = rows.map(({ name, all }) => [
    name,
    spread(all.map(cpuOf), 2, "ms"),
    spread(
      all.map((one, round) => cpuOf(one) / (least[round] ?? Number.NaN)),
      1,
      "x",
    ),
    courseOf(all, "heap"),
    `${median(all.map((one) => growthOf(one, "heap"))).toFixed(1)} KiB`,
    courseOf(all, "resident"),
    `${median(all.map((one) => growthOf(one, "resident"))).toFixed(1)} KiB`,
  ]);
  const updates = 1.5 * PEOPLE;
  const bound = updates / TELEGRAM.perSecond - 1;
  const text = `${PEOPLE} people each send a photo within ${SECONDS} s, evenly, and every second one a wish right after it: ${updates} updates, of
which Reelay answers each photo with what can be made of it, and each wish with a draft and its price. ${WAVES} such crowds,
of new people, come to a Bot API on loopback that counts strictly and refuses what Telegram does: more than
${TELEGRAM.perSecond} messages a second, so that ${updates} answers take ${bound} s at least. Reelay is the whole program as it is always
started, in a process of its own, with every update on disk before it is confirmed; the service is a third process.
The peer is the least that a bot can be: telegraf, and a reply to each message; a refusal is passed over, because
without that the first one would end it. The last row lets it off every limit. Each has ${ROUNDS} turns, one after the other;
counts are those of all turns, and the last answer is the latest.

${table(["", "answered", "twice", "people in order", "429s / calls", "last answer"], given)}

What it costs, as the median of the turns and what it moves between: processor time of the bot's process for one update, how that
compares with the least of the same round, and its memory in MiB after a full collection, before the first crowd and after each.
"Each more" is what every person after the first crowd left behind.

${table(["", "CPU an update", "ratio", "heap", "each more", "resident", "each more"], cost)}`;
  return { title: `${PEOPLE} people on Telegram at once`, text };
}
