import type { Account } from "../accounts/accounts.ts";
import { ReelayError } from "../../common/errors.ts";
import type { PeopleDesk, PersonCard, ReportedResult } from "../../seam/access/people-desk.ts";
import { ownerOf, partnerIdOf } from "../../seam/access/partners.ts";
import type { Block } from "../../seam/access/safety.ts";
import { platformOf, type UserId } from "../../seam/values.ts";
import type { CommandParts } from "../commands/command.ts";
import { decide, replaceCopies } from "../commands/moderate.ts";
import { declaredBy } from "../people/people.ts";
import { hasDeclared } from "../policy/decision.ts";
import { capsOfPerson } from "../policy/caps.ts";
import { measuresFrom, type Report } from "../reports/report.ts";

/** What those who run Reelay look at and decide on a page of their own. */
export function makePeopleDesk(parts: CommandParts): PeopleDesk {
  const { accounts, blocks, ledger, partnerBudgets, people, policy, reports, sumUsage, usage } = parts;

  async function resultOf(report: Report): Promise<ReportedResult | undefined> {
    const job = await ledger.find(report.job);
    if (!job) return undefined;
    const { job: id, state, at, by, reports: count } = report;
    const { operation, user, chat, createdAt } = job;
    const isBlocked = await blocks.has({ user });
    const measures = measuresFrom(state);
    return { job: id, operation, user, chat, createdAt, state, at, by, reports: count, measures, isBlocked };
  }

  /** Whose key pays for somebody; undefined where nobody's does. */
  async function accountOf(user: UserId): Promise<Account | undefined> {
    try {
      return await accounts.of({ user, host: "primary" });
    } catch (error) {
      if (error instanceof ReelayError) return undefined;
      throw error;
    }
  }

  return {
    async reports(limit, before) {
      const waiting = await reports.waiting(limit, { before, left: true });
      // One whose job was erased a moment ago is none any more.
      return (await Promise.all(waiting.map(resultOf))).filter((one) => one !== undefined);
    },

    async decide(job, measure, seen, by) {
      const origin = { user: by, platform: platformOf(by) };
      const { report } = await decide(parts, job, measure, origin, undefined, (before) => {
        if ((before?.state ?? "open") !== seen) throw new ReelayError("changed_meanwhile");
      });
      await replaceCopies(parts, report);
      const decided = await resultOf(report);
      if (!decided) throw new ReelayError("stale_button");
      return decided;
    },

    async person(user): Promise<PersonCard> {
      const [person, account, all] = await Promise.all([people.of(user), accountOf(user), blocks.list()]);
      const caps = account && capsOfPerson({ user }, account, {}, policy);
      const [daily] = caps?.begun ?? [];
      const [atOnce] = caps?.atOnce ?? [];
      const owner = ownerOf(user);
      const [sums] = await sumUsage({ ...owner, by: [] });
      const budgets =
        partnerIdOf(owner.user) === undefined
          ? await parts.spent((caps?.budgets ?? []).filter(({ whose }) => whose === "person"))
          : await partnerBudgets(owner.user, owner.username);
      return {
        user,
        blocks: all.filter(({ subject }: Block) => subject === user),
        isBlocked: await blocks.has({ user }),
        statements: declaredBy(person).map(([name, { at, surface }]) => ({
          name,
          at,
          surface,
          stands: hasDeclared(person, name, policy.termsUrl),
        })),
        today: daily ? await usage.count(daily) : 0,
        dailyCap: daily?.max ?? null,
        going: await ledger.count({ ...owner, goingOn: true }),
        atOnce: atOnce?.max ?? null,
        budgets,
        jobs: sums?.jobs ?? 0,
        successes: sums?.successes ?? 0,
        tokens: sums?.tokens ?? 0,
      };
    },
  };
}
