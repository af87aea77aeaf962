import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { TracePoint } from "../../src/domain/jobs/trace.ts";
import { Child } from "../support/crash-child.ts";
import type { Route } from "../support/whatsapp/cloud-api.ts";
import type { MessageBody } from "../support/whatsapp/wire.ts";
import {
  asksFor,
  held,
  isBegun,
  isFilm,
  type Place,
  surroundings,
} from "../adapters/whatsapp/program-harness.ts";
import { PATIENCE_MS } from "../support/patience.ts";

type Surroundings = Awaited<ReturnType<typeof surroundings>>;
type Person = ReturnType<Surroundings["whatsapp"]["person"]>;

/** Steps of a job; every other one is tried with the page (crash.test.ts): from there on all platforms go the same way. */
const POINTS = ["queued", "posted", "read", "fetched", "delivered"] as const satisfies readonly TracePoint[];

const reactsWith =
  (emoji: string) =>
  ({ reaction }: MessageBody) =>
    reaction?.emoji === emoji;

const BEGUN = "telling that it has begun";

/** Each call that a film takes, in their order; before those that nobody may see twice, and after all. */
const CALLS: readonly {
  readonly what: string;
  readonly route: Route;
  readonly isMeant: (body: MessageBody) => boolean;
  readonly whens?: readonly ("before" | "after")[];
}[] = [
  { what: "marking the photo as read", route: "messages", isMeant: ({ status }) => status === "read" },
  { what: "asking for the photo", route: "link", isMeant: () => true },
  {
    what: "offering it",
    route: "messages",
    isMeant: ({ interactive }) => interactive?.body?.text.includes("tokens") === true,
    whens: ["before", "after"],
  },
  { what: "showing that it has begun", route: "messages", isMeant: reactsWith("⏳") },
  {
    what: BEGUN,
    route: "messages",
    isMeant: ({ text }) => isBegun({ text: text?.body ?? "" }),
    whens: ["before", "after"],
  },
  { what: "handing the film over", route: "upload", isMeant: () => true },
  {
    what: "sending the film",
    route: "messages",
    isMeant: ({ interactive }) => interactive?.header?.video !== undefined,
    whens: ["before", "after"],
  },
  { what: "showing that it is done", route: "messages", isMeant: reactsWith("✅") },
];

/** Each thing that it is called with. */
const HEARD: readonly [what: string, isIt: (body: string) => boolean][] = [
  ["the photo", (body) => body.includes('"type":"image"')],
  ["the press", (body) => body.includes('"type":"interactive"')],
  ["that the film was delivered", (body) => body.includes(":video:0") && body.includes('"delivered"')],
];

/** How long each life lasts from when it listens, in milliseconds. */
const LIVES_MS = [0, 250, 1_500, 700, 2_500];

/** What was offered to be made of somebody's photo. */
function offersTo(person: Person) {
  const photo = person.chat().find(({ type }) => type === "image");
  return person
    .chat()
    .filter((one) => one.from === "bot" && one.replyTo === photo?.id && !isFilm(one) && !isBegun(one));
}

/** What came of what people asked for, once WhatsApp has told everything. */
async function outcomeOf({ sandbox, whatsapp }: Surroundings, people: readonly Person[]) {
  await whatsapp.untilHeard(PATIENCE_MS);
  const { submissions } = await sandbox.ledger();
  return {
    charged: submissions.length,
    prompts: new Set(submissions.map(({ prompt }) => prompt)),
    seen: people.map((person) => ({
      films: person.chat().filter(isFilm).length,
      offers: offersTo(person).length,
      isBegunTwice: person.chat().filter(isBegun).length > 1,
    })),
    refused: whatsapp.calls("messages").flatMap(({ error }) => error ?? []),
  };
}

/** Nothing was lost, paid for twice or told twice. */
const onceFor = (...names: readonly string[]) => ({
  charged: names.length,
  prompts: new Set(names.map((name) => `dance of ${name}`)),
  seen: names.map(() => ({ films: 1, offers: 1, isBegunTwice: false })),
  refused: [],
});

/** What comes of it where somebody asks for a film of a first life that ends by itself, and waits for it in the next. */
async function survived(at: Surroundings, { home, webhook }: Place, first: Child) {
  const ann = at.whatsapp.person({ name: "Ann" });
  at.whatsapp.moves(webhook);
  const asked = asksFor(ann, 2 * PATIENCE_MS);
  await first.untilKilled();
  using next = new Child(home);
  await asked;
  // What it is called with from now on comes to it.
  await next.url;
  return await outcomeOf(at, [ann]);
}

describe.concurrent("killed while somebody asks for a film on WhatsApp", { timeout: 4 * PATIENCE_MS }, () => {
  // What takes longest comes first: the others are tried meanwhile.
  const calls = CALLS.flatMap(({ whens = ["after"], ...call }) => whens.map((when) => ({ ...call, when })));
  it.each(calls)("$when $what, it makes and shows the film once", async ({ what, route, isMeant, when }) => {
    const { render, release } = held();
    await using at = await surroundings({}, render);
    const place = await at.place();
    using first = new Child(place.home);
    const act = () => {
      first.kill();
      release();
    };
    at.whatsapp.fails(route, { kind: "meets", when, act }, 1, isMeant);
    // What takes no longer is not told to have begun.
    if (what !== BEGUN) release();
    expect(await survived(at, place, first)).toEqual(onceFor("Ann"));
  });

  it.each(POINTS)("at %s, it makes and shows the film once", async (point) => {
    await using at = await surroundings();
    const place = await at.place();
    using first = new Child(place.home, ["start"], { point });
    expect(await survived(at, place, first)).toEqual(onceFor("Ann"));
  });

  it.each(HEARD)("as soon as it has heard %s, it makes and shows the film once", async (_what, isIt) => {
    await using at = await surroundings();
    const place = await at.place();
    using first = new Child(place.home);
    void vi
      .waitUntil(() => at.whatsapp.webhooks().some(({ body, status }) => status === 200 && isIt(body)), {
        timeout: 2 * PATIENCE_MS,
        interval: 1,
      })
      .then(() => first.kill());
    expect(await survived(at, place, first)).toEqual(onceFor("Ann"));
  });
});

describe.concurrent("killed again and again while people write to it on WhatsApp", () => {
  const within = LIVES_MS.length * PATIENCE_MS;

  it(
    "answers everybody in the end, and makes and shows each film once",
    { timeout: 2 * within },
    async () => {
      await using at = await surroundings();
      const { home, webhook } = await at.place();
      at.whatsapp.moves(webhook);
      const names = ["Ann", "Bob", "Carla", "Dora"];
      const people = names.map((name) => at.whatsapp.person({ name }));
      const everybody = Promise.all(people.map((person) => asksFor(person, within)));
      for (const ms of LIVES_MS) {
        using life = new Child(home);
        await life.url;
        await sleep(ms);
        life.kill();
        await life.untilKilled();
      }
      using _ = new Child(home);
      await everybody;
      expect(await outcomeOf(at, people)).toEqual(onceFor(...names));
    },
  );
});
