import type { Quote, Suggestion } from "../../../../../src/seam/fields.ts";
import type { MediaRef, StatementName, Values } from "../../../../../src/seam/values.ts";
import type { Locale } from "../../../../../src/common/i18n.ts";
import type {
  AsideBody,
  BegunByDiscord,
  DeviceSession,
  Session,
  SignInWays,
  Uploaded,
} from "../../../wire.ts";
import { askAt, type OnOut, posting } from "./ask.ts";

export { AskRefused, problemOf } from "./ask.ts";

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

/** What the server answers. Every method throws what `problemOf` reads. */
export interface PageApi {
  session(): Promise<Session>;
  login(token: string): Promise<void>;
  signIn(key: SignInKey): Promise<void>;
  /** Uses a link up; see {@link OperatorLinkKey}. @param name "": none yet, so that only a link that is over is told of */
  enter(token: string, name: string | undefined): Promise<void>;
  /** The ways in beside the chats. */
  signInWays(): Promise<SignInWays>;
  beginByDiscord(): Promise<BegunByDiscord>;
  /** Logs this device out. */
  logOut(): Promise<void>;
  /** The devices that are logged in. */
  devices(): Promise<readonly DeviceSession[]>;
  logOutDevice(id: string): Promise<void>;
  /** Tokens left; null where that cannot be told. */
  balance(): Promise<number | null>;
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
  quote(name: string, values: Values, signal?: AbortSignal): Promise<Quote>;
  suggest(name: string, field: string, values: Values): Promise<readonly Suggestion[]>;
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
 * @param onOut hears of every answer by which nobody is in
 */
export function createApi(locale: Locale | undefined, onOut?: OnOut): PageApi {
  const ask = askAt(API, locale, onOut);
  const post = <T>(path: string, body: unknown, signal?: AbortSignal) => ask<T>(path, posting(body, signal));
  const give = async (path: string, init: RequestInit) =>
    (await ask<Uploaded>(path, init, "upload_lost")).media;
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
    balance: () => ask("balance"),
    upload: (file) =>
      give("media", {
        method: "POST",
        headers: { "content-type": file.type, "x-file-name": part(file.name) },
        body: file,
      }),
    uploadFrom: (address) => give("media/from", posting({ address })),
    command: (name, values, pressed) => post(`command/${part(name)}`, { values, ...pressed }),
    answer: (message, values, pressed) => post(`answer/${part(message)}`, { values, ...pressed }),
    commandAside: (name, values) => post(`aside/command/${part(name)}`, { values }),
    act: (token) => post("act", { token }),
    actAside: (token) => post("aside/act", { token }),
    quote: (name, values, signal) => ask(`quote/${part(name)}`, posting({ values }, signal), "quote_lost"),
    suggest: (name, field, values) => post(`suggest/${part(name)}/${part(field)}`, { partial: "", values }),
  };
}
