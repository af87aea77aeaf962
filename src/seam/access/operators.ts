import type { UserId } from "../values.ts";

/** What those who run Reelay may be: each has one role. */
export const OPERATOR_ROLES = ["owner", "operator", "moderator", "viewer"] as const;

/** One of {@link OPERATOR_ROLES}. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What there is to be done in the console; each of its routes asks for one of them. */
export const OPERATOR_ACTS = [
  /** Looks: each is a page of its own. */
  "see-now",
  "see-job",
  "see-log",
  "see-money",
  "see-people",
  "see-partners",
  "see-rules",
  "see-keys",
  /** Looks at the words and pictures of somebody else, which the audit keeps. */
  "uncover",
  /** Retries, cancels or delivers a job again, or leaves a note with it. */
  "act-on-job",
  /** Withholds or restores what was reported. */
  "decide-report",
  /** Blocks people, and holds them to caps. */
  "manage-people",
  "manage-partners",
  "change-rule",
  /** Adds keys that pay, and says which take jobs. */
  "manage-keys",
  /** Makes things on the page, where whoever runs Reelay pays. */
  "make",
  /** Invites those who run Reelay, and says what they may. */
  "manage-operators",
  /** Says which service, key and bots there are. */
  "set-up",
] as const;

/** One of {@link OPERATOR_ACTS}. */
export type OperatorAct = (typeof OPERATOR_ACTS)[number];

/** Somebody who runs Reelay. */
export interface Operator {
  /** Who it is, in the audit, and as a user of the page. */
  readonly id: UserId;
  readonly role: OperatorRole;
}

/** Whoever has the terminal, or the login token from there: an owner for good, so that there always is one. */
export const TERMINAL_OWNER: UserId = "web:me";

/** Somebody who runs Reelay, as the others see them. Times are milliseconds since 1970. */
export interface OperatorEntry extends Operator {
  /** As they want to be called; null: they have not come in yet, or it is {@link TERMINAL_OWNER}. */
  readonly name: string | null;
  /** This and the next: null for {@link TERMINAL_OWNER}, whom nobody invited. */
  readonly invitedAt: number | null;
  readonly invitedBy: UserId | null;
  /** To the minute; null: never, or not known. */
  readonly seenAt: number | null;
  /** They may nothing since. */
  readonly removedAt: number | null;
  /** Until when the link that was last made for them opens a session; null: it was used, or there is none. */
  readonly linkUntil: number | null;
}

/** Somebody with a link that was just made: the only moment when that can be shown. */
export interface OperatorLink {
  readonly operator: OperatorEntry;
  /** Opens one session, within {@link LINK_MS}. */
  readonly token: string;
}

/** How long a link is good for, in milliseconds. */
export const LINK_MS = 24 * 3_600_000;

/** The longest name, in characters. */
export const MAX_OPERATOR_NAME = 40;

/**
 * The address that leads somebody in: the page reads its fragment, which neither browsers nor previews ever send.
 * @param address of the page, without a slash at its end
 */
export function operatorAddress(address: string, { operator, token }: OperatorLink): string {
  return `${address}/#${operator.name === null ? "join" : "enter"}=${token}`;
}

/** Who runs Reelay, and what they may. Whoever does something is asked for their role once more when it is written. */
export interface Operators {
  may(role: Operator["role"], act: OperatorAct): boolean;
  /** Who comes in under an id now; undefined for everybody else, and for those who were removed. */
  find(id: UserId): Promise<OperatorEntry | undefined>;
  /** {@link TERMINAL_OWNER} first, then as they were invited; those who were removed as long as the audit may name them. */
  list(): Promise<readonly OperatorEntry[]>;
  /** @param who a name or an id @throws ReelayError `operator_unknown` */
  named(who: string): Promise<OperatorEntry>;
  /** @throws ReelayError `no_login` where the page asks nobody who they are, `role_may_not` */
  invite(role: OperatorRole, by: UserId): Promise<OperatorLink>;
  /**
   * A link for somebody's next device; the one before opens nothing from then on. Anybody may have one for themselves.
   * @throws ReelayError `no_login`, `operator_unknown`, `role_may_not`, `terminal_owner`
   */
  link(id: UserId, by: UserId): Promise<OperatorLink>;
  /**
   * Uses a link up.
   * @param name as they want to be called, the first time; later it is as it was
   * @throws ReelayError `link_over` for one that was used, replaced, is too old or was never made, whatever the name is; `operator_name` for a name that
   * is none, `operator_name_taken`, `key_in_words`: the link stays good
   */
  enter(token: string, name: string | undefined): Promise<OperatorEntry>;
  /**
   * @param from what whoever changes it saw
   * @throws ReelayError `changed_meanwhile` where it is another by now; `operator_unknown`, `role_may_not`, `terminal_owner`
   */
  setRole(
    id: UserId,
    change: { readonly from: OperatorRole; readonly to: OperatorRole },
    by: UserId,
  ): Promise<OperatorEntry>;
  /** They may nothing from then on. @throws ReelayError `operator_unknown`, `role_may_not`, `terminal_owner` */
  remove(id: UserId, by: UserId): Promise<void>;
  /**
   * Notes that every device of somebody's is logged out.
   * @throws ReelayError `operator_unknown`, `role_may_not`
   */
  signOut(id: UserId, by: UserId): Promise<void>;
  /** Notes that somebody is here. */
  seen(operator: OperatorEntry): Promise<void>;
  /**
   * Calls back whenever what somebody may has changed, in another process too where that is known.
   * @returns stops it
   */
  onChange(listener: () => void): () => void;
}
