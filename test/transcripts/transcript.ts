import { setTimeout as pause } from "node:timers/promises";
import type { Actor, Sent, Shown } from "./actor.ts";
import { settled } from "./settled.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** What happens in a transcript. */
export type Entry =
  | { readonly kind: "does"; readonly who: string; readonly what: string; readonly press: boolean }
  | { readonly kind: "happens"; readonly what: string }
  | { readonly kind: "beside"; readonly who: string; readonly what: string }
  | { readonly kind: "posts" | "edits" | "deletes"; readonly message: Shown };

/** What must have come before people go on: a part of what is new, or an expression for it. */
type Awaited = string | RegExp;

/** Longer than anything takes that comes at all, in milliseconds. */
const LOOK_MS = 20;

/** Tells what people do and what they see then, once it has settled: no step in between. */
export class Transcript {
  readonly entries: Entry[] = [];
  readonly #actors: readonly Actor[];
  readonly #isBusy: () => Promise<boolean>;
  readonly #numbers = new Map<string, number>();
  #before: ReadonlyMap<string, Shown> = new Map();
  #besides = new Map<string, number>();

  constructor(actors: readonly Actor[], isBusy: () => Promise<boolean>) {
    this.#actors = actors;
    this.#isBusy = isBusy;
  }

  /** Somebody whose acts are told. */
  of(actor: Actor): Told {
    const does = async (act: Promise<string>, press = false) => {
      const entry = { kind: "does", who: actor.name, what: "", press } as const;
      const at = this.entries.push(entry) - 1;
      this.entries[at] = { ...entry, what: settled(await act) };
      this.#notes();
    };
    return {
      asksForHelp: () => does(actor.asksForHelp()),
      asks: (words, file) => does(actor.asks(words, file)),
      presses: (button) => does(actor.presses(button), true),
      gives: (answer, called) => does(actor.gives(answer, called)),
    };
  }

  /** Tells something that nobody in the conversation did. */
  happens(what: string): void {
    this.entries.push({ kind: "happens", what });
  }

  /** Waits until all of this came, and nothing more is on its way, and tells what is new. */
  async shows(...awaited: readonly Awaited[]): Promise<void> {
    const latest = Date.now() + PATIENCE_MS;
    while (this.#missing(awaited).length > 0 || (await this.#isBusy())) {
      if (Date.now() > latest) throw new Error(this.#unsettled(awaited));
      await pause(LOOK_MS);
    }
    // Only what stays gets a number.
    for (const entry of this.#news()) {
      if ("message" in entry) this.numberOf(entry.message);
      this.entries.push(entry);
    }
    this.#passes();
  }

  /** Begins here: what was before is not told. */
  begins(): void {
    this.entries.length = 0;
    this.#numbers.clear();
    this.#passes();
  }

  #passes(): void {
    this.#before = this.#now();
    for (const actor of this.#actors) this.#besides.set(actor.name, actor.beside().length);
  }

  #missing(awaited: readonly Awaited[]): readonly Awaited[] {
    const told = this.#news().map((entry) => JSON.stringify(entry));
    return awaited.filter(
      (one) => !told.some((text) => (typeof one === "string" ? text.includes(one) : one.test(text))),
    );
  }

  /** Notes what people wrote: the bot may delete it. */
  #notes(): void {
    const written = [...this.#now()].filter(([, { sender }]) => sender !== "Reelay");
    this.#before = new Map([...this.#before, ...written]);
  }

  #unsettled(awaited: readonly Awaited[]): string {
    const missing = this.#missing(awaited).join(", ") || "nothing, but something is on its way";
    return [`Missing: ${missing}. New:`, ...this.#news().map((one) => JSON.stringify(one))].join("\n");
  }

  /** Everything that anybody sees. */
  #now(): ReadonlyMap<string, Shown> {
    const all = this.#actors.flatMap((actor) => actor.messages());
    return new Map(
      all.map((one) => [
        one.id,
        { ...one, text: settled(one.text), buttons: one.buttons.map((row) => row.map(settled)) },
      ]),
    );
  }

  #news(): Entry[] {
    const now = this.#now();
    const messages = [...now.values()].flatMap((message): Entry[] => {
      const before = this.#before.get(message.id);
      if (before && JSON.stringify(before) === JSON.stringify(message)) return [];
      if (message.sender !== "Reelay") return [];
      return [{ kind: before ? "edits" : "posts", message }];
    });
    const gone = [...this.#before.values()].filter(({ id }) => !now.has(id));
    const deleted = gone.map((message): Entry => ({ kind: "deletes", message }));
    const besides = this.#actors.flatMap((actor) =>
      actor
        .beside()
        .slice(this.#besides.get(actor.name) ?? 0)
        .map((what): Entry => ({ kind: "beside", who: actor.name, what: settled(what) })),
    );
    return [...besides, ...deleted, ...messages];
  }

  /** What a message of the bot's is called. */
  numberOf({ id }: Shown): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1;
    this.#numbers.set(id, number);
    return number;
  }
}

/** What somebody does, told as it is done. */
export interface Told {
  asksForHelp(): Promise<void>;
  asks(words: string, file: Sent): Promise<void>;
  presses(button: RegExp): Promise<void>;
  gives(answer: string, called: string): Promise<void>;
}
