import { z } from "zod";
import type { BudgetState } from "../../seam/access/budgets.ts";
import type { Caps } from "../../seam/access/partners.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import type { TokenBudget } from "../budgets/budget.ts";
import type { Audit } from "../audit/audit.ts";
import type { AuditedInputs } from "../audit/inputs.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { CommandSpec, CommandTraits, PriceRange } from "../../seam/fields.ts";
import type { KeyWatch } from "../../seam/access/keys.ts";
import type { Memory } from "../../common/memory.ts";
import type { Origin } from "../../seam/origin.ts";
import type { Surfaces } from "../../seam/surface/surfaces.ts";
import type { UsageQuery, UsageRow } from "../../seam/access/usage.ts";
import type { UserId, Values } from "../../seam/values.ts";
import type { Form, View } from "../../seam/views.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Locale, MessageKey } from "../../common/i18n.ts";
import type { Copies } from "../jobs/delivery/copies.ts";
import type { TakeBacks } from "../jobs/delivery/take-backs.ts";
import type { Experience } from "../jobs/experience/experience.ts";
import type { Job } from "../jobs/job.ts";
import type { Ledger } from "../jobs/ledger.ts";
import type { Runners } from "../jobs/submission/runners.ts";
import type { Tagger } from "../jobs/tagger.ts";
import type { GroupKeys } from "../groups/group-keys.ts";
import type { Groups } from "../groups/groups.ts";
import type { Blocks } from "../policy/blocks.ts";
import type { Gate } from "../policy/gate.ts";
import type { Lineage } from "../policy/lineage/lineage.ts";
import type { HostRequest } from "../policy/host.ts";
import type { Host, Hosts } from "../../common/contract.ts";
import type { UsageCounter } from "../policy/usage-counter.ts";
import type { People } from "../people/people.ts";
import type { LeftNotices } from "../reports/left-notices.ts";
import type { ReportNews } from "../reports/report-news.ts";
import type { Reports } from "../reports/reports.ts";
import type { Traces } from "../retention/traces.ts";
import type { PolicyConfig } from "../policy/config.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { checkValues, type FormSchema } from "../operations/fields.ts";
import type { Operation } from "../operations/operation.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";

/** What it takes to make something and to bring it. */
export interface MakingParts {
  readonly accounts: Accounts;
  readonly catalogue: Catalogue;
  readonly experience: Experience;
  /** Resolves when what past jobs cost has been read, or could not be. */
  readonly experienced: () => Promise<void>;
  /** Reads what an account was charged before, while nobody waits for it. */
  readonly learnFrom: (account: Account) => void;
  /** What the like of something cost here; see `priceRangeOf`. */
  readonly priceRange: (operation: Operation, values: Values) => Promise<PriceRange | undefined>;
  readonly ledger: Ledger;
  /** Who works on jobs. */
  readonly runners: Pick<Runners, "id" | "areAt" | "goneAmong">;
  readonly tagger: Tagger;
  readonly surfaces: Surfaces;
  /** Results that are shown in a second place. */
  readonly copies: Copies;
  /** Messages of what was deleted, as long as they are still to go. */
  readonly takeBacks: TakeBacks;
  /** A folder for files that are looked at. */
  readonly scratch: string;
  /** The ffmpeg that the operator set. */
  readonly ffmpeg: string | undefined;
  /** Where the service is. */
  readonly hosts: Hosts;
  /** The service's host for what somebody asks from somewhere. */
  readonly hostFor: (asker: HostRequest) => Host;
  /** Fires at a stop, once what was being done has had its time: what goes on stands on nothing any more. */
  readonly left: AbortSignal;
  readonly log: Logger;
}

/** What decides who may make what, and remembers what was decided. */
export interface RuleParts {
  readonly gate: Gate;
  readonly lineage: Pick<Lineage, "of">;
  readonly policy: PolicyConfig;
  readonly usage: UsageCounter;
  /** How far budgets have been spent by now. */
  readonly spent: (budgets: readonly TokenBudget[]) => Promise<readonly BudgetState[]>;
  /** How far a partner's are, and those of one of their people where somebody is named. */
  readonly partnerBudgets: (user: UserId, username?: string) => Promise<readonly BudgetState[]>;
  /** What is left of a partner's caps; see `partnerLeft`. */
  readonly partnerLeft: (user: UserId) => Promise<Caps>;
  /** What waits for a statement. */
  readonly questions: Memory;
  readonly blocks: Blocks;
  readonly reports: Reports;
  readonly reportNews: ReportNews;
  readonly leftNotices: LeftNotices;
  readonly audit: Audit;
  readonly inputs: AuditedInputs;
}

