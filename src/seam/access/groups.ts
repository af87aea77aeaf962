import type { Locale } from "../../common/i18n.ts";
import type { ChatId } from "../values.ts";

/** What those who manage a group set for it; what is left out is not restricted. */
export interface Group {
  /** Spoken there with people who chose no language of their own. */
  readonly locale?: Locale;
  /** Ids of what may be made there. */
  readonly operations?: readonly string[];
  /** The same for those who have a role, by the platform's id of it: of somebody's several, whatever any of them allows. */
  readonly roleOperations?: Readonly<Record<string, readonly string[]>>;
  /** The platform's ids of the roles whose members alone may use mature templates there. */
  readonly matureRoles?: readonly string[];
  /** The platform's ids of its channels in which something may be made. */
  readonly rooms?: readonly string[];
  /** Jobs that each member may begin in a day (UTC) with the group's key. */
  readonly memberDaily?: number;
  /** The same for those who have a role, by the platform's id of it: of somebody's several the most counts. */
  readonly roleDaily?: Readonly<Record<string, number>>;
  /** Jobs that all members together may begin in a day (UTC) with the group's key. */
  readonly daily?: number;
  /** Tokens of the group's key that each member may spend in a day (UTC). */
  readonly memberDayTokens?: number;
  /** The same in a month (UTC). */
  readonly memberMonthTokens?: number;
  /** Tokens of the group's key that all members together may spend in a day (UTC). */
  readonly dayTokens?: number;
  /** The same in a month (UTC). */
  readonly monthTokens?: number;
  /** Where those who manage it are told what was reported there. */
  readonly log?: GroupLog;
}

/** A channel, a group or a person on the group's platform. */
interface GroupLog {
  readonly to: ChatId;
  /** Set once nothing could be posted there any more. */
  readonly isLost?: boolean;
}
