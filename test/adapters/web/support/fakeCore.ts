import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { action, CONNECT_KEY } from "../../../../src/seam/text/actions.ts";
import { deletedNotice } from "../../../../src/seam/text/notices.ts";
import type { Suggestion } from "../../../../src/seam/fields.ts";
import type { Intake, Surface } from "../../../../src/seam/surface/surface.ts";
import type { Origin } from "../../../../src/seam/origin.ts";
import type { StatementName, Values } from "../../../../src/seam/values.ts";
import type { JobSummary, Problem, ProgressView, View } from "../../../../src/seam/views.ts";
import { BUTTONS, COMMAND_SPECS } from "../../../../src/domain/dispatch/registry.ts";
import { asReelayError, ReelayError, type ErrorCode } from "../../../../src/common/errors.ts";
import { checkValues } from "../../../../src/domain/operations/fields.ts";
import { OPERATIONS, operationOf } from "../../../../src/domain/operations/registry.ts";
import { PHOTO } from "./client.ts";
import { noJobs } from "../../../support/job-access.ts";
import { noPeople } from "../../../support/no-people.ts";
import { noKeys } from "../../../support/no-keys.ts";

/** A finished clip: 3 seconds, 480x322, H.264. */
export const CLIP = new URL("clip.mp4", import.meta.url);
const PRICE = 4.5;

/** What jobs end with, by what their operation makes. */
const RESULTS = {
  video: { url: CLIP, type: "video/mp4" },
  image: { url: PHOTO, type: "image/jpeg" },
} as const;

const CATEGORIES = ["Camera", "Weather", "Light", "Style"];
const TEMPLATES: readonly Suggestion[] = [
  ["Slow zoom", "Gentle rain", "Rising sun", "Film grain"],
  ["Drift left", "Snowfall", "Fireflies", "Old cinema"],
  ["Orbit", "Passing clouds", "Candlelight", "Paper cut"],
].flatMap((row, rank) =>
  row.map((title, index) => ({
    value: title.toLowerCase().replace(" ", "-"),
    title,
    description: `${title}, calm and slow.`,
    category: CATEGORIES[index] ?? "Style",
    marks: index === rank ? (["featured"] as const) : [],
    variants: rank === 0 ? 3 : 0,
  })),
);
const VARIANTS: readonly Suggestion[] = ["Soft", "Bold", "Dreamy"].map((title) => ({
  value: title.toLowerCase(),
  title,
  marks: [],
  variants: 0,
}));

/**
 * The core in miniature: it plays every kind of view at the page, at the speed that a test wants.
 * A prompt steers it: "fail" ends in a problem, "wait" stays queued and "hold" goes on until
 * {@link FakeCore.release}.
 */
export class FakeCore implements Intake {
  readonly commands = COMMAND_SPECS;
  readonly commandsFor = () => COMMAND_SPECS;
  readonly buttons = BUTTONS;
  readonly jobs = noJobs;
  readonly people = async () => noPeople;
  readonly keys = noKeys;
  /** Other processes that are at work. */
  readonly living = new Set<string>();
  readonly runners = {
    id: crypto.randomUUID() as string,
    goneAmong: async (ids: readonly string[]) => ids.filter((id) => !this.living.has(id)),
  };
  readonly wantsKey = async () => false;
  readonly connect = async () => {};
  /** What was asked for, in order. */
  readonly heard: { readonly name: string; readonly values: Values; readonly origin: Origin }[] = [];
  balance = 1000;
  /** Whether results come covered. */
  spoiler = false;
  /** Why nothing can be made. */
  refusesJobs: ErrorCode | undefined;
  /** Why nothing can be deleted. */
  refuses: ErrorCode | undefined;
  /** Whether the key that deletes at the service is missing. */
  keyless = false;
  /** What the person stated: by default what is asked of everybody once. */
  readonly stated = new Set<StatementName>(["terms", "consent"]);
  readonly #stepMs: number;
  readonly #jobs = new Map<string, JobSummary>();
  /** Whoever asked for a job. */
  readonly #askers = new Map<string, Origin>();
  readonly #running = new Set<Promise<void>>();
  readonly #held = Promise.withResolvers<void>();
  #surface: Surface | undefined;

  /** @param stepMs how long each of a job's steps takes */
  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  async start(surface: Surface): Promise<void> {
    this.#surface = surface;
    await surface.start(this);
  }

