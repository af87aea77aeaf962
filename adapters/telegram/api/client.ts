import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { Telegram, TelegramError } from "telegraf";
import type { TelegramConfig } from "../../../src/seam/config.ts";
import { scrub } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { within } from "../../../src/common/time.ts";
import { ask, askForText, FILE_SILENCE_MS, type PlatformAnswer } from "../../kit/files/request.ts";
import type { PlatformFacts } from "../../kit/pipeline/connection.ts";
import { isUnknownToken, presentable, retryAfterOf } from "./errors.ts";

/** How long an answer may take, in milliseconds: of a long poll, of an upload, of anything else. */
const TIMEOUT_MS = { poll: 75_000, upload: 600_000, other: 30_000 } as const;

const TELEGRAM_ROOT = "https://api.telegram.org";

/** Telegram, as its connection is told of. */
export const PLATFORM: PlatformFacts = {
  name: "telegram",
  title: "Telegram",
  token: "the token that BotFather gave",
  tokenSetting: "TELEGRAM_BOT_TOKEN",
  isUnknownToken,
  rootSetting: "TELEGRAM_API_ROOT",
  pauseOf: retryAfterOf,
};

type AnyCall = (method: string, payload: object, options: { signal: AbortSignal }) => Promise<unknown>;

/** What the Bot API answers (API, Making requests). */
type Told =
  | { readonly ok: true; readonly result: unknown }
  | ({ readonly ok: false } & ConstructorParameters<typeof TelegramError>[0]);

/** Parameters of a call. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The Bot API, one call at a time. */
export class BotApi {
  /** telegraf's: it takes any method; its types know those of Bot API 7 only, and signals of its own. */
  readonly #upload: AnyCall;
  readonly #methods: string;
  readonly #files: string;

  constructor({ token, apiRoot = TELEGRAM_ROOT }: TelegramConfig) {
    scrub.register(token);
    // telegraf resolves methods against the root as links on a page: without the slash a path's last part is lost.
    const telegram = new Telegram(token, { apiRoot: `${apiRoot}/`, webhookReply: false });
    this.#upload = telegram.callApi.bind(telegram) as AnyCall;
    this.#methods = `${apiRoot}/bot${token}/`;
    this.#files = `${apiRoot}/file/bot${token}/`;
  }

  /**
   * Makes one call, at once.
   * @throws TelegramError, NoAnswer, both without the token and what was sent; the signal's reason
   */
  async call<T>(method: string, parameters: Parameters, signal?: AbortSignal): Promise<T> {
    const uploads = isUpload(parameters);
    const kind = method === "getUpdates" ? "poll" : uploads ? "upload" : "other";
    const made = (end: AbortSignal) =>
      uploads
        ? this.#upload(method, wired(parameters), { signal: end })
        : this.#tell(method, parameters, end);
    try {
      return (await within(TIMEOUT_MS[kind], made, signal)) as T;
    } catch (error) {
      signal?.throwIfAborted();
      throw presentable(error);
    }
  }

  /**
   * Opens a file by the path that getFile gave.
   * @throws NoAnswer without the token, which is part of the address; the signal's reason
   */
  async download(path: string, signal?: AbortSignal): Promise<PlatformAnswer> {
    try {
      return await ask(this.#files + path, { signal, silenceMs: FILE_SILENCE_MS });
    } catch (error) {
      signal?.throwIfAborted();
      throw presentable(error);
    }
  }

  /** A call without files: telegraf's way takes three times the processor time for it. */
  async #tell(method: string, parameters: Parameters, signal: AbortSignal): Promise<unknown> {
    const json = JSON.stringify(parameters);
    const { status, text } = await askForText(this.#methods + method, { json, signal });
    if (status >= 500)
      throw new TelegramError({ error_code: status, description: STATUS_CODES[status] ?? "" });
    const told = JSON.parse(text) as Told;
    if (!told.ok) throw new TelegramError(told);
    return told.result;
  }
}

/** Whether files travel with a call: telegraf sends it as a form then. */
export function isUpload(parameters: Parameters): boolean {
  return sourcesOf(parameters).length > 0;
}

/** Whether a call can be made only once. */
export function hasStream(parameters: Parameters): boolean {
  return sourcesOf(parameters).some((source) => source instanceof Readable);
}

/** Lets go of the files of a call that failed: nobody reads them to their end any more. */
export function releaseFiles(parameters: Parameters): void {
  for (const source of sourcesOf(parameters)) if (source instanceof Readable) source.destroy();
}

/** What the files of a call are read from. */
function sourcesOf(parameters: Parameters): readonly unknown[] {
  return Object.values(parameters).flat().flatMap(sourcesIn);
}

function sourcesIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if ("source" in value) return [value.source];
  return "media" in value ? sourcesIn(value.media) : [];
}

/**
 * telegraf's forms leave out objects that they do not know, such as `reply_parameters`, and of one file's description all
 * other files, such as its thumbnail; as JSON and as files beside it they arrive.
 */
function wired(parameters: Parameters): Parameters {
  const forms = Object.entries(parameters).flatMap(([name, value]): [string, unknown][] => {
    if (name === "media" && isObject(value)) return attached(value);
    return [[name, name === "reply_parameters" && isObject(value) ? JSON.stringify(value) : value]];
  });
  return Object.fromEntries(forms);
}

/** A file's description, which names the files beside it. */
function attached(described: object): [string, unknown][] {
  const fields = Object.entries(described);
  const files = fields.filter(([, value]) => isObject(value) && "source" in value);
  const named = files.map(([name]) => [name, `attach://${name}_file`]);
  const media = JSON.stringify({ ...described, ...Object.fromEntries(named) });
  return [["media", media], ...files.map(([name, file]): [string, unknown] => [`${name}_file`, file])];
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
