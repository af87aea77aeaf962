import type { Quote, Suggestion } from "../../../../../src/seam/fields.ts";
import type { MediaRef, StatementName, Values } from "../../../../../src/seam/values.ts";
import type { Locale } from "../../../../../src/common/i18n.ts";
import type {
  AsideBody,
  BegunByDiscord,
  DeviceSession,
  PageProblem,
  Session,
  SignInWays,
  Uploaded,
} from "../../../wire.ts";

/** An answer that was no success, or none at all (`unreachable`). */
class Refused extends Error {
  readonly problem: PageProblem;
  constructor(problem: PageProblem, options?: ErrorOptions) {
    super(problem.code, options);
    this.problem = problem;
  }
}

/** What went wrong, whatever was thrown. */
export function problemOf(error: unknown): PageProblem {
  return error instanceof Refused ? error.problem : { code: "internal", params: {} };
}

/** What the button said that was pressed: what its press states, what it costs, in tokens, and for which draft. */
interface Pressed {
  readonly draft: string;
  readonly agreed: readonly StatementName[];
  readonly price?: number;
}

/**
 * What says who somebody is: Telegram of who opened its Mini App, a link that was made for one person, or Discord of whom it
 * led back here.
 */
export type SignInKey =
  | { readonly initData: string }
  | { readonly ticket: string }
  | { readonly query: string };

/** A link that lets one of those who run Reelay in. */
export interface OperatorLinkKey {
  readonly link: string;
  /** Whether they are still to say what they want to be called. */
  readonly isNew: boolean;
}

const wayOf = (key: SignInKey) => ("ticket" in key ? "link" : "query" in key ? "discord" : "telegram");

/** What the server answers. Every method throws {@link Refused}. */
export interface PageApi {
  session(): Promise<Session>;
  login(token: string): Promise<void>;
  signIn(key: SignInKey): Promise<void>;
  /** Uses a link up; see {@link OperatorLinkKey}. */
  enter(token: string, name: string | undefined): Promise<void>;
  /** The ways in beside the chats. */
  signInWays(): Promise<SignInWays>;
  beginByDiscord(): Promise<BegunByDiscord>;
  /** Logs this device out. */
  logOut(): Promise<void>;
  /** The devices that are logged in. */
  devices(): Promise<readonly DeviceSession[]>;
  logOutDevice(id: string): Promise<void>;
  upload(file: File): Promise<MediaRef>;
  /** Takes the picture at an address. */
  uploadFrom(address: string): Promise<MediaRef>;
  command(name: string, values: Values, pressed?: Pressed): Promise<void>;
  answer(message: string, values: Values, pressed?: Pressed): Promise<void>;
  /** Runs a command whose answers are not for the conversation. */
  commandAside(name: string, values: Values): Promise<readonly AsideBody[]>;
  act(token: string): Promise<void>;
  /** Presses a button whose answers are not for the conversation. */
  actAside(token: string): Promise<readonly AsideBody[]>;
  quote(name: string, values: Values, signal: AbortSignal): Promise<Quote>;
  suggest(name: string, field: string, values: Values): Promise<readonly Suggestion[]>;
}

/** Some systems give HEIC photos no type. */
function typeOf({ type, name }: File): string {
  return type === "" && /\.hei[cf]$/i.test(name) ? "image/heic" : type;
}

/** Whether this is the page of people of the chats: it has an API of its own, which knows only them. */
export const IS_STUDIO = location.pathname === "/app";

/** Where the API is. */
export const API = IS_STUDIO ? "/app/web" : "/web";

/** Where a file of the conversation is read. */
export function mediaUrl(id: string): string {
  return `${API}/media/${encodeURIComponent(id)}`;
}

/**
 * The server's routes.
 * @param locale the language to ask in; undefined: the browser's own, which the server may not speak
 */
export function createApi(locale: Locale | undefined): PageApi {
  async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = new Headers(init.headers);
    if (locale) headers.set("accept-language", locale);
    const response = await fetch(`${API}/${path}`, { ...init, headers }).catch((cause: unknown) => {
      if (init.signal?.aborted) throw cause;
      throw new Refused({ code: "unreachable", params: {} }, { cause });
    });
    if (response.ok)
      return (response.headers.get("content-type")?.includes("json") ? response.json() : undefined) as T;
    const problem = (await response.json().catch(() => undefined)) as PageProblem | undefined;
    throw new Refused(problem ?? { code: "internal", params: {} });
  }

  const post = <T>(path: string, body: unknown, signal?: AbortSignal) =>
    ask<T>(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  const part = encodeURIComponent;

  return {
    session: () => ask("session"),
    login: (token) => post("login", { token }),
    signIn: (key) => post(`sign-in/${wayOf(key)}`, key),
    enter: (token, name) => post("enter", { token, ...(name !== undefined && { name }) }),
    signInWays: () => ask("sign-in"),
    beginByDiscord: () => post("sign-in/discord/begin", {}),
    logOut: () => post("logout", {}),
    devices: () => ask("devices"),
    logOutDevice: (id) => ask(`devices/${part(id)}`, { method: "DELETE" }),
    async upload(file) {
      const { media } = await ask<Uploaded>(`media?name=${part(file.name)}`, {
        method: "POST",
        headers: { "content-type": typeOf(file) },
        body: file,
      });
      return media;
    },
    uploadFrom: async (address) => (await post<Uploaded>("media/from", { address })).media,
    command: (name, values, pressed) => post(`command/${part(name)}`, { values, ...pressed }),
    answer: (message, values, pressed) => post(`answer/${part(message)}`, { values, ...pressed }),
    commandAside: (name, values) => post(`aside/command/${part(name)}`, { values }),
    act: (token) => post("act", { token }),
    actAside: (token) => post("aside/act", { token }),
    quote: (name, values, signal) => post(`quote/${part(name)}`, { values }, signal),
    suggest: (name, field, values) => post(`suggest/${part(name)}/${part(field)}`, { partial: "", values }),
  };
}
