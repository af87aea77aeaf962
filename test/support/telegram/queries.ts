import { randomInt } from "node:crypto";
import type { Clock } from "./clock.ts";
import type { TelegramLimits } from "./limits.ts";
import { badRequest } from "./refusal.ts";

/** What a person saw flash up after pressing a button. */
export interface Toast {
  readonly text: string;
  readonly alert: boolean;
  readonly url?: string;
}

/** A pressed button or a search, waiting for the bot's answer. */
export interface Query<Answer> {
  readonly id: string;
  readonly person: number;
  readonly askedAt: number;
  answer?: Answer;
}

/** Queries of one kind, which the bot must answer soon. */
export class Queries<Answer> {
  readonly #clock: Clock;
  readonly #limits: TelegramLimits;
  readonly #asked = new Map<string, Query<Answer>>();

  constructor(clock: Clock, limits: TelegramLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  ask(person: number): Query<Answer> {
    const id = `${person}${String(randomInt(1e9)).padStart(9, "0")}`;
    const query = { id, person, askedAt: this.#clock.now() };
    this.#asked.set(id, query);
    return query;
  }

  /**
   * Takes the bot's answer.
   * @throws Refusal when nobody asked, or asked too long ago
   */
  answer(id: string, answer: Answer): Query<Answer> {
    const query = this.#asked.get(id);
    if (!query || this.#clock.now() - query.askedAt > this.#limits.queryMs) {
      throw badRequest("query is too old and response timeout expired or query ID is invalid");
    }
    query.answer = answer;
    return query;
  }

  /** What a person was answered, in the order of asking. */
  answers(person: number): Answer[] {
    return [...this.#asked.values()].flatMap((query) =>
      query.person === person && query.answer !== undefined ? [query.answer] : [],
    );
  }
}
