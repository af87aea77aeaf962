import type { Generated } from "kysely";

/** Who reported which result. */
export interface ReportsTable {
  job: string;
  reporter: string;
  at: number;
}

/** Results that were reported: what became of them. */
export interface ReportedTable {
  job: string;
  /** `open`: it is shown. `withheld`: it is not. `settled`: whoever runs Reelay lets it stand. */
  state: string;
  /** When that was decided. */
  at: number;
  /** Who decided it, or `forgotten`; null where reports did. */
  by: Generated<string | null>;
  /** As what they did: see `DecidingRole`. */
  role: Generated<string | null>;
}

/** What is told of those results, to whom: a notice for each. */
export interface ReportNoticesTable {
  job: string;
  /** See `Audience`. */
  audience: string;
  /** Counts what there is to tell them of it, and how much of that they were told. */
  news: number;
  told: Generated<number>;
  /** The count that wants a notice of its own instead of a change to the one before. */
  ping: Generated<number>;
  /** What their platform needs to find that notice again, as JSON. */
  notice: Generated<string | null>;
  /** Where that stands; null where an earlier version posted it. */
  place: Generated<string | null>;
  /** They are told at this time or later; while they are being told: when that counts as lost. */
  next_at: Generated<number>;
  /** Tries to tell them that failed. */
  failures: Generated<number>;
}

/** Notices that stand where nobody is told of reports any more, until their buttons are gone. */
export interface LeftNoticesTable {
  /** What their platform needs to find them again, as JSON. */
  notice: string;
  surface: string;
  /** They are closed at this time or later; while they are being closed: when that counts as lost. */
  next_at: Generated<number>;
  /** Tries to close them that failed. */
  failures: Generated<number>;
}
