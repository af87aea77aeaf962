import type { UserId } from "../values.ts";

/** What a token may be used for. */
export const SCOPES = ["jobs:read", "jobs:write", "usage:read", "webhooks"] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** How many jobs may be begun, and for how many tokens; what is left out has no bound. Days and months are those of UTC. */
export interface Caps {
  readonly day?: number | undefined;
  readonly month?: number | undefined;
  /** Tokens that they may cost. */
  readonly dayTokens?: number | undefined;
  readonly monthTokens?: number | undefined;
  /** Going on at the same time. */
  readonly atOnce?: number | undefined;
}

/** Whether a partner stands in for their people, or those make the statements of everybody. */
export const GATES = ["vouched", "asked"] as const;

/** One of {@link GATES}. */
type Gates = (typeof GATES)[number];

/** Who puts Reelay behind an app of their own. */
export interface Partner {
  /** Lower case letters, digits and hyphens; made of the name. */
  readonly id: string;
  readonly name: string;
  /** What their jobs count for, where a request says nothing else; see `Tags`. */
  readonly platform: string;
  readonly createdAt: number;
  /** For all of their jobs together. */
  readonly caps: Caps;
  /** For the jobs of each `in_app_username`. */
  readonly userCaps: Caps;
  /** Requests that they may send in a minute. */
  readonly requestsPerMinute: number;
  /** Set where their people make the statements of everybody; left out, the partner vouches for them. */
  readonly asksPeople?: true;
  /** Set where they may use mature templates, as far as those are on at all. */
  readonly mature?: true;
  /** Whose pages may call with their tokens, each as browsers write it; left out: no page may. */
  readonly origins?: readonly string[];
}

/** What tokens begin with: those that the service works and is paid for, and those for trying out. No text begins with both. */
export const TOKEN_PREFIX = { live: "rly_", test: "rlytest_" } as const;

/** What a token leads to: the service, or a sandbox where nothing is really made. */
export type TokenMode = keyof typeof TOKEN_PREFIX;

/** What a token says it leads to, whether anybody has it or not. */
export const modeOf = (token: string): TokenMode => (token.startsWith(TOKEN_PREFIX.test) ? "test" : "live");

/** A token, without what is secret of it. */
export interface TokenInfo {
  /** Told in lists and to revoke it; no secret. */
  readonly id: string;
  readonly scopes: readonly Scope[];
  /** This and the next in milliseconds since 1970. */
  readonly createdAt: number;
  /** It opens nothing from then on; left out: it lasts until it is revoked. */
  readonly expiresAt?: number;
  /** Set where it is for trying out: it leads to a sandbox, and to nothing else. */
  readonly test?: true;
}

/** Whose token a request came with. */
export interface Caller {
  readonly partner: Partner;
  readonly token: TokenInfo;
}

/** A partner as a user: their key, their jobs and their turns are those of any person. */
export const partnerUser = (id: string): UserId => `http:${id}`;

/** The id of the partner that a user is; undefined for everybody else. */
export function partnerIdOf(user: UserId): string | undefined {
  const prefix = partnerUser("");
  return user.startsWith(prefix) ? user.slice(prefix.length) : undefined;
}

/** A name for one of a partner's people. Letters with accents may be written in two ways that nobody can tell apart: it is one name. */
export const usernameNamed = (text: string): string => text.normalize("NFC");

/** One of a partner's people, to be named where others are. Ids of partners hold no slash. */
export const partnersPerson = (partner: UserId, username: string): UserId =>
  `${partner}/${usernameNamed(username)}`;

/** Whose jobs somebody has who is named so: one of a partner's people has their partner's, under their name. */
export function ownerOf(named: UserId): { readonly user: UserId; readonly username?: string } {
  const at = partnerIdOf(named) === undefined ? -1 : named.indexOf("/");
  if (at < 0) return { user: named };
  return { user: named.slice(0, at) as UserId, username: usernameNamed(named.slice(at + 1)) };
}

