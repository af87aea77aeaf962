import type { BudgetState } from "../../seam/access/budgets.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { held as locked } from "../../infrastructure/storage/exclusive.ts";
import { endOf, entryOf, inMillionths, inTokens, isSet, type SetBudget, type TokenBudget } from "./budget.ts";

type Within = Pick<Database, "kysely">;

/** What a job counts for in budgets, whether they were set when it was accepted or not; kept with the job. */
export interface HeldTokens {
  /** Millionths of a token: what it is expected to cost, then what it cost. */
  readonly tokens: number;
  /** Where that is counted; see `entryOf`. */
  readonly entries: readonly string[];
  /** The price is not known: until the job is accepted that of the dearest of all is set aside, or what was left. */
  readonly isGuess?: true;
}

/** What was spent. */
export interface Spent {
  /** Where that is counted; see `entryOf`. */
  readonly entry: string;
  /** When the period ends, in milliseconds since 1970. */
  readonly until: number;
  /** Millionths of a token. */
  readonly tokens: number;
}

/** What is to be held. */
export interface Holding {
  /** The smaller crowd comes first, because its refusal says more. */
  readonly budgets: readonly TokenBudget[];
  /** Tokens that the job will cost; null: not known. */
  readonly price: number | null;
  /** Tokens that the dearest job of all costs, as far as is known: held where the price is not. */
  readonly dearest: number;
  /** From which share of a budget on it is warned of, from 0 to 1; undefined: never. */
  readonly warnAt: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What came of it. */
export type HoldOutcome =
  | { readonly held: HeldTokens; readonly warnings: readonly BudgetState[] }
  /** A budget that does not cover the job, and where it is counted. */
  | { readonly full: BudgetState; readonly entry: string };

/**
 * Takes a job's price out of every budget that applies, or out of none, in the transaction that writes the job: of several at the
 * same moment only as many begin as are covered. It counts in those that have no bound, too: one that is set later, or set again, has
 * missed nothing of its day or month, and what is counted never depends on which rules a node knew of. A job whose price is not known
 * takes that of the dearest of all, or what is left where that is less: if it always took all, whoever is the first to ask for something
 * would keep everybody else with the same budget waiting; if it took nothing, a thousand at once would be covered by anything.
 * @param within a transaction; what is written here before a budget is found to be full is to be taken back with it
 * @returns what is to be kept with the job, and the budgets that are to be warned of: once in their period
 */
export async function hold(within: Within, holding: Holding): Promise<HoldOutcome> {
  const { budgets, price, dearest, warnAt, now } = holding;
  const cost = price === null ? undefined : inMillionths(price);
  const expected = cost ?? inMillionths(dearest);
  const own = budgets.map((budget) => ({
    entry: entryOf(budget, now),
    until: endOf(budget.period, now),
    tokens: expected,
  }));
  // Before anything is decided by it: whoever waits for these rows waits in this one statement.
  const spent = await addSpent(within, own);
  const rows = budgets.filter(isSet).map((budget) => {
    const entry = entryOf(budget, now);
    const { tokens: sum = expected, warned = null } = spent.get(entry) ?? {};
    return { budget, entry, max: inMillionths(budget.max), tokens: sum - expected, warned };
  });
  const isFull = ({ tokens, max }: (typeof rows)[number]) =>
    cost === undefined ? tokens >= max : cost > 0 && tokens + cost > max;
  const full = rows.find(isFull);
  if (full) return { full: stateOf(full.budget, full.tokens, now), entry: full.entry };
  const left = rows.map(({ tokens, max }) => max - tokens);
  const tokens = cost ?? Math.min(expected, ...left);
  const entries = own.map(({ entry }) => entry);
  if (tokens !== expected) await add(within, entries, tokens - expected);
  const told = rows.filter(
    ({ max, warned, tokens: before }) =>
      warnAt !== undefined && warned !== max && before + tokens >= max * warnAt,
  );
  for (const { entry, max } of told)
    await within.kysely.updateTable("spent").set({ warned: max }).where("entry", "=", entry).execute();
  const warnings = told.map((row) => stateOf(row.budget, row.tokens + tokens, now));
  return { held: { tokens, entries, ...(cost === undefined && { isGuess: true }) }, warnings };
}

/** Corrects what a job counts for, in the transaction that writes what it cost. What is of a period that is over is corrected there. */
export async function correct(
  within: Within,
  before: HeldTokens | null,
  after: HeldTokens | null,
): Promise<void> {
  const more = (after?.tokens ?? 0) - (before?.tokens ?? 0);
  if (!after || more === 0) return;
  await add(within, after.entries, more);
}

/**
 * Adds what is spent, where nothing was yet, too. Nobody else changes these rows then until the transaction has ended; all take them in
 * one order, so that no two wait for each other.
 * @param within a transaction
 * @returns the sums, and the bounds that were warned of, by entry
 */
export async function addSpent(
  { kysely }: Within,
  spent: readonly Spent[],
): Promise<ReadonlyMap<string, { readonly tokens: number; readonly warned: number | null }>> {
  const sums = new Map<string, Spent>();
  for (const one of spent)
    sums.set(one.entry, { ...one, tokens: one.tokens + (sums.get(one.entry)?.tokens ?? 0) });
  if (sums.size === 0) return new Map();
  const rows = await kysely
    .insertInto("spent")
    .values([...sums.values()].toSorted((a, b) => (a.entry < b.entry ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.column("entry").doUpdateSet((update) => ({
        tokens: update("spent.tokens", "+", update.ref("excluded.tokens")),
      })),
    )
    .returning(["entry", "tokens", "warned"])
    .execute();
  return new Map(rows.map(({ entry, ...row }) => [entry, row]));
}

/** How far the budgets that are set have been spent in the present day and month, in their order. */
export async function statesOf(
  { kysely }: Within,
  budgets: readonly TokenBudget[],
  now: number,
): Promise<readonly BudgetState[]> {
  const bounded = budgets.filter(isSet);
  if (bounded.length === 0) return [];
  const entries = bounded.map((budget) => entryOf(budget, now));
  const rows = await kysely
    .selectFrom("spent")
    .select(["entry", "tokens"])
    .where("entry", "in", entries)
    .execute();
  const spent = new Map(rows.map(({ entry, tokens }) => [entry, tokens]));
  return bounded.map((budget, nth) => stateOf(budget, spent.get(entries[nth] ?? "") ?? 0, now));
}

const stateOf = ({ whose, period, max }: SetBudget, millionths: number, now: number): BudgetState => ({
  whose,
  period,
  max,
  spent: inTokens(millionths),
  until: endOf(period, now),
});

/** Adds to what was counted already; the rows are taken in the one order first. */
async function add({ kysely }: Within, entries: readonly string[], tokens: number): Promise<void> {
  const ordered = kysely.selectFrom("spent").select("entry").where("entry", "in", entries).orderBy("entry");
  await kysely
    .updateTable("spent")
    .set(({ eb }) => ({ tokens: eb("tokens", "+", tokens) }))
    .where("entry", "in", locked(kysely, ordered))
    .execute();
}