/** What is known of people and groups, and kept for them. */
export interface PeopleParts {
  readonly people: People;
  readonly groups: Groups;
  readonly groupKeys: GroupKeys;
  readonly vault: Vault;
  readonly keys: KeyWatch;
  /** Spoken with people whose language is not known. */
  readonly defaultLocale: Locale;
  readonly sumUsage: (query: UsageQuery & { readonly user: UserId }) => Promise<readonly UsageRow[]>;
  /** What erased rows leave behind. */
  readonly traces: Traces;
}

/** What commands work with. */
export type CommandParts = MakingParts & RuleParts & PeopleParts;

/** Somebody who asks for something. */
export interface CommandRequest extends CommandParts {
  readonly origin: Origin;
  /** The person's way to the service. @throws ReelayError `not_connected` */
  readonly account: () => Promise<Account>;
}

/** One call of a command: who, from where, and how to answer. */
export interface Context extends CommandRequest {
  readonly reply: (view: View) => Promise<void>;
  readonly ask: (form: Form) => Promise<void>;
  /** Runs a command in the same place. @param said what differs of how it is asked for @throws ReelayError */
  readonly again: (
    name: string,
    values: Values,
    said?: Partial<Pick<Origin, "agreed" | "press" | "price" | "request">>,
  ) => Promise<void>;
}

/** How a command presents itself. */
interface CommandFace<S extends FormSchema> {
  readonly name: string;
  readonly label: MessageKey;
  readonly description: MessageKey;
  /**
   * `button`: pressed under something, never typed; its one field is what it is about. `manager`: for those who
   * manage a group, offered where a platform tells who they are. `operator`: for whoever runs Reelay, offered on the page
   * and the command line.
   */
  readonly kind: "operation" | "command" | "button" | "manager" | "operator";
  readonly result?: CommandSpec["result"];
  readonly subscription?: CommandSpec["subscription"];
  readonly agreement?: CommandSpec["agreement"];
  readonly traits?: CommandTraits;
  /** Set where nobody may be kept from it: people have a right to what is kept about them. */
  readonly forEverybody?: true;
  /** Set where those who moderate or manage a group decide about it: a group keeps none of them from that. */
  readonly forModerators?: true;
  readonly schema: S;
}

/** One use case. */
export interface Command extends CommandFace<FormSchema> {
  /** Checks the values and does it. Throws ReelayError for what a person can be told. */
  run(context: Context, values: Values): Promise<void>;
}

/** A command whose `run` is given what its schema promises. */
export function command<S extends FormSchema>(
  face: CommandFace<S> & { run(context: Context, values: z.output<S>): Promise<void> },
): Command {
  return { ...face, run: async (context, values) => face.run(context, checkValues(face.schema, values)) };
}

/** Of a command that is typed with nothing, or pressed; what a button says then is no field that people fill in. */
export const pressableSchema = z.strictObject({ of: z.string().optional().meta({ fromButton: true }) });

const buttonSchema = z.strictObject({ of: z.string() });

/**
 * A command that is pressed under something, never typed.
 * @param run is given what the button says that it is about
 */
export function button(
  name: string,
  label: MessageKey,
  run: (context: Context, of: string) => Promise<void>,
  more: Pick<Command, "forEverybody" | "forModerators" | "traits"> = {},
): Command {
  const face = { name, label, description: label, kind: "button", schema: buttonSchema, ...more } as const;
  return command({ ...face, run: (context, { of }) => run(context, of) });
}

/**
 * The job that a button is about, provided that it is the presser's own.
 * @throws ReelayError `stale_button` for one that is gone, `not_yours` for somebody else's
 */
export async function ownJob(
  { ledger, origin }: Pick<Context, "ledger" | "origin">,
  id: string,
): Promise<Job> {
  const job = await ledger.find(id);
  if (!job) throw new ReelayError("stale_button");
  if (job.user !== origin.user) throw new ReelayError("not_yours");
  return job;
}
