import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../telegram/clock.ts";
import type { Description } from "./description.ts";
import type { WhatsappLiberties } from "./liberties.ts";
import type { WhatsappLimits } from "./limits.ts";
import type { Business } from "./world.ts";

/** What is told: messages of one person, or statuses of messages to them. */
export interface Told {
  readonly contacts?: readonly object[];
  readonly messages?: readonly object[];
  readonly statuses?: readonly object[];
}

/** One webhook that was sent. */
export interface SentWebhook {
  readonly body: string;
  /** The status of the answer; nothing where there was none. */
  readonly status: number | undefined;
}

/** Sends notices to the business's URL, each until it was answered 200. */
export class Webhook {
  /** Where to; nothing is sent before. */
  url: string | undefined;
  readonly log: SentWebhook[] = [];
  readonly #clock: Clock;
  readonly #limits: WhatsappLimits;
  readonly #liberties: WhatsappLiberties;
  readonly #business: Business;
  readonly #description: Description | undefined;
  readonly #stopped = new AbortController();
  #waiting: Told[] = [];
  #pumping: Promise<void> | undefined;
  #open = 0;

  constructor(
    clock: Clock,
    limits: WhatsappLimits,
    liberties: WhatsappLiberties,
    business: Business,
    description: Description | undefined,
  ) {
    this.#clock = clock;
    this.#limits = limits;
    this.#liberties = liberties;
    this.#business = business;
    this.#description = description;
  }

  /** Whether everything that was to be told has been answered 200. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#open === 0 && !this.#pumping;
  }

  /** Has something told. */
  tell(told: Told): void {
    this.#waiting.push(told);
    void this.pump();
  }

  /** Sends what waits. @returns when each has been tried once */
  async pump(): Promise<void> {
    if (!this.url) return;
    this.#pumping ??= this.#drain();
    await this.#pumping;
  }

  async #drain(): Promise<void> {
    // What happens at once is told together.
    await this.#pause(this.#clock.real(this.#liberties.delayMs) + 1);
    while (this.#waiting.length > 0 && !this.#stopped.signal.aborted) {
      const all = this.#waiting;
      this.#waiting = [];
      if (this.#liberties.order === "reversed") all.reverse();
      for (let at = 0; at < all.length; at += this.#liberties.batch) {
        const body = JSON.stringify(this.#packed(all.slice(at, at + this.#liberties.batch)));
        const times = this.#liberties.repeatsWebhooks ? 2 : 1;
        for (let time = 0; time < times; time++) {
          // One that was not taken is tried again; the others do not wait for it.
          if (!(await this.#post(body))) void this.#retry(body);
        }
      }
    }
    this.#pumping = undefined;
  }

  /** Sends anything, signed or not, once. */
  send(url: string, body: string, signature = this.signatureOf(body)): Promise<Response> {
    return fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(signature !== "" && { "x-hub-signature-256": signature }),
      },
      body,
      signal: AbortSignal.any([
        this.#stopped.signal,
        AbortSignal.timeout(this.#clock.real(this.#limits.webhookMs)),
      ]),
    });
  }

  /** "Webhooks", "Validating payloads": over the body as it is sent, whose letters beyond ASCII are escaped. */
  signatureOf(body: string): string {
    return `sha256=${createHmac("sha256", this.#business.appSecret).update(body).digest("hex")}`;
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #post(body: string): Promise<boolean> {
    if (!this.url) return false;
    this.#open += 1;
    const sent = ascii(body);
    const status = await this.send(this.url, sent).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => undefined,
    );
    this.log.push({ body, status });
    this.#open -= 1;
    return status === 200;
  }

  /** Again and again, a second longer apart each time; the real ones go on for days. */
  async #retry(body: string): Promise<void> {
    this.#open += 1;
    for (let attempt = 1; !this.#stopped.signal.aborted; attempt += 1) {
      await this.#pause(this.#clock.real(Math.min(attempt, 5) * 1000));
      if (!this.#stopped.signal.aborted && (await this.#post(body))) break;
    }
    this.#open -= 1;
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopped.signal }).catch(() => {});
  }

  #packed(notices: readonly Told[]): object {
    const { packing, hasNews, numbers } = this.#liberties;
    const { account, number, phoneNumberId } = this.#business;
    const value = (told: Told) => ({
      messaging_product: "whatsapp",
      metadata: { display_phone_number: number, phone_number_id: phoneNumberId },
      ...told,
      ...(hasNews && { new_in_next_version: { a: 1 } }),
    });
    const change = (told: Told) => ({ value: value(told), field: "messages" });
    const news = hasNews ? [{ value: { event: "SOMETHING_NEW" }, field: "account_update" }] : [];
    const entry = (changes: readonly object[]) => ({ id: account, changes });
    const packed = packing === "messages" ? together(notices) : notices;
    const entries =
      packing === "entries"
        ? packed.map((told) => entry([change(told), ...news]))
        : [entry([...packed.map(change), ...news])];
    const body = { object: "whatsapp_business_account", entry: entries };
    // It is older than ids.
    if (!hasNews && numbers === "shown") this.#description?.checkWebhook(body);
    return body;
  }
}

/** Messages in one notice, statuses in another. */
function together(notices: readonly Told[]): readonly Told[] {
  // A system's notice has no contacts, by the description.
  const isSystem = ({ messages, contacts }: Told) => messages !== undefined && contacts === undefined;
  const messages = notices.filter((told) => told.messages !== undefined && !isSystem(told));
  const statuses = notices.filter((told) => told.statuses !== undefined);
  return [
    ...(messages.length > 0
      ? [
          {
            contacts: messages.flatMap(({ contacts = [] }) => contacts),
            messages: messages.flatMap((told) => told.messages ?? []),
          },
        ]
      : []),
    ...(statuses.length > 0 ? [{ statuses: statuses.flatMap((told) => told.statuses ?? []) }] : []),
    ...notices.filter(isSystem),
  ];
}

/** As Meta writes JSON: everything beyond ASCII as `\u00e4`. What is signed is that. */
const ascii = (json: string): string =>
  json.replaceAll(
    /[\u0080-\uffff]/g,
    (letter) => String.raw`\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
