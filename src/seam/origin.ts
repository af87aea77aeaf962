import type { Address, ChatId, Platform, StatementName, Tags, UserId } from "./values.ts";

/** Who asks, from where: policy and language depend on it. */
export interface Origin {
  readonly platform: Platform;
  readonly user: UserId;
  /** The group it was asked in; left out in private. */
  readonly chat?: ChatId;
  /** The channel inside that group, where it has several: rules of the group may name it. */
  readonly room?: string;
  /** Whether they manage that group: they may change its rules. */
  readonly manages?: boolean;
  /** Whether they may decide there about what others made: as the platform says at this very request. */
  readonly moderates?: boolean;
  /** The platform's ids of the roles that they have in that group: rules of the group may name them. */
  readonly roles?: readonly string[];
  readonly address: Address;
  /**
   * What the platform calls this very request, unique over all platforms: however often it is handed on, it
   * makes one job. Left out where the platform never repeats itself.
   */
  readonly request?: string;
  /**
   * What was pressed, where something was that spends, by a name that is one for this person: however often within seconds,
   * it makes one job.
   */
  readonly press?: string;
  /**
   * When it was pressed, in milliseconds since 1970, where that was before an earlier process ended in the middle of it: what
   * came since is left alone.
   */
  readonly pressedAt?: number;
  /** What the pressed button said that it costs, in tokens: for more nothing begins. */
  readonly price?: number;
  /** What whoever asks states with this very request: the button that they pressed, or their program, said so. */
  readonly agreed?: readonly StatementName[];
  /** What jobs are to count for; what is left out is the platform's name, and a name made of the user. */
  readonly tags?: Partial<Tags>;
  /** A BCP 47 tag as the platform knows it; the nearest language of `locales/` is used. */
  readonly locale: string;
  /** `partner`: an app of somebody else, who vouches for its people. */
  readonly audience: "private" | "group" | "age-restricted" | "partner";
}
