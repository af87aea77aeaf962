import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { CommandSpec, FieldSpec, Suggestion } from "../../../../src/chat/fields.ts";
import type { Intake, Surface } from "../../../../src/chat/surface.ts";
import type { Address, Values } from "../../../../src/chat/values.ts";
import type { Action, JobSummary, Message, ProgressView, View } from "../../../../src/chat/views.ts";
import { ReelayError } from "../../../../src/errors.ts";
import type { MessageKey } from "../../../../src/i18n.ts";

/** A finished clip: 3 seconds, 480x322, H.264. */
const CLIP = new URL("clip.mp4", import.meta.url);

/** The core's own sentences may change or be missing; the page shows any key's sentence. */
const key = (name: string) => name as MessageKey;

const field = (name: string, control: FieldSpec["control"], more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  label: key(`field.${name}`),
  control,
  required: false,
  advanced: false,
  ...more,
});

/** The fields of the video operation, as the core derives them. */
const VIDEO_FIELDS: readonly FieldSpec[] = [
  field("image", "image", { required: true }),
  field("prompt", "text", { unless: "template", maxLength: 20_000 }),
  field("template", "catalogue"),
  field("sub_template", "catalogue", { within: "template" }),
  field("duration", "number", { min: 3, max: 8, integer: true, default: 6 }),
  field("orientation", "choice", {
    choices: ["portrait", "landscape", "square"].map((value) => ({
      value,
      label: key(`choice.orientation.${value}`),
    })),
  }),
  field("video_quality", "choice", {
    advanced: true,
    choices: ["legacy", "new"].map((value) => ({ value, label: key(`choice.video_quality.${value}`) })),
  }),
  field("end_image", "image", { advanced: true, when: { field: "video_quality", is: "new" } }),
  field("steps", "choice", { advanced: true, default: 4, choices: [4, 6, 8].map((value) => ({ value })) }),
  field("cfg", "number", { advanced: true, default: 1 }),
  field("seed", "number", { advanced: true, integer: true, min: -1 }),
  field("negative_prompt", "text", { advanced: true, maxLength: 20_000 }),
  field("auto_upscale", "switch", { advanced: true, default: false }),
];

const command = (name: string, fields: readonly FieldSpec[] = []): CommandSpec => ({
  name,
  label: key(`command.${name}`),
  description: key(`command.${name}.description`),
  kind: "command",
  fields,
});

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "video",
    label: key("operation.video"),
    description: key("operation.video.description"),
    kind: "operation",
    fields: VIDEO_FIELDS,
  },
  ...["balance", "jobs", "stats"].map((name) => command(name)),
  command("connect", [field("key", "secret", { required: true })]),
  ...["disconnect", "delete-all", "help"].map((name) => command(name)),
];

const WORDS = [
  "Slow zoom",
  "Drift left",
  "Rising sun",
  "Gentle rain",
  "Film grain",
  "Paper boat",
  "Orbit",
  "Snowfall",
  "Fireflies",
  "Old cinema",
  "Tilt shift",
  "Breathing",
];
const CATEGORIES = ["Camera", "Weather", "Light", "Style"];

const TEMPLATES: readonly Suggestion[] = WORDS.map((title, index) => ({
  value: title.toLowerCase().replace(" ", "-"),
  title,
  description: `${title}: a calm look for still photos.`,
  category: CATEGORIES[index % 4] ?? "Style",
  marks: [
    ...(index % 5 === 0 ? (["featured"] as const) : []),
    ...(index % 4 === 1 ? (["new"] as const) : []),
  ],
  variants: index % 3 === 0 ? 3 : 0,
}));

const VARIANTS: readonly Suggestion[] = ["Soft", "Bold", "Dreamy"].map((title) => ({
  value: title.toLowerCase(),
  title,
  marks: [],
  variants: 0,
}));

const PRICE = 4.5;

/**
 * A core in miniature: checks what the page must be able to show, and plays every view at it.
 * The prompt steers it: "fail" ends in a problem, "hold" stays in progress.
 */
export class FakeCore implements Intake {
  readonly commands: readonly CommandSpec[] = COMMANDS;
  /** Everything that was asked, for tests to look at. */
  readonly heard: { readonly name: string; readonly values: Values; readonly locale: string }[] = [];
  balance = 1000;
  #surface: Surface | undefined;
  readonly #stepMs: number;
  readonly #pressed = new Map<string, () => Promise<void>>();

  /** @param stepMs how long each of a job's five steps takes */
  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  async start(surface: Surface): Promise<void> {
    this.#surface = surface;
    await surface.start(this);
  }

  async command(origin: Parameters<Intake["command"]>[0], name: string, values: Values): Promise<void> {
    this.heard.push({ name, values, locale: origin.locale });
    if (name === "video") {
      check(values);
      void this.#generate(origin.address, values);
      return;
    }
    await this.#say(origin.address, this.#answerTo(name, origin.address));
  }

  async answer(origin: Parameters<Intake["answer"]>[0], formId: string, values: Values): Promise<void> {
    await this.command(origin, formId.split(":")[0] ?? "", values);
  }

