import { action } from "../../../src/chat/actions.ts";
import type { ResultMedia, ResultView } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import { translator } from "../../../src/i18n.ts";
import { type ResultFile, withResultFile } from "../../../src/media/result-file.ts";
import type { TelegramAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { meaningOf } from "../api/errors.ts";
import { keyboardOf } from "./keyboard.ts";
import { placeOf } from "../context/place.ts";
import { escapeHtml, render } from "./render.ts";
import { postFile } from "./results-ladder.ts";
import { type Delivery, keepDelivery } from "./results-memory.ts";
import type { Posting, Posted } from "./results-ways.ts";
import { whileUploading } from "../media/upload.ts";

/** What each file is posted as, one after the other: Telegram makes photos smaller, so that an original follows. */
const STEPS = { video: ["video"], image: ["image", "original"] } as const;

type Step = (typeof STEPS)["video" | "image"][number];

const ACTIONS = { video: "upload_video", image: "upload_photo" } as const;

/** Telegram takes a result in no form. */
export class TakesNoForm extends ReelayError {
  constructor() {
    super("undeliverable");
  }
}

/** One result on its way. Each step is written down as soon as Telegram has answered: a crash repeats none. */
export class ResultDelivery {
  readonly #services: Services;
  readonly #address: TelegramAddress;
  readonly #view: ResultView;
  readonly #posted: (Posted | null)[];
  readonly #signal: AbortSignal | undefined;

  constructor(
    services: Services,
    address: TelegramAddress,
    view: ResultView,
    begun: readonly (Posted | null)[],
    signal: AbortSignal | undefined,
  ) {
    this.#services = services;
    this.#address = address;
    this.#view = view;
    this.#posted = [...begun];
    this.#signal = signal;
  }

  /**
   * Posts what has not been posted yet.
   * @throws TakesNoForm after saying where it waits
   */
  async finish(): Promise<Delivery> {
    let nth = 0;
    for (const media of this.#view.media) {
      const steps = STEPS[media.kind];
      const due = steps.slice(Math.max(0, this.#posted.length - nth));
      nth += steps.length;
      if (due.length > 0) {
        await whileUploading(this.#services, this.#address, ACTIONS[media.kind], () =>
          this.#post(media, due),
        );
      }
    }
    return this.#keep({ pending: false, complete: true });
  }

  async #post(media: ResultMedia, steps: readonly Step[]): Promise<void> {
    const download = { dir: this.#services.host.scratch, signal: this.#signal };
    await withResultFile(media, download, async (file) => {
      for (const step of steps) {
        this.#posted.push(step === "original" ? await this.#original(file) : await this.#main(step, file));
        await this.#keep({ pending: false, complete: false });
      }
    });
  }

  /** What is said of it and what can be pressed stands under the first. */
  async #main(kind: "video" | "image", file: ResultFile): Promise<Posted> {
    const { html, keyboard } = render(translator(this.#address.locale), this.#view);
    const first = this.#posted.length === 0;
    const posted = await this.#hand(kind, file, {
      services: this.#services,
      address: this.#address,
      caption: first ? html : "",
      keyboard: first ? keyboard : { inline_keyboard: [] },
      covered: this.#view.spoiler,
      signal: this.#signal,
    });
    if (posted) return posted;
    await this.#sayWhere(html);
    throw new TakesNoForm();
  }

  /** Only a photo is less than its original. */
  async #original(file: ResultFile): Promise<Posted | null> {
    const picture = this.#posted.at(-1);
    if (picture?.as !== "photo") return null;
    const posted = await this.#hand("original", file, {
      services: this.#services,
      address: { ...this.#address, replyTo: picture.message },
      caption: "",
      keyboard: { inline_keyboard: [] },
      covered: this.#view.spoiler,
      signal: this.#signal,
    });
    return posted ?? null;
  }

  /** Hands a file to Telegram, with a mark of that until its answer is there. */
  async #hand(kind: Step, file: ResultFile, posting: Posting): Promise<Posted | undefined> {
    await this.#keep({ pending: true, complete: false });
    try {
      return await postFile(kind, posting, file);
    } catch (error) {
      const answered = meaningOf(error) !== undefined && meaningOf(error) !== "down";
      if (answered) await this.#keep({ pending: false, complete: false });
      throw error;
    }
  }

  async #keep(state: Pick<Delivery, "pending" | "complete">): Promise<Delivery> {
    const delivery = { address: this.#address, posted: this.#posted, ...state };
    await keepDelivery(this.#services.memory, this.#view.job.id, delivery);
    return delivery;
  }

  /** Telegram takes no form of it: it waits among the person's jobs. */
  async #sayWhere(caption: string): Promise<void> {
    await this.#keep({ pending: false, complete: false });
    const say = translator(this.#address.locale);
    await this.#services.sender.call(
      "sendMessage",
      {
        ...placeOf(this.#address),
        text: `${escapeHtml(say("view.too_large", { platform: "Telegram" }))}\n${caption}`,
        parse_mode: "HTML",
        reply_markup: keyboardOf(say, [action("show", this.#view.job.id, "action.show")]),
      },
      { chat: this.#address.chat },
    );
  }
}
