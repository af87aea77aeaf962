import { z } from "zod";
import { action } from "../../../seam/text/actions.ts";
import { mediaIn } from "../../../seam/values.ts";
import type { MessageKey } from "../../../common/i18n.ts";
import { payerOf } from "../../budgets/budget.ts";
import { everyJob } from "../../jobs/every-job.ts";
import type { Job } from "../../jobs/job.ts";
import { declaredBy } from "../../people/people.ts";
import { wordingIn } from "../../policy/statements.ts";
import { command, type Context } from "../command.ts";
import type { Fact } from "../../../seam/views.ts";
import { numberFact, textFact } from "../facts.ts";
import { settingsFacts } from "../settings.ts";
import { countWaiting } from "../statements.ts";

/** What is kept about a person, for how long, and who gets it. */
export const privacy = command({
  name: "privacy",
  label: "command.privacy",
  description: "command.privacy.description",
  kind: "command",
  traits: { topic: "privacy" },
  forEverybody: true,
  schema: z.strictObject({}),
  async run(context) {
    const facts = [...(await keptFacts(context)), ...keepingFacts(context), ...receiverFacts(context)];
    await context.reply({
      kind: "notice",
      text: { key: "privacy.text" },
      facts,
      actions: [
        action("export", "", "action.export", "primary"),
        action("withdraw", "", "action.withdraw"),
        action("forget", "", "action.forget", "danger"),
      ],
    });
  },
});

/** What there is, with numbers and dates. */
async function keptFacts(context: Context): Promise<readonly Fact[]> {
  const { audit, people, reports, sumUsage, vault, origin } = context;
  const { user } = origin;
  const [sums] = await sumUsage({ user, by: [] });
  return [
    {
      label: "privacy.key",
      value: { key: (await vault.has(user)) ? "privacy.key_stored" : "privacy.key_none" },
    },
    ...(await jobFacts(context)),
    ...declaredBy(await people.of(user)).map(([name, { at, surface, version }]): Fact => ({
      label: `privacy.statement.${name}`,
      value: { key: "privacy.stated", params: { at, surface, version: wordingIn(version) } },
    })),
    ...(await settingsFacts(context)),
    ...someFact("privacy.questions", await countWaiting(context, user)),
    ...someFact("privacy.today", await begunToday(context)),
    ...someFact("privacy.reports", (await reports.madeBy(user)).length),
    ...someFact("privacy.audit", await audit.count(user)),
    ...(sums && sums.jobs > 0
      ? [
          {
            label: "privacy.sums",
            value: { key: "privacy.sums_of", params: { jobs: sums.jobs, tokens: sums.tokens } },
          } as const,
        ]
      : []),
  ];
}

const someFact = (label: MessageKey, count: number): Fact[] => (count > 0 ? [numberFact(label, count)] : []);

async function jobFacts({ ledger, origin }: Pick<Context, "ledger" | "origin">): Promise<Fact[]> {
  const { user } = origin;
  let jobs = 0;
  let files = 0;
  let oldest: Job | undefined;
  for await (const job of everyJob(ledger, user)) {
    jobs += 1;
    files += Object.values(job.values).flatMap(mediaIn).length;
    oldest = job;
  }
  if (!oldest) return [numberFact("privacy.jobs", 0)];
  return [
    {
      label: "privacy.jobs",
      value: { key: "privacy.jobs_since", params: { jobs, at: oldest.createdAt } },
    },
    ...someFact("privacy.jobs_there", await ledger.count({ user, atService: true })),
    ...someFact("privacy.files", files),
  ];
}

/** What was begun today with somebody else's key: one's own is not counted. */
async function begunToday({
  account,
  usage,
  origin,
}: Pick<Context, "account" | "usage" | "origin">): Promise<number> {
  // Whoever has no key to pay with, or is kept out, begins nothing.
  const paying = await account().catch(() => undefined);
  return paying ? usage.count({ by: origin.user, payer: payerOf(paying), period: "day" }) : 0;
}

/** What goes when. */
function keepingFacts({ policy: { keepDays } }: Pick<Context, "policy">): Fact[] {
  return (["jobs", "audit", "usage"] as const).map((what) => ({
    label: `privacy.keep.${what}`,
    value:
      keepDays[what] === 0
        ? { key: "privacy.for_good" }
        : { key: "privacy.after_days", params: { count: keepDays[what] } },
  }));
}

/** Who gets what. */
function receiverFacts({
  accounts,
  hosts,
  policy: { moderation, termsUrl },
}: Pick<Context, "accounts" | "hosts" | "policy">): Fact[] {
  const services = Object.values(hosts).filter((url) => url !== undefined);
  return [
    accounts.inSandbox
      ? { label: "privacy.service", value: { key: "privacy.service_sandbox" } }
      : textFact("privacy.service", [...new Set(services.map(hostOf))].join(", ")),
    ...(moderation ? [textFact("privacy.moderation", hostOf(moderation.url))] : []),
    ...(termsUrl === undefined ? [] : [textFact("fact.own_terms", termsUrl)]),
  ];
}

const hostOf = (url: string) => new URL(url).host;