  async act(_origin: unknown, token: string): Promise<void> {
    const press = this.#pressed.get(token);
    if (!press) throw new ReelayError("stale_button");
    await press();
  }

  async suggest(
    _origin: unknown,
    _name: string,
    fieldName: string,
    partial: string,
  ): Promise<readonly Suggestion[]> {
    const all = fieldName === "template" ? TEMPLATES : VARIANTS;
    return all.filter(({ title }) => title.toLowerCase().includes(partial.toLowerCase()));
  }

  async quote(_origin: unknown, _name: string, values: Values) {
    check(values);
    const upscaled = values["auto_upscale"] === true;
    return upscaled
      ? { tokens: null, basis: "unknown" as const, balance: this.balance }
      : {
          tokens: (PRICE * Number(values["duration"] ?? 6)) / 6,
          basis: "learned" as const,
          balance: this.balance,
        };
  }

  #say(to: Address, view: View) {
    if (!this.#surface) throw new Error("The fake core was not started.");
    return this.#surface.deliver(to, view);
  }

  async #generate(to: Address, values: Values): Promise<void> {
    const job: JobSummary = { id: crypto.randomUUID(), operation: "video", values, createdAt: Date.now() };
    const expectedAt = Date.now() + 5 * this.#stepMs;
    const step = async (view: Omit<ProgressView, "kind" | "job">) => {
      await this.#say(to, { kind: "progress", job, ...view });
      await new Promise((resolve) => setTimeout(resolve, this.#stepMs));
    };
    await step({ phase: "queued", ahead: 2 });
    await step({ phase: "submitting" });
    await step({ phase: "running", percent: 5, expectedAt, cost: PRICE });
    if (values["prompt"] === "hold") return;
    await step({ phase: "running", percent: 45, expectedAt, cost: PRICE });
    if (values["prompt"] === "fail") {
      const again = this.#button("action.again", "primary", () =>
        this.#generate(to, { ...values, prompt: "better" }),
      );
      const problem = { code: "job_failed", params: { reason: "the worker gave up" } } as const;
      await this.#say(to, { kind: "problem", problem, job, charged: 0, actions: [again] });
      return;
    }
    await step({ phase: "sending", cost: PRICE });
    this.balance -= PRICE;
    await this.deliverResult(to, job, values);
  }

  /** Delivers a result; twice for one job is what a crash between the two leads to. */
  async deliverResult(to: Address, job: JobSummary, values: Values = job.values): Promise<void> {
    const actions = [
      this.#button("action.again", "primary", () => this.#generate(to, values)),
      this.#button("action.new_seed", "secondary", () => this.#generate(to, { ...values, seed: 7 })),
      this.#button("action.change", "secondary", () => this.#collectChange(to, values)),
      this.#button("action.delete", "danger", async () => {
        await this.#surface?.revise({ id: job.id }, { kind: "notice", text: { key: key("notice.deleted") } });
      }),
    ];
    await this.#say(to, {
      kind: "result",
      job,
      cost: PRICE,
      balance: this.balance,
      tookMs: Date.now() - job.createdAt,
      actions,
      media: [
        {
          kind: "video",
          name: "reelay.mp4",
          open: async () => ({
            stream: createReadStream(CLIP),
            type: "video/mp4",
            bytes: (await stat(CLIP)).size,
          }),
        },
      ],
    });
  }

  async #collectChange(to: Address, values: Values): Promise<void> {
    await this.#surface?.collect(to, {
      id: `video:${crypto.randomUUID()}`,
      title: { key: key("form.change") },
      fields: VIDEO_FIELDS,
      values,
      submit: { key: key("form.generate") },
    });
  }

  #answerTo(name: string, to: Address): View {
    if (name === "jobs") {
      const open = this.#button("action.open", "secondary", () => Promise.resolve());
      const item = (title: Message) => ({
        title,
        detail: { key: key("job.detail"), params: { cost: PRICE } },
        actions: [open],
      });
      return {
        kind: "menu",
        title: { key: key("jobs.title") },
        items: [item({ key: key("job.one") }), item({ key: key("job.two") })],
      };
    }
    if (name === "delete-all") {
      const sure = this.#button("action.delete_all", "danger", async () => {
        await this.#say(to, { kind: "notice", text: { key: key("notice.deleted") } });
      });
      return { kind: "notice", text: { key: key("notice.sure") }, actions: [sure] };
    }
    const facts = [
      { label: key("fact.balance"), value: { key: key("fact.tokens"), params: { tokens: this.balance } } },
    ];
    return { kind: "notice", text: { key: key(`notice.${name}`) }, facts };
  }

  #button(label: string, style: Action["style"], press: () => Promise<void>): Action {
    const token = crypto.randomUUID();
    this.#pressed.set(token, press);
    return { token, style, label: { key: key(label) } };
  }
}

function check(values: Values): void {
  if (!values["image"]) throw new ReelayError("field_required", { field: "image" });
  if (!values["prompt"] && !values["template"]) throw new ReelayError("field_required", { field: "prompt" });
  const duration = values["duration"] ?? 6;
  if (Number(duration) < 3 || Number(duration) > 8) {
    throw new ReelayError("field_out_of_range", { field: "duration", min: 3, max: 8 });
  }
}