  /** Lets go of jobs that are held. */
  release(): void {
    this.#held.resolve();
  }

  /** Resolves when no job is going on. */
  async idle(): Promise<void> {
    this.release();
    await Promise.allSettled(this.#running);
  }

  /** As the real one: failures are delivered, not thrown. */
  async command(origin: Origin, name: string, values: Values): Promise<boolean> {
    try {
      await this.run(origin, name, values);
      return true;
    } catch (error) {
      const { code, params } = asReelayError(error);
      await this.#say({ kind: "problem", problem: { code, params }, charged: 0 }, origin);
      return false;
    }
  }

  async run(origin: Origin, name: string, values: Values): Promise<void> {
    this.heard.push({ name, values, origin });
    for (const statement of origin.agreed ?? []) if (statement !== "faces") this.stated.add(statement);
    await this.#run(origin, name, values);
  }

  answer(origin: Origin, formId: string, values: Values): Promise<boolean> {
    return this.command(origin, formId, values);
  }

  /** What is wrong with files, which only the real one looks at. */
  wrong: readonly Problem[] = [];
  readonly examine = async () => this.wrong;

  async act(origin: Origin, token: string): Promise<void> {
    const [name = "", of = ""] = token.split(":");
    await this.command(origin, name, { of });
  }

  async suggest(_origin: Origin, _name: string, field: string, partial: string) {
    const entries = field === "template" ? TEMPLATES : VARIANTS;
    return entries.filter(({ title }) => title.toLowerCase().includes(partial.toLowerCase()));
  }

  async mayBegin() {
    return false;
  }

  async admit() {}

  async quote(_origin: Origin, name: string, values: Values) {
    const { duration = 6, auto_upscale: unpriced } = checkValues(operationOf(name).schema, values) as Values;
    const { balance } = this;
    if (unpriced === true) return { tokens: null, basis: "unknown", balance, asks: [] } as const;
    return { tokens: (PRICE * Number(duration)) / 6, basis: "learned", balance, asks: [] } as const;
  }

  async tokensLeft() {
    return this.balance;
  }

  async preferences() {
    return { locale: "en", spendBelow: null, stated: [...this.stated] } as const;
  }

  async notArrived() {}

  async chatOpened() {}
  async rulesIn() {
    return {};
  }

  async groupMoved() {}

  async forgetGroup() {}

  /**
   * Delivers a result; a second time for one job is what a crash leads to.
   * @param file what was made; a plain one of its kind unless given
   */
  deliverResult(job: JobSummary, file?: { readonly url: string | URL; readonly type: string }) {
    this.#jobs.set(job.id, job);
    const kind = operationOf(job.operation).result;
    const { url, type } = file ?? RESULTS[kind];
    return this.#say({
      kind: "result",
      job,
      cost: PRICE,
      balance: this.balance,
      tookMs: Date.now() - job.createdAt,
      spoiler: this.spoiler,
      actions: [
        action("again", job.id, "action.again", "primary"),
        action("new-seed", job.id, "action.new_seed"),
        action("change", job.id, "action.change"),
        action("delete", job.id, "action.delete", "danger"),
      ],
      media: [
        {
          kind,
          name: "reelay",
          open: async () => ({ stream: createReadStream(url), type, bytes: (await stat(url)).size }),
        },
      ],
    });
  }

  async #run(origin: Origin, name: string, values: Values): Promise<void> {
    const job = this.#jobs.get(typeof values["of"] === "string" ? values["of"] : "");
    if (job) return this.#press(origin, name, job);
    if (OPERATIONS.some(({ id }) => id === name) && this.refusesJobs) throw new ReelayError(this.refusesJobs);
    if (OPERATIONS.some(({ id }) => id === name))
      return this.#make(name, checkValues(operationOf(name).schema, values), origin);
    switch (name) {
      case "jobs":
        await this.#say(
          {
            kind: "menu",
            title: { key: "jobs.title" },
            items: [...this.#jobs.values()].map(({ id, createdAt }) => ({
              title: { key: "jobs.line_bare", params: { operation: "video" } },
              detail: { key: "fact.subscription_until", params: { at: createdAt } },
              actions: [action("show", id, "action.show"), action("delete", id, "action.delete", "danger")],
            })),
          },
          origin,
        );
        return;
      case "connect":
      case "balance":
        await this.#say(
          {
            kind: "notice",
            text: { key: "command.balance.description" },
            facts: [
              { label: "fact.balance", value: { key: "fact.tokens", params: { tokens: this.balance } } },
            ],
          },
          origin,
        );
        return;
      default:
        return this.#tell(origin, name);
    }
  }

  /** As much as any other command says. */
  async #tell(origin: Origin, name: string): Promise<void> {
    const spec = this.commands.find((command) => command.name === name);
    if (!spec) throw new ReelayError("unknown_command", { name });
    const actions = name === "privacy" ? [action("export", "", "action.export", "primary")] : [];
    await this.#say({ kind: "notice", text: { key: spec.description }, actions }, origin);
  }

  async #remove(id: string): Promise<void> {
    this.#jobs.delete(id);
    await this.#surface?.revise({ id, ...this.#askers.get(id)?.address }, deletedNotice());
  }

  /** A button under a job. */
  async #press(origin: Origin, name: string, job: JobSummary): Promise<void> {
    const { id, operation, values } = job;
    switch (name) {
      case "again":
        return this.#make(operation, values, origin);
      case "new-seed":
        return this.#make(operation, { ...values, seed: 7 }, origin);
      case "change":
        return this.#surface?.collect(origin.address, {
          id: operation,
          title: { key: "form.change" },
          fields: this.commands.find((command) => command.name === operation)?.fields ?? [],
          values,
          submit: { key: "form.generate" },
        });
      case "delete":
        await this.#say({ kind: "notice", text: { key: "delete.ask" }, actions: [] }, origin);
        return;
      case "delete-now":
        if (this.refuses) throw new ReelayError(this.refuses);
        if (this.keyless) {
          const actions = [action("delete-here", id, "action.delete_here", "danger"), CONNECT_KEY];
          await this.#say({ kind: "notice", text: { key: "delete.no_key" }, actions }, origin);
          return;
        }
        await this.#remove(id);
        await this.#say(
          {
            kind: "notice",
            text: { key: "delete.done", params: { count: 1 } },
            facts: [{ label: "delete.in_chat", value: { key: "delete.in_chat.why" } }],
          },
          origin,
        );
        return;
      case "delete-here":
        await this.#remove(id);
        await this.#say({ kind: "notice", text: { key: "delete.here_only" } }, origin);
        return;
      case "show":
        await this.deliverResult(job);
        return;
      default:
        throw new ReelayError("stale_button");
    }
  }

  #make(operation: string, values: Values, origin: Origin): void {
    const job: JobSummary = { id: crypto.randomUUID(), operation, values, createdAt: Date.now() };
    this.#askers.set(job.id, origin);
    this.#jobs.set(job.id, job);
    const making = this.#steps(job).finally(() => this.#running.delete(making));
    this.#running.add(making);
  }

  async #steps(job: JobSummary): Promise<void> {
    const expectedAt = Date.now() + 5 * this.#stepMs;
    await this.#step(job, { phase: "queued", ahead: 2 });
    if (job.values["prompt"] === "wait") await this.#held.promise;
    await this.#step(job, { phase: "submitting" });
    await this.#step(job, { phase: "running", percent: 5, expectedAt, cost: PRICE });
    if (job.values["prompt"] === "hold") await this.#held.promise;
    await this.#step(job, { phase: "running", percent: 45, expectedAt, cost: PRICE });
    if (job.values["prompt"] === "fail") {
      await this.#say({
        kind: "problem",
        problem: { code: "job_failed", params: { reason: "the worker gave up" } },
        job,
        charged: 0,
        actions: [action("again", job.id, "action.again", "primary")],
      });
      return;
    }
    await this.#step(job, { phase: "sending", cost: PRICE });
    this.balance -= PRICE;
    await this.deliverResult(job);
  }

  async #step(job: JobSummary, state: Omit<ProgressView, "kind" | "job">): Promise<void> {
    await this.#say({ kind: "progress", job, ...state });
    await new Promise((resolve) => setTimeout(resolve, this.#stepMs));
  }

  #say(view: View, origin?: Origin) {
    if (!this.#surface) throw new Error("The fake core was not started.");
    const asker = origin ?? ("job" in view && view.job ? this.#askers.get(view.job.id) : undefined);
    return this.#surface.deliver(asker?.address ?? { conversation: "me" }, view);
  }
}
