import type { Database } from "../../infrastructure/storage/database.ts";
import type { RecentLines } from "../../infrastructure/telemetry/recent-lines.ts";
import type { AuditEntry } from "../../seam/access/audit.ts";
import type { ConsoleDesk } from "../../seam/access/console.ts";
import { ReelayError } from "../../common/errors.ts";
import { likelyKeyIn } from "../../common/likely-key.ts";
import { subjectNamed } from "../../seam/access/subjects.ts";
import type { CommandParts } from "../commands/command.ts";
import type { Job } from "../jobs/job.ts";
import { ownSecretIn } from "../../common/own-secrets.ts";
import { mediaFor, uncover } from "./covered.ts";
import { actOn, lineAbout } from "./job-acts.ts";
import { fileOf, findJobs } from "./job-file.ts";
import { lookAtMoney, moneyRows } from "./money.ts";
import { lookNow, type NowParts } from "./now.ts";
import { NowFeed } from "./now-feed.ts";
import { may } from "./roles.ts";

/** Lines of the log that are shown at once. */
const MOST_LINES = 200;

/** What the console works with. */
export interface ConsoleParts extends NowParts, CommandParts {
  readonly database: Database;
  readonly recent: Pick<RecentLines, "find">;
}

/** What people wrote is covered; a note is an operator's, and so is a setting. */
const covered = (line: AuditEntry): AuditEntry =>
  line.act === "note" || line.act === "setting" ? line : { ...line, content: null };

/** Opens the console of those who run Reelay. Nothing happens while nobody looks. */
export function openConsole(parts: ConsoleParts): ConsoleDesk {
  const { accounts, audit, ledger, log, vault } = parts;
  const paid = { ...parts, inSandbox: accounts.inSandbox };
  const feed = new NowFeed(() => lookNow(parts), log);

  async function found(id: string): Promise<Job> {
    const job = await ledger.find(id);
    if (!job) throw new ReelayError("not_found");
    return job;
  }

  return {
    may: ({ role }, act) => may(role, act),
    follow: (hear) => feed.follow(hear),
    now: () => lookNow(parts),
    async find(sought) {
      const isKnown = (ownSecretIn(sought) ?? (await vault.known.findIn(sought))) !== undefined;
      if (isKnown) throw new ReelayError("key_in_words", { field: "of" });
      const found = await findJobs(parts, sought);
      // Ids at the service, and requests, may look like keys: only what is none of ours is taken for one.
      if (found.length === 0 && subjectNamed(sought) === undefined && likelyKeyIn(sought) !== undefined)
        throw new ReelayError("key_in_words", { field: "of" });
      return found;
    },
    job: async (operator, id) => fileOf(parts, await found(id), may(operator.role, "see-money")),
    uncover: async (operator, id) => uncover(parts, operator, await found(id)),
    media: async (operator, id, which) => mediaFor(parts, operator, await found(id), which),

    async act(operator, id, act, seen, note) {
      if (act !== "note") return actOn(parts, operator, id, act, seen);
      const job = await found(id);
      if (note === undefined) throw new ReelayError("bad_request", { reason: "note" });
      if (await vault.known.findIn(note)) throw new ReelayError("key_in_words", { field: "note" });
      await audit.write({ ...lineAbout("note", job, operator), note });
    },

    lines: (sought) => parts.recent.find(sought, MOST_LINES),
    money: (period) => lookAtMoney(paid, period),
    moneyRows: (period) => moneyRows(paid, period),

    async audit(query) {
      const lines = await audit.read(query);
      return lines.map(covered);
    },
  };
}
