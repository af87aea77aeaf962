import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { WhatsAppConfig } from "../../../src/seam/config.ts";
import { timeoutAwake } from "../../../src/common/time.ts";
import { jsonIn } from "../../kit/files/json.ts";
import {
  ask,
  FILE_SILENCE_MS,
  isOn,
  meaningOfStatus,
  type PlatformAnswer,
  type PlatformRequest,
} from "../../kit/files/request.ts";
import type { PlatformFacts } from "../../kit/pipeline/connection.ts";
import type { Others } from "../../kit/throttle/others.ts";
import { restingLonger, Throttler } from "../../kit/throttle/throttler.ts";
import { LostAnswers } from "../../kit/messages/told.ts";
import { WHATSAPP } from "./limits.ts";
import { CloudError, isAnswer, type Meaning, meaningOf } from "./errors.ts";

const [ROOT, VERSION] = ["https://graph.facebook.com", "v23.0"] as const;
const METAS = ["fbsbx.com", "facebook.com", "fbcdn.net", "whatsapp.net"];

/** How long an answer, and an upload, may take, in milliseconds. */
const TIMEOUT_MS = { call: 30_000, upload: 300_000 } as const;

/** Below the public address: what an operator enters at Meta. */
export const WEBHOOK_PATH = "/whatsapp/webhook";

/** WhatsApp, as its connection is told of. */
export const PLATFORM: PlatformFacts = {
  name: "whatsapp",
  title: "WhatsApp",
  token: "the access token of a system user of Meta's",
  tokenSetting: "WHATSAPP_TOKEN",
  isUnknownToken: (error) => meaningOf(error) === "token",
  // It says 100 of everything that it does not find, and of a secret that is another app's.
  unknownSetting: (error) =>
    error instanceof CloudError && error.code === 100
      ? `WHATSAPP_${error.message.includes("appsecret_proof") ? "APP_SECRET" : "PHONE_NUMBER_ID"}`
      : undefined,
  rootSetting: "WHATSAPP_API_ROOT",
};

/**
 * How fast messages may follow each other: so many a second to all, and so many at once to one, each for so long; and how long it is
 * waited for what is told of a message whose answer was lost, in milliseconds.
 */
export type Pace = Readonly<Record<"perSecond" | "burst" | "perPersonMs" | "lostMs", number>>;

/** What is posted: a message of the Cloud API's, without whom it is for. */
export interface Payload {
  readonly type: string;
  readonly [part: string]: unknown;
}

type Turn = Pick<Parameters<Throttler["run"]>[0], "isFirst" | "idle" | "message" | "shows">;

const posted = z.object({ messages: z.tuple([z.object({ id: z.string() })]) });
const failed = z.object({ error: z.object({ code: z.number(), message: z.string() }) });
const uploaded = z.object({ id: z.string() });
const media = z.object({ url: z.url() });
const number = z.object({
  display_phone_number: z.string(),
  verified_name: z.string().optional(),
  webhook_configuration: z.record(z.string(), z.string()).default({}),
});

/** Who rests after what passes: nobody else sends an answer in a chat again. */
const RESTS: Partial<Record<Meaning, "chat" | "all">> = { pair: "chat", down: "chat", throughput: "all" };

/** The Cloud API, at the pace that it takes. All methods throw {@link CloudError} for its answers, and what broke the connection. */
export class CloudApi {
  /** Hears which messages were posted. */
  readonly told: LostAnswers;
  readonly #config: WhatsAppConfig;
  readonly #throttler: Throttler;
  readonly #pace: Pace;
  #isKnown = true;