/** What an adapter may ask about partners. */
export interface Partners {
  /**
   * Whose token this is; takes as long for one that nobody has. Revoked ones are nobody's.
   * @throws ReelayError `token_expired`
   */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Whether some partner lets pages of this origin call. */
  allowsOrigin(origin: string): Promise<boolean>;
  /** Whether a token that was good when it came was neither revoked meanwhile nor has expired. */
  isGood(caller: Caller): Promise<boolean>;
}

/** How caps change: what is left out stays, null takes one away. */
export type CapChanges = { readonly [Name in keyof Caps]: Caps[Name] | null };

/** What can be said of a partner beside the name; what is left out stays as it is. */
export interface PartnerSettings {
  readonly platform?: string | undefined;
  readonly caps?: CapChanges | undefined;
  readonly userCaps?: CapChanges | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly gates?: Gates | undefined;
  /** Whether they may use mature templates, as far as those are on at all. */
  readonly mature?: boolean | undefined;
  /** As in {@link Partner}; none: no page may. */
  readonly origins?: readonly string[] | undefined;
}

/** A token, and how it is used. */
interface TokenEntry extends TokenInfo {
  /** To the minute, in milliseconds since 1970; null: never. */
  readonly lastUsedAt: number | null;
}

/** A partner with their tokens, and whose key pays for them. */
export interface PartnerEntry {
  readonly partner: Partner;
  readonly tokens: readonly TokenEntry[];
  /**
   * Their own, the operator's, the sandbox's play money. Their jobs are refused where theirs is `unreadable`: none of the secrets opens it
   * any more; and where it is null: nobody's.
   */
  readonly paidBy: "own" | "operator" | "sandbox" | "unreadable" | null;
}

/** A token that was just made: the only moment when it can be shown. */
export interface FreshToken {
  readonly token: string;
  readonly info: TokenInfo;
}

/** What a token is to be good for, and how long. */
export interface TokenTerms {
  readonly scopes: readonly Scope[];
  /** As in {@link TokenInfo}. */
  readonly expiresAt?: number | undefined;
  /** Whether it is for trying out. */
  readonly test?: boolean | undefined;
}

/** What a partner is, in a text: another one after every change. */
export const partnerVersion = (partner: Partner): string => JSON.stringify(partner);

/** What whoever runs Reelay may do with partners. Names are those of {@link Partner}, or ids. */
export interface PartnerAdmin {
  /**
   * Adds a partner with a first token.
   * @param key the service key that pays for them, tried out first; undefined: none of their own
   * @throws ReelayError `partner_exists`, `test_mode_missing`, or what the service says of the key
   */
  add(
    name: string,
    settings: PartnerSettings & TokenTerms & { readonly key?: string | undefined },
  ): Promise<PartnerEntry & { readonly fresh: FreshToken }>;
  list(): Promise<readonly PartnerEntry[]>;
  /**
   * Changes what is given; a cap of 0 lets nothing begin. Names that are not known: `partner_unknown`, as for all.
   * @param seen the {@link partnerVersion} that whoever changes it saw
   * @throws ReelayError `changed_meanwhile` where it is another by now
   */
  set(name: string, settings: PartnerSettings, seen?: string): Promise<PartnerEntry>;
  /** Stores another service key, tried out first. @throws ReelayError `partner_jobs_open` as long as one needs the key before */
  setKey(name: string, key: string): Promise<PartnerEntry>;
  /** @throws ReelayError `test_mode_missing` for a test token where there is nowhere that it could lead */
  addToken(name: string, terms: TokenTerms): Promise<FreshToken>;
  /** A token in the place of another one, good for the same and as long, which opens nothing from then on. @throws ReelayError `token_unknown` */
  rotateToken(name: string, token: string): Promise<FreshToken>;
  /** @throws ReelayError `token_unknown` */
  revokeToken(name: string, token: string): Promise<void>;
  /**
   * Erases a partner with tokens, key, jobs, files and webhooks; sums stay, under no name.
   * @throws ReelayError `partner_jobs_open` as long as something of theirs is going on
   */
  remove(name: string): Promise<void>;
}
