import type { CliEvent } from "./events.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/** What has come of a call so far: it is over when as much has ended as it began. */
export class Outcomes {
  /** By job, so that a job that is delivered twice counts once; other answers count one by one. */
  readonly #ended = new Map<string | symbol, ExitCode>();
  readonly #open = new Map<string, boolean>();
  /** Those that were given up before they were sent: what is told of them later is that they were cancelled. */
  readonly #givenUp = new Set<string>();
  #wanted = Infinity;
  readonly #reached = Promise.withResolvers<void>();

  /** Takes notice of what is told. */
  note(event: CliEvent): void {
    const job = "job" in event ? event.job : undefined;
    if (event.event === "progress") {
      if (this.#givenUp.has(event.job)) return;
      this.#open.set(event.job, event.phase !== "queued" && event.phase !== "unreachable");
      return;
    }
    if (job !== undefined) this.#open.delete(job);
    if (job !== undefined && this.#givenUp.has(job)) return;
    this.#ended.set(job ?? Symbol("answer"), event.event === "problem" ? event.exitCode : EXIT.ok);
    this.#check();
  }

  /** Jobs that are still on their way and that the service cannot have. */
  get unsent(): readonly string[] {
    return [...this.#open].filter(([, sent]) => !sent).map(([job]) => job);
  }

  /** A job was taken back before it was sent: that is how it ended, whatever is told of it later. */
  giveUp(job: string, exitCode: ExitCode): void {
    this.#givenUp.add(job);
    this.#open.delete(job);
    this.#ended.set(job, exitCode);
    this.#check();
  }

  /** Resolves when this many have ended. */
  reach(count: number): Promise<void> {
    this.#wanted = count;
    this.#check();
    return this.#reached.promise;
  }

  get none(): boolean {
    return this.#ended.size === 0;
  }

  get complete(): boolean {
    return this.#ended.size >= this.#wanted;
  }

  /** The worst of them. */
  get exitCode(): ExitCode {
    return [...this.#ended.values()].reduce((worst, code) => (code > worst ? code : worst), EXIT.ok);
  }

  /** The jobs that are still on their way, and whether the service may have one of them. */
  get open(): { readonly jobs: readonly string[]; readonly sent: boolean } {
    return { jobs: [...this.#open.keys()], sent: [...this.#open.values()].includes(true) };
  }

  #check(): void {
    if (this.complete) this.#reached.resolve();
  }
}