  /** @param others processes that post under the same number */
  constructor(config: WhatsAppConfig, told = new LostAnswers(), pace: Pace = WHATSAPP, others?: Others) {
    this.#config = config;
    this.told = told;
    this.#pace = pace;
    const { perSecond, burst, perPersonMs } = pace;
    this.#throttler = new Throttler(
      {
        overall: { most: perSecond, ms: 1_000 },
        // Nothing overtakes another there.
        inChat: () => [
          { most: 1, ms: 0 },
          { most: burst, ms: burst * perPersonMs },
        ],
        keptForFirst: 0.1,
        longMs: 10 * perPersonMs,
        restAfter: restingLonger((error) => RESTS[meaningOf(error) ?? "refused"], perPersonMs),
      },
      others,
    );
  }

  /** Whether the token was taken when it was shown last. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** As {@link Throttler.pauseToTell}. */
  readonly pauseToTell = (to: string) => this.#throttler.pauseToTell(to);

  /** As {@link Throttler.drop}. */
  readonly drop = (to: string, shows: string) => this.#throttler.drop(to, shows);

  /**
   * Posts a message to somebody. Where the answer is lost, it is what is told of the message that says whether it was posted.
   * @param once comes back with that: under this name, one message is posted, also after a crash
   * @param turn when it goes, as {@link Throttler.run} has it; in its turn unless given
   * @returns its id
   */
  post(to: string, payload: Payload, once?: string, turn: Turn = {}): Promise<string> {
    const named = { chat: to, name: once ?? randomUUID(), once: once !== undefined };
    const addressee = /^\d/.test(to) ? { to } : { recipient: to };
    const message = { messaging_product: "whatsapp", recipient_type: "individual", ...addressee, ...payload };
    const json = JSON.stringify({ ...message, biz_opaque_callback_data: named.name });
    const post = async () => posted.parse(await this.#call(this.#messages, { json })).messages[0].id;
    return this.#throttler.run({ chat: to, messages: 1, ...turn }, () =>
      this.told.post(named, this.#pace.lostMs, post, isAnswer),
    );
  }

  /** Hears that a message to somebody was not brought after all. */
  hearFailed(to: string, code: number): void {
    this.#throttler.failedLater(to, new CloudError("A message did not arrive", code));
  }

  /** Shows somebody that their message was read, and that an answer is being written. Nobody waits for it. */
  read(message: string, onFailure: (error: unknown) => void): void {
    const read = { messaging_product: "whatsapp", status: "read", message_id: message };
    const json = JSON.stringify({ ...read, typing_indicator: { type: "text" } });
    this.#call(this.#messages, { json }).catch(onFailure);
  }

  /** Hands a file over, which messages may then show for some weeks. @returns its id */
  async upload(content: Blob | Uint8Array<ArrayBuffer>, name: string, type: string): Promise<string> {
    const form = { messaging_product: "whatsapp", type, file: new File([content], name, { type }) };
    const signal = timeoutAwake(TIMEOUT_MS.upload);
    return uploaded.parse(await this.#call(`${this.#config.phoneNumberId}/media`, { form, signal })).id;
  }

  /** Opens a file that somebody sent: its address works for five minutes, so that each opening asks for a new one. */
  async open(id: string, signal: AbortSignal): Promise<PlatformAnswer> {
    const path = `${encodeURIComponent(id)}?phone_number_id=${this.#config.phoneNumberId}`;
    const { url } = media.parse(await this.#call(path, { silenceMs: FILE_SILENCE_MS, signal }));
    this.#checkHost(url);
    return ask(url, { authorization: this.#authorization, silenceMs: FILE_SILENCE_MS, signal });
  }

  /**
   * The number that people write to, and the address that is called with what they write.
   * @param proof shows that the app secret belongs to the token ("Secure Graph API calls")
   */
  async number(signal?: AbortSignal, proof = "") {
    const path = `${this.#config.phoneNumberId}?fields=display_phone_number,verified_name,webhook_configuration`;
    const proven = proof && `&appsecret_proof=${proof}`;
    const told = number.parse(await this.#call(path + proven, { signal }));
    const { display_phone_number: digits, verified_name: name = digits, webhook_configuration: calls } = told;
    // The narrower goes before the wider ("Overrides").
    const [called] = ["phone_number", "whatsapp_business_account", "application"].flatMap(
      (of) => calls[of] || [],
    );
    return { number: digits, name, called };
  }

  /** Posts nothing any more. */
  stop(): void {
    this.#throttler.close(new Error("WhatsApp is switched off."));
  }

  get #authorization(): string {
    return `Bearer ${this.#config.token}`;
  }

  get #messages(): string {
    return `${this.#config.phoneNumberId}/messages`;
  }

  /** The token goes to Meta's own servers alone, or to the one that is set. */
  #checkHost(url: string): void {
    const isOwn = new URL(url).origin === new URL(this.#config.apiRoot ?? ROOT).origin;
    if (!isOwn && !isOn(url, METAS))
      throw new CloudError("A file is on a server that is none of Meta's", 0, "refused");
  }

  async #call(path: string, options: PlatformRequest): Promise<unknown> {
    const url = `${this.#config.apiRoot ?? ROOT}/${VERSION}/${path}`;
    const bounded = { signal: timeoutAwake(TIMEOUT_MS.call), ...options };
    const { status, body } = await ask(url, { ...bounded, authorization: this.#authorization });
    const said = jsonIn(await body.text());
    this.#isKnown = true;
    if (status === 200) return said;
    const { data } = failed.safeParse(said);
    const error = data
      ? new CloudError(data.error.message, data.error.code, status >= 500 ? "down" : undefined)
      : new CloudError(`It answered ${status}`, 0, meaningOfStatus(status));
    this.#isKnown = error.meaning !== "token";
    throw error;
  }
}
