import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Catalogues } from "../catalogues/catalogues.ts";
import type { Jobs } from "../records/jobs.ts";
import type { Operations } from "../operations/index.ts";
import type { Job } from "../records/records.ts";
import { renderPicture } from "../render/picture.ts";
import type { Renderer } from "../render/task.ts";
import { isNoRoom } from "./trouble.ts";

const RENDERS_AT_ONCE = 2;

/** For how many ticks nothing is rendered after the disk did not take a result. */
const REST_TICKS = 20;

/**
 * The background worker: the only part that moves a job on (section 1, rule 2). Everything it needs to go on
 * after a crash is stored, so that a job whose rendering was cut off is simply rendered again. Where the disk is full or
 * fails it goes on with the next tick, for as long as that takes: whoever runs in the same process does not end of it.
 */
export class Worker {
  readonly #operations: Operations;
  readonly #jobs: Jobs;
  readonly #catalogues: Catalogues;
  readonly #files: string;
  readonly #render: Renderer;
  readonly #tickMs: number;
  readonly #tell: (error: unknown) => void;
  readonly #rendering = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  #timer: NodeJS.Timeout | undefined;
  /** How many ticks go by until something is rendered again. */
  #rest = 0;
  /** Where it does not get on, and whoever hears of that knows. */
  readonly #told = new Set<"step" | "result">();

  /**
   * @param files folder that holds one folder a job
   * @param render makes the clips; pictures are always drawn here
   * @param tickMs how often stored state is moved on
   * @param tell hears why it does not get on, once until it does again
   */
  constructor(
    operations: Operations,
    jobs: Jobs,
    catalogues: Catalogues,
    files: string,
    render: Renderer,
    tickMs: number,
    tell: (error: unknown) => void,
  ) {
    this.#operations = operations;
    this.#jobs = jobs;
    this.#catalogues = catalogues;
    this.#files = files;
    this.#render = render;
    this.#tickMs = tickMs;
    this.#tell = tell;
  }

  /** Clears away files of submissions that were cut off before they were accepted; not while any come in. */
  async clean(): Promise<void> {
    for (const id of await readdir(this.#files)) if (!this.#jobs.get(id)) await this.#removeFiles(id);
  }

  /** Begins. */
  start(): void {
    this.#timer = setInterval(() => this.tick(), this.#tickMs);
    this.tick();
  }

  /** One step: begins what waits, as far as there is room, and moves on what runs. What fails is tried again by the next one. */
  tick(): void {
    try {
      this.#step();
      this.#told.delete("step");
    } catch (error) {
      this.#trouble("step", error);
    }
  }

  #step(): void {
    if (this.#rest > 0) this.#rest -= 1;
    const room = this.#rest === 0 ? RENDERS_AT_ONCE - this.#rendering.size : 0;
    // What is being rendered is among the oldest.
    const oldest = room > 0 ? this.#jobs.unrendered(RENDERS_AT_ONCE) : [];
    for (const job of oldest.filter(({ id }) => !this.#rendering.has(id)).slice(0, room)) this.#begin(job);
    this.#jobs.advance();
  }

  /** Removes a job's files, stopping its rendering first. */
  async forget(id: string): Promise<void> {
    const rendering = this.#rendering.get(id);
    rendering?.abort.abort();
    await rendering?.done;
    await this.#removeFiles(id);
  }

  /** Stops, killing what renders: it begins anew at the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const running = [...this.#rendering.values()];
    for (const { abort } of running) abort.abort();
    await Promise.all(running.map(({ done }) => done));
  }

  #begin(job: Job): void {
    this.#jobs.start(job.id);
    const abort = new AbortController();
    const done = this.#make(job, abort.signal).finally(() => this.#rendering.delete(job.id));
    this.#rendering.set(job.id, { abort, done });
  }

  /** Makes a result and keeps how that ended; what the disk kept from it is begun again. */
  async #make(job: Job, signal: AbortSignal): Promise<void> {
    try {
      const failure = await this.#failureOf(job, signal);
      if (!signal.aborted || failure === null) this.#jobs.rendered(job.id, failure);
      this.#told.delete("result");
    } catch (error) {
      this.#rest = REST_TICKS;
      this.#trouble("result", error);
    }
  }

  #trouble(where: "step" | "result", error: unknown): void {
    if (this.#told.has(where)) return;
    this.#told.add(where);
    this.#tell(error);
  }

  /** Why a result cannot be made; null where it is on disk. @throws what the disk or the database says */
  async #failureOf(job: Job, signal: AbortSignal): Promise<string | null> {
    const dir = join(this.#files, job.id);
    try {
      // A result that is there was finished just before a crash: renderers put it there whole.
      const path = join(dir, this.#operations.resultFile(job));
      if (!existsSync(path)) {
        const task = this.#operations.of(job).task(job, dir, this.#catalogues);
        await (task.kind === "clip" ? this.#render(task, signal) : renderPicture(task, path));
      }
      return null;
    } catch (error) {
      if (isNoRoom(error) && !signal.aborted) throw error;
      const reason = error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error);
      return `Rendering failed: ${reason}`;
    }
  }

  #removeFiles(id: string): Promise<void> {
    return rm(join(this.#files, id), { recursive: true, force: true });
  }
}
