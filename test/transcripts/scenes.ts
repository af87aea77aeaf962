import { expect } from "vitest";
import { testPicture } from "../support/sandbox.ts";
import type { Platform, SceneOptions, Sent } from "./actor.ts";
import { type Entry, type Told, Transcript } from "./transcript.ts";

const PHOTO: Sent = {
  bytes: Buffer.from(await testPicture(), "base64"),
  fileName: "cat.jpg",
  called: "a photo",
};
const PAPER: Sent = {
  bytes: Buffer.from("%PDF-1.7 and so on"),
  fileName: "cat.jpg",
  called: "a PDF that is named cat.jpg",
};

/** The button that spends. */
const BEGIN = /Generate|generate|Make it/;
/** The film, in a message. */
const FILM = /"files":\["video"\]/;

/** Whether it is the film that somebody reads. */
export const isFilm = (entry: Entry): boolean => FILM.test(JSON.stringify(entry));

/** Who is there, and what can happen around them. */
interface Set {
  readonly on: Platform;
  readonly said: Transcript;
  readonly ann: Told;
  readonly bob: Told;
  readonly olga: Told;
}

/** The platforms where there are groups, and where a key is written in the chat. */
const WITH_GROUPS = ["Telegram", "Discord"] as const;
const WITH_KEYS = ["Telegram", "Discord"] as const;

/** One flow, played on each platform. */
export interface Scene extends Partial<SceneOptions> {
  readonly title: string;
  readonly about: string;
  /** The platforms that it is played on; all unless given. */
  readonly where?: readonly ("Telegram" | "Discord" | "WhatsApp")[];
  readonly play: (set: Set) => Promise<void>;
}

/** Lets Ann connect a key, which is not told. */
async function connects({ ann, said }: Set, key: string): Promise<void> {
  await ann.asks("any", PHOTO);
  await said.shows("Connect a key");
  await ann.presses(/^Connect a key$/);
  await said.shows("API key");
  await ann.gives(key, "a key");
  await said.shows(/“any”|not enough tokens/);
  await ann.presses(/^Cancel$/);
  await said.shows("Cancelled");
  said.begins();
}

