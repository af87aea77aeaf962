import type { Json } from "../common/json.ts";

/** The chat platforms: there people and chats have ids, and Reelay is a participant. */
export const CHATS = ["telegram", "discord", "whatsapp"] as const;

/** One of {@link CHATS}. */
export type ChatName = (typeof CHATS)[number];

/**
 * How they write the ids of people, chats and servers, each in one way. On WhatsApp a number that was somebody else's before says how many
 * had it, and who hides theirs has an id of Meta's: a country, letters and digits ("Business-scoped user IDs").
 */
export const CHAT_IDS: Readonly<Record<ChatName, string>> = {
  telegram: "-?[1-9]\\d*",
  discord: "[1-9]\\d*",
  whatsapp: "[1-9]\\d*(?:\\.[1-9]\\d*)?|[A-Z]{2}\\.[\\w.]+",
};

/** Where a person talks to Reelay. Each has one adapter. */
export const PLATFORMS = ["web", "cli", "http", ...CHATS] as const;

/** One of {@link PLATFORMS}. */
export type Platform = (typeof PLATFORMS)[number];

/** A person, unique over all platforms: `<platform>:<id there>`. */
export type UserId = `${Platform}:${string}`;

/** A group where people talk, unique over all platforms: `<platform>:<id there>`. */
export type ChatId = `${Platform}:${string}`;

/** Where a person or a group is. */
export const platformOf = (id: UserId) => id.slice(0, id.indexOf(":")) as Platform;

/**
 * What people state before they may do something. `terms`: they accept how this Reelay may be used. `consent`: the people
 * in their photos agreed. `faces`: the people whose faces are swapped agreed, said each time. `adult`: they are 18 or older.
 */
export const STATEMENT_NAMES = ["terms", "consent", "faces", "adult"] as const;

/** One of {@link STATEMENT_NAMES}. */
export type StatementName = (typeof STATEMENT_NAMES)[number];

/** What a job counts for in statistics: the service's, where an endpoint takes them, and the operator's own. */
export interface Tags {
  readonly platform: string;
  /** A name for the person: a pseudonym, their id on the platform, or what a partner calls them. */
  readonly inAppUsername: string;
}

/** Where in a platform something is to be posted. Only that platform's adapter reads it. */
export type Address = { readonly [key: string]: Json };

/** What an adapter needs in order to find again what it posted. Only that adapter reads it. */
export type Receipt = { readonly [key: string]: Json };

/** A picture or a sound that a person gave: plain JSON, re-openable by its surface after a restart. */
export type MediaRef = {
  readonly surface: Platform;
  /** What the surface finds it by: a file's digest, a path, a platform's file id; or a URL, for any surface. */
  readonly id: string;
  readonly name?: string;
  readonly bytes?: number;
  /** SHA-256 in hex of what is at its address, where it must be that very file. */
  readonly digest?: string;
};

/** One typed value of a field; several files are a list, in their order. */
export type Value = string | number | boolean | MediaRef | readonly MediaRef[];

/** Named, typed values: what a command is called with. */
export type Values = Readonly<Record<string, Value | undefined>>;

/** Whether a value is one file. */
export function isMediaRef(value: unknown): value is MediaRef {
  return typeof value === "object" && value !== null && "surface" in value && "id" in value;
}

/** Whether a value is a list of files. */
export function isMediaList(value: unknown): value is readonly MediaRef[] {
  return Array.isArray(value) && value.every(isMediaRef);
}

/** The files of a value, whether one or several; none for everything else. */
export function mediaIn(value: Value | undefined): readonly MediaRef[] {
  if (isMediaRef(value)) return [value];
  return isMediaList(value) ? value : [];
}
