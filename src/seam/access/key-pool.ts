import type { RateGroup } from "../../common/contract.ts";
import type { UserId } from "../values.ts";

/** Where a key of the pool stands. */
export const KEY_STATES = [
  /** It takes jobs. */
  "in",
  /** The service said that its tokens do not cover what was asked for; jobs that cost no more than is left still go to it. */
  "empty",
  /** The service does not take it. */
  "refused",
  /** Whoever runs Reelay keeps it from taking jobs. */
  "paused",
  /** It takes no job any more, and goes once what it paid for has arrived. */
  "removed",
  /** None of the secrets opens what is stored of it: it takes no job until one does, or it is added again. */
  "unreadable",
] as const;

/** One of {@link KEY_STATES}. */
export type KeyState = (typeof KEY_STATES)[number];

/** What is kept of where a key stands: whether it can be read is found out by reading it. */
export type KeptState = Exclude<KeyState, "unreadable">;

/** What the account of a key has subscribed to: the service tells of its own accord only whether that is anything. */
export const KEY_TIERS = ["standard", "pro", "ultra"] as const;

/** One of {@link KEY_TIERS}. */
export type KeyTier = (typeof KEY_TIERS)[number];

/** What the key of the environment is called. */
export const OWN_KEY = "REELAY_API_KEY";

/** How a key may be called. */
export const KEY_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** How much more a key may be given than another one. */
export const KEY_WEIGHT = { min: 1, max: 100 } as const;

/** A key that pays for those who have connected none; never the key itself. Times are milliseconds since 1970. */
export interface PoolKeyEntry {
  /** {@link OWN_KEY}, or as whoever added it calls it. */
  readonly name: string;
  readonly state: KeyState;
  /** Since when. */
  readonly since: number;
  /** It is given so many times as much as a key of weight 1. */
  readonly weight: number;
  /** Null: the service is asked by asking for things. */
  readonly tier: KeyTier | null;
  /** Tokens that it had when they did not cover something; null but for `empty`. */
  readonly left: number | null;
  /** Its jobs that something is still to come of. */
  readonly jobs: number;
}

/** What may be said of a key. */
export interface KeySettings {
  readonly weight?: number | undefined;
  /** Null: nothing is said of it any more. */
  readonly tier?: KeyTier | null | undefined;
}

/** What whoever runs Reelay can change about a key, as a text: another one after every change of it. */
export const keyVersion = ({
  state,
  weight,
  tier,
}: Pick<PoolKeyEntry, "state" | "weight" | "tier">): string => [state, weight, tier ?? "any"].join(" ");

/** A key with all that is shown of it where somebody looks after several. */
export interface KeyCard extends PoolKeyEntry {
  /** See {@link keyVersion}. */
  readonly version: string;
  /** How much of each published limit's window it has taken. */
  readonly windows: readonly KeyWindow[];
  /** Its jobs that are at the service, or may be. */
  readonly atService: number;
  /** Who changed it last, as far as the audit goes back; null: nobody. */
  readonly changed: { readonly at: number; readonly by: UserId | null } | null;
}

/** How full the window of a published rate is for one key. */
interface KeyWindow {
  readonly group: RateGroup;
  readonly used: number;
  readonly limit: number;
}

/**
 * What whoever runs Reelay may do about the keys that pay for those who have connected none. Where a {@link keyVersion} that was seen is
 * given and is another by now, nothing is done: `changed_meanwhile`.
 */
export interface KeyDesk {
  /** The one of the environment first, then as they are called. */
  list(): Promise<readonly PoolKeyEntry[]>;
  /**
   * Adds a key that the service takes.
   * @throws ReelayError `key_name`, `key_name_taken`, `key_in_pool` for one that is there already, `key_same_account` where another one of
   * its account is, `unauthorized` where the service does not take it, `no_service` where there is only the sandbox
   */
  add(name: string, key: string, settings: KeySettings): Promise<PoolKeyEntry>;
  /** @throws ReelayError `key_unknown` */
  set(name: string, settings: KeySettings, seen?: string): Promise<PoolKeyEntry>;
  /** @throws ReelayError `key_unknown` */
  pause(name: string, seen?: string): Promise<PoolKeyEntry>;
  /** Lets it take jobs again, whatever kept it; one that was removed, until it is erased. @throws ReelayError `key_unknown` */
  resume(name: string, seen?: string): Promise<PoolKeyEntry>;
  /** @throws ReelayError `key_unknown`; `key_of_environment` for the one that stands in a setting */
  remove(name: string, seen?: string): Promise<PoolKeyEntry>;
}
