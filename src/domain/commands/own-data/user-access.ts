import { partnersPerson } from "../../../seam/access/partners.ts";
import type { UserAccess } from "../../../seam/access/user-access.ts";
import { STATEMENT_NAMES, type UserId } from "../../../seam/values.ts";
import { ReelayError } from "../../../common/errors.ts";
import { currentTime, sleep } from "../../../common/time.ts";
import type { CountQuery } from "../../jobs/count.ts";
import { everyJob } from "../../jobs/every-job.ts";
import { OPEN_STATES } from "../../jobs/job.ts";
import type { Ledger } from "../../jobs/ledger.ts";
import { recordOf } from "../../jobs/job-record.ts";
import { isGoingOn } from "../../jobs/job-view.ts";
import { speakerFor } from "../../people/people.ts";
import { STATEMENTS, versionOf } from "../../policy/statements.ts";
import type { MakingParts, PeopleParts, RuleParts } from "../command.ts";
import { deletedNotice } from "../../../seam/text/notices.ts";
import { summaryOf } from "../../jobs/job-view.ts";

/** Where things are kept about a partner's people. */
type KeepingParts = Pick<MakingParts, "ledger" | "surfaces"> &
  Pick<RuleParts, "audit" | "blocks" | "inputs" | "policy"> &
  Pick<PeopleParts, "people" | "sumUsage" | "traces">;

/** How long noting that somebody was told may take, in milliseconds, and how often that is looked for. */
const NOTED_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** What is kept about a partner's people. */
export function makeUserAccess(parts: KeepingParts): UserAccess {
  const { audit, blocks, inputs, ledger, people, policy, sumUsage, surfaces, traces } = parts;

  const statements: UserAccess["statements"] = async (partner, username) => {
    const { declared = {} } = await people.of(speakerFor(partner, username));
    return STATEMENT_NAMES.map((name) => {
      const { text, everyTime = false } = STATEMENTS[name];
      const terms = name === "terms" ? policy.termsUrl : undefined;
      const version = versionOf(name, policy.termsUrl);
      return { name, text, version, terms, everyTime, stated: declared[name] ?? null };
    });
  };

  async function* jobs(user: UserId, username: string) {
    for await (const job of everyJob(ledger, user, { username })) yield recordOf(job);
  }

  return {
    statements,

    async withdraw(user, username, statement) {
      const wanted = statement ? [statement] : STATEMENT_NAMES;
      const taken = await people.withdraw(speakerFor(user, username), wanted);
      for (const rule of taken) await audit.write({ act: "withdraw", surface: "http", user, username, rule });
    },

    blockedBy: (user, username) => blocks.ofPerson(user, username),

    async block(user, username) {
      if ((await blocks.ofPerson(user, username)).includes("partner")) return;
      await blocks.add({ subject: partnersPerson(user, username), at: currentTime(), by: "partner" });
      await audit.write({ act: "block", surface: "http", user, username });
    },

    async unblock(user, username) {
      const had = await blocks.lift(partnersPerson(user, username), "partner");
      if (had) await audit.write({ act: "unblock", surface: "http", user, username });
    },

    async kept(user, username) {
      await audit.write({ act: "export", surface: "http", user, username });
      const { everyLine } = await import("../../audit/every-line.ts");
      return {
        statements: await statements(user, username),
        usage: await sumUsage({ user, username, by: ["day", "operation"] }),
        jobs: jobs(user, username),
        audit: everyLine(audit, { user, username }),
      };
    },

    async forget(user, username) {
      const count = await goingOn(ledger, { user, username });
      if (count > 0) throw new ReelayError("jobs_open", { count });
      let erased = 0;
      for await (const job of everyJob(ledger, user, { username })) {
        // It began after the look.
        if (isGoingOn(job)) continue;
        // Its files and messages first: it is by the job that they are found.
        await surfaces.of(job.surface).deliver(job.address, deletedNotice(summaryOf(job)));
        await ledger.remove(job.id);
        erased += 1;
      }
      await people.forget(speakerFor(user, username));
      await ledger.forgetName(user, username);
      await audit.forgetName(user, username);
      await inputs.sweep();
      await traces.wipe(currentTime());
      await audit.write({ act: "forget", surface: "http", user });
      return erased;
    },
  };
}

/**
 * How many jobs of somebody are going on. A program that was told of an end may come sooner than it is noted that it was
 * told: as long as there are no others, that is waited for.
 */
async function goingOn(ledger: Ledger, whose: Pick<CountQuery, "user" | "username">): Promise<number> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const count = await ledger.count({ ...whose, goingOn: true });
    if (count === 0 || waited >= NOTED_MS) return count;
    if ((await ledger.count({ ...whose, goingOn: true, states: OPEN_STATES })) > 0) return count;
    await sleep(LOOK_EVERY_MS);
  }
}