export const SCENES: readonly Scene[] = [
  {
    title: "Somebody new",
    about: "The operator pays. Ann has never been here.",
    newcomers: true,
    async play({ ann, said }) {
      await ann.asksForHelp();
      await said.shows(/photo/);
      await ann.asks("slow zoom", PHOTO);
      await said.shows("slow zoom");
      await ann.presses(BEGIN);
      await said.shows(FILM);
    },
  },
  {
    title: "Somebody who was here before",
    about: "The operator pays. What everybody states once, Ann stated long ago.",
    async play({ ann, said }) {
      await ann.asks("slow zoom", PHOTO);
      await said.shows("slow zoom");
      await ann.presses(BEGIN);
      await said.shows(FILM);
      await ann.presses(/^New variation/);
      await said.shows(FILM);
      await ann.presses(/^Continue the video$/);
      await said.shows(/what should happen/i);
    },
  },
  {
    title: "Without a key",
    where: WITH_KEYS,
    about: "Everybody pays for themselves, and Ann has connected no key yet.",
    paid: false,
    newcomers: true,
    async play({ on, ann, said }) {
      await ann.asks("slow zoom", PHOTO);
      await said.shows("No key is connected yet.");
      await ann.presses(/^Connect a key$/);
      await said.shows("API key");
      await ann.gives("rk_not_a_key_at_all_but_long_enough", "a key with a mistake in it");
      await said.shows("does not know this key");
      await ann.presses(/^Connect a key$/);
      await said.shows("API key");
      await ann.gives(on.keys.pro, "the key of their account");
      await said.shows(BEGIN);
      await ann.presses(BEGIN);
      await said.shows(FILM);
    },
  },
  {
    title: "Without tokens",
    where: WITH_KEYS,
    about:
      "Ann pays with a key of their own; the account behind it is empty. That is said before there is anything to press.",
    paid: false,
    async play(set) {
      const { ann, said, on } = set;
      await connects(set, on.keys.empty);
      await ann.asks("slow zoom", PHOTO);
      await said.shows("not enough tokens");
      on.topUp(on.keys.empty, 100);
      said.happens("Ann buys 100 tokens at the service.");
      await ann.presses(/^(Check|Try) again$/);
      await said.shows(BEGIN);
      await ann.presses(BEGIN);
      await said.shows(FILM);
    },
  },
  {
    title: "All used up for today",
    where: WITH_KEYS,
    about:
      "The operator pays, for one thing a day and person. That is said before there is anything to press, and a key of Ann's own lifts it.",
    settings: () => ({ REELAY_DAILY_CAP: "1" }),
    async play({ on, ann, said }) {
      await ann.asks("slow zoom", PHOTO);
      await said.shows("slow zoom");
      await ann.presses(BEGIN);
      await said.shows(FILM);
      await ann.asks("leaves moving", PHOTO);
      await said.shows("Try again tomorrow");
      await ann.presses(/^Connect a key$/);
      await said.shows("API key");
      await ann.gives(on.keys.pro, "the key of their account");
      await said.shows(BEGIN);
      await ann.presses(BEGIN);
      await said.shows(FILM);
    },
  },
  {
    title: "A file that is no picture",
    about: "It is looked at when it comes, before there is a price.",
    async play({ ann, said }) {
      await ann.asks("slow zoom", PAPER);
      await said.shows("PDF");
    },
  },
  {
    title: "In a group",
    about: "The operator pays. Bob reads along, and presses what is not meant for him.",
    group: true,
    where: WITH_GROUPS,
    async play({ ann, bob, said }) {
      await ann.asks("slow zoom", PHOTO);
      await said.shows("slow zoom");
      await ann.presses(BEGIN);
      await said.shows(FILM);
      await bob.presses(/^Delete$/);
      await said.shows("somebody else");
      await bob.presses(/^Again|^New variation/);
      await said.shows("somebody else");
    },
  },
  {
    title: "What is not allowed, and what is reported",
    about:
      "The operator, Olga, does not allow dragons, and one report takes a result down until she decides.",
    group: true,
    where: WITH_GROUPS,
    settings: ({ person, reports }) => ({
      REELAY_BLOCKED_WORDS: "dragon",
      REELAY_OPERATORS: person,
      REELAY_REPORTS_TO: reports,
      REELAY_REPORTS_TO_WITHHOLD: "1",
    }),
    async play({ on, ann, bob, olga, said }) {
      const told = () => on.actors[2].messages();
      await ann.asks("a dragon wakes", PHOTO);
      await said.shows("not allowed");
      await ann.presses(/What should happen$|^What should happen, /);
      await said.shows("What should happen");
      await ann.gives("a kitten wakes", "“a kitten wakes”");
      await said.shows("“a kitten wakes”");
      await ann.presses(BEGIN);
      await said.shows(FILM);
      await bob.presses(/^Report$/);
      await said.shows("your report is noted", "This result was taken down", "One person reported");
      await olga.presses(/^View it$/);
      await said.shows(FILM);
      await olga.presses(/^Put it back$/);
      await said.shows(FILM, "This result stays up");
      // The notice alone says so, and what was looked at is gone.
      expect(told().filter(({ text }) => text.includes("One person reported"))).toEqual([]);
      expect(told().filter(({ text }) => text.startsWith("This result stays up"))).toHaveLength(2);
    },
  },
  {
    title: "What those decide who run the place",
    about: "Olga manages the group or server, and has chosen to be told what is reported there.",
    group: true,
    where: WITH_GROUPS,
    managed: true,
    async play({ on, ann, bob, olga, said }) {
      const told = () => on.actors[2].messages();
      await ann.asks("slow zoom", PHOTO);
      await said.shows("slow zoom");
      await ann.presses(BEGIN);
      await said.shows(FILM);
      await bob.presses(/^Report$/);
      await said.shows("your report is noted", "One person reported");
      await olga.presses(/^Take it down$/);
      await said.shows("This result was taken down", "Decided by");
      await on.restart();
      said.happens("Reelay is restarted.");
      await olga.presses(/^Put it back$/);
      await said.shows(FILM, "This result stays up");
      // One notice, which says what is so now.
      expect(told().filter(({ text }) => text.includes("Made by"))).toHaveLength(1);
    },
  },
  {
    title: "Somebody in a hurry",
    about: "Nobody tells Ann of commands: what they write is understood as it is.",
    where: ["WhatsApp"],
    async play({ ann, said }) {
      await ann.gives("help", "“help”");
      await said.shows("You can also type");
      await ann.gives("My jobs", "“My jobs”");
      await said.shows("Nothing here yet");
      await ann.asks("slow zoom", PHOTO);
      await said.shows("slow zoom");
      await ann.gives("leaves moving", "“leaves moving”");
      await said.shows("leaves moving");
      await ann.gives("Stop", "“Stop”");
      await said.shows("Cancelled");
    },
  },
  {
    title: "The key is for the page",
    about: "Everybody pays for themselves, and Ann has connected no key yet.",
    where: ["WhatsApp"],
    paid: false,
    newcomers: true,
    async play({ on, ann, said }) {
      await ann.asks("slow zoom", PHOTO);
      await said.shows("No key is connected yet.");
      await ann.presses(/^Connect a key$/);
      await said.shows("http");
      await ann.gives(on.keys.pro, "the key of their account");
      await said.shows("still in this chat", BEGIN);
      await ann.presses(BEGIN);
      await said.shows(FILM);
    },
  },
  {
    title: "A restart in the middle",
    about: "Reelay is stopped and started again while a draft waits, and while its film is made.",
    async play({ on, ann, said }) {
      await ann.asks("slow zoom", PHOTO);
      await said.shows("slow zoom");
      await on.restart();
      said.happens("Reelay is restarted.");
      const letGo = on.holds();
      await ann.presses(BEGIN);
      await on.submitted();
      await on.restart();
      said.happens("Reelay is restarted once more, while the film is made.");
      letGo();
      await said.shows(FILM);
    },
  },
];

/** The scenes of a platform. */
export const scenesOn = (platform: "Telegram" | "Discord" | "WhatsApp"): readonly Scene[] =>
  SCENES.filter(({ where }) => where === undefined || where.includes(platform));

const USUAL: SceneOptions = { paid: true, newcomers: false, group: false, managed: false };

/** Plays a scene. */
export async function played(
  { play, title: _title, about: _about, ...options }: Scene,
  open: (options: SceneOptions) => Promise<Platform>,
): Promise<Transcript> {
  await using on = await open({ ...USUAL, ...options });
  const said = new Transcript(on.actors, () => on.isBusy());
  said.begins();
  const [ann, bob, olga] = on.actors.map((actor) => said.of(actor)) as [Told, Told, Told];
  await play({ on, said, ann, bob, olga });
  return said;
}
