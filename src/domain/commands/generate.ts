import type { Account } from "../accounts/accounts.ts";
import { paidBy } from "../accounts/play-money.ts";
import type { warnOfBudgets } from "../budgets/warnings.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Rights } from "../../seam/surface/surface.ts";
import type { FieldSpec, Proposal, Quote, Suggestion } from "../../seam/fields.ts";
import { HALF_A_CENT } from "../../seam/amounts.ts";
import { shortageOf } from "../../seam/forms/price.ts";
import { mediaIn, type MediaRef, type StatementName, type Values } from "../../seam/values.ts";
import { DEAREST_PUBLISHED, VID3_BOUNDS } from "../../common/contract.ts";
import { ReelayError } from "../../common/errors.ts";
import { Unauthorized } from "../../infrastructure/api/transport/errors.ts";
import { quoteOf, shortfall } from "../jobs/quote.ts";
import { fieldsOf } from "../operations/fields.ts";
import type { Operation } from "../operations/operation.ts";
import type { Within } from "../jobs/ledger.ts";
import type { AcceptedJob, Asked } from "../policy/gate.ts";
import { NO_TRAITS } from "../jobs/traits.ts";
import { traitsFor } from "../policy/lineage/lineage.ts";
import type { Wording } from "../policy/words/refused-words.ts";
import { type CommandRequest, type Command, command, type Context } from "./command.ts";
import { pinned } from "./pinned.ts";
import { askStatement } from "./statements.ts";
import { currentTime } from "../../common/time.ts";

/** The command that makes what an operation describes. */
export function generateCommand(operation: Operation): Command {
  return command({
    name: operation.id,
    label: operation.label,
    description: operation.description,
    kind: "operation",
    result: operation.result,
    ...(operation.subscription && { subscription: operation.subscription }),
    ...(operation.agreement && { agreement: operation.agreement }),
    schema: operation.schema,
    run: (context, values) => generate(context, operation, values),
  });
}

/** Accepts a job, or asks for the statement that it takes. Parameters and errors as {@link accept}. */
export async function generate(context: Context, operation: Operation, values: Values): Promise<void> {
  const accepted = await accept(context, operation, values);
  if ("statement" in accepted)
    return askStatement(context, accepted.statement, { command: operation.id, values });
  await warn(context, accepted.warnings, (_, said) => context.reply(said));
}

/** As `warnOfBudgets`, which is loaded where there is something to tell: once in a day or a month. */
export async function warn(...[parts, budgets, tell]: Parameters<typeof warnOfBudgets>): Promise<void> {
  if (budgets.length === 0) return;
  const warnings = await import("../budgets/warnings.ts");
  await warnings.warnOfBudgets(parts, budgets, tell);
}

/**
 * Lets through what may begin there at all, whatever with: of everything that spends, nothing passes it by.
 * @returns and throws ReelayError as `Surface.checkRights`; throws as `Gate.admitOperation`
 */
export async function admit(
  { gate, origin, surfaces }: Pick<CommandRequest, "gate" | "origin" | "surfaces">,
  { id, result }: Operation,
): Promise<Rights> {
  await gate.admitOperation(origin, id);
  return surfaces.of(origin.platform).checkRights(origin.address, result);
}

/**
 * Accepts a job: from here on it will be made and delivered, or its failure told.
 * @param given checked against the operation's schema
 * @param alongside done in the transaction that writes the job, once the rules have let it through
 * @returns the job with the budgets that are to be warned of, or the statement that must be made first
 * @throws ReelayError as {@link admit}; `already_begun` for a second press, `price_changed` or `price_unknown` where it costs more than its button
 * said, `not_connected`, `field_invalid` for an unknown template, `tokens_missing`, what the rules say
 */
export async function accept(
  asking: CommandRequest,
  operation: Operation,
  given: Values,
  alongside: Within = async () => {},
): Promise<AcceptedJob | { readonly statement: StatementName }> {
  const { accounts, experience, gate, ledger, lineage, origin, surfaces } = asking;
  // Whatever rules and balance say by now: it was accepted before, and counts once.
  const before = origin.request === undefined ? undefined : await ledger.madeBy(origin.request);
  if (before) return { job: before, warnings: [] };
  const { press } = origin;
  // Here too, before anything else is found wrong with it because the first press has begun.
  if (press !== undefined && (await ledger.wasPressed(origin.user, press, currentTime())))
    throw new ReelayError("already_begun");
  await admit(asking, operation);
  const allowed = await askedFor(asking, await asking.account(), operation, given);
  const { account } = allowed;
  // Nothing is fetched for whoever may not make it.
  const values = await pinned(given, (ref) => surfaces.openMedia(ref));
  const pictures = picturesOf(operation, values);
  const asked = { ...allowed, values, pictures, known: await lineage.of(pictures) };
  const decision = await gate.check(asked);
  if (decision.kind === "refuse") throw new ReelayError(decision.code, decision.params);
  if (decision.kind === "ask") return { statement: decision.statement };
  const { tags, wording, known } = asked;
  const quote = await quoteOf(account, experience, operation, values);
  refuseDearer(origin.price, quote);
  const missing = shortfall(account, quote);
  if (missing) throw missing;
  const { user, chat = null, platform: surface, address, request = null } = origin;
  const { keyId, host, source } = account;
  const fingerprint = operation.fingerprint(values);
  const traits = traitsFor(wording, known);
  const job = { user, chat, surface, address, tags, request, keyId, host, values, fingerprint };
  const noted = { traits, press: press ?? null, paidBy: paidBy(source, accounts.inSandbox) };
  const whole = { ...job, ...noted, mature: traits.mature, operation: operation.id };
  const cost = { price: quote.tokens, dearest: Math.max(DEAREST_PUBLISHED, experience.dearest()) };
  return gate.accept(asked, cost, (within) =>
    ledger.add(whole, currentTime(), async (transaction, written) => ({
      ...(await within(transaction, written)),
      ...(await alongside(transaction, written)),
    })),
  );
}

/**
 * What would be accepted, before anybody asks for it: what it costs, and what is to be stated with it. What is known of its
 * pictures from how they were made is looked up when it is asked for.
 * @param values checked against the operation's schema
 * @param experienced resolves when past prices are known, as far as they will be soon
 * @throws ReelayError as {@link accept}, but for what is seen when it begins
 */
export async function propose(
  asking: CommandRequest,
  operation: Operation,
  values: Values,
  experienced: () => Promise<void>,
): Promise<Proposal> {
  const { experience, gate } = asking;
  await admit(asking, operation);
  const payer = await asking.account();
  // Side by side: whoever asks at the same moment shares one reading of the balance.
  const [first, asked] = await Promise.all([
    quoteOf(payer, experience, operation, values),
    askedFor(asking, payer, operation, values),
  ]);
  const { account } = asked;
  const quote = (maxAgeMs?: number) => quoteOf(account, experience, operation, values, maxAgeMs);
  if (first.basis === "unknown") await experienced();
  const known = first.basis === "unknown" ? await quote() : first;
  const range = known.basis === "unknown" ? await asking.priceRange(operation, values) : undefined;
  // They may have topped it up since it was read.
  const now = shortageOf({ ...known, ...(range && { range }) }) ? await quote(0) : known;
  const asks = await gate.preview(asked, now.tokens);
  return { ...now, ...(range && { range }), balance: account.tellsBalance ? now.balance : null, asks };
}

/**
 * A request, as far as the rules look at it; what is known of its pictures is not looked up yet. Where the service refuses the key that
 * pays, and another one takes its place, it is that one's.
 */
async function askedFor(
  asking: CommandRequest,
  account: Account,
  operation: Operation,
  values: Values,
): Promise<Asked> {
  const { catalogue, origin, tagger } = asking;
  let mature: boolean;
  try {
    ({ mature } = await checkChoices(catalogue, account, operation, values));
  } catch (error) {
    const next = error instanceof Unauthorized ? await asking.account() : account;
    if (next.keyId === account.keyId) throw error;
    return askedFor(asking, next, operation, values);
  }
  const pictures = picturesOf(operation, values);
  const wording = { ...wordsOf(operation, values), photos: pictures.length > 0, mature };
  const tags = tagger.tagsOf(origin);
  return { origin, account, tags, operation, values, wording, pictures, known: NO_TRAITS };
}

/** Nobody is charged more than the button said that they pressed. @throws ReelayError `price_changed`, `price_unknown` */
function refuseDearer(price: number | undefined, { tokens }: Quote): void {
  if (price === undefined) return;
  if (tokens === null) throw new ReelayError("price_unknown");
  if (tokens < price + HALF_A_CENT) return;
  throw new ReelayError("price_changed", { count: tokens, tokens, price });
}

/** The field that says what is not to be seen, wherever there is one (sections 4.3, 4.4, 4.12). */
const AVOIDED = "negative_prompt";

/**
 * Every word that was given; what is to be avoided apart. All that look for words get them from here, and none looks at
 * longer ones than may be sent: whoever has not checked what they were given would have everybody wait.
 * @throws ReelayError `field_too_long`
 */
function wordsOf({ schema }: Operation, values: Values): Pick<Wording, "text" | "avoided"> {
  const texts = fieldsOf(schema).filter(({ control }) => control === "text");
  for (const { name, maxLength: max = VID3_BOUNDS.prompt.max } of texts) {
    const value = values[name];
    if (typeof value === "string" && value.length > max)
      throw new ReelayError("field_too_long", { field: name, max });
  }
  const said = (names: readonly string[]) =>
    names.flatMap((name) => (typeof values[name] === "string" ? [values[name]] : [])).join("\n");
  const names = texts.map(({ name }) => name);
  return {
    text: said(names.filter((name) => name !== AVOIDED)),
    avoided: said(names.filter((name) => name === AVOIDED)),
  };
}

function picturesOf({ schema }: Operation, values: Values): readonly MediaRef[] {
  return fieldsOf(schema).flatMap(({ name, sounds }) => (sounds ? [] : mediaIn(values[name])));
}

/** What is to be chosen from a catalogue must stand in it. Says whether any of it is flagged mature. */
async function checkChoices(
  catalogue: Catalogue,
  account: Account,
  operation: Operation,
  values: Values,
): Promise<{ mature: boolean }> {
  let mature = false;
  const fields = fieldsOf(operation.schema);
  for (const { name, catalogue: source, within } of fields) {
    const value = values[name];
    const parent = within === undefined ? undefined : values[within];
    if (source === undefined || typeof value !== "string") continue;
    const entry = await catalogue.find(
      source,
      account,
      value,
      typeof parent === "string" ? parent : undefined,
    );
    if (!entry) throw new ReelayError("field_unknown_choice", { field: name, value });
    checkPictures(fields, values, entry);
    mature ||= entry.mature ?? false;
  }
  return { mature };
}

/** A template may need more pictures than its operation (section 2.10). */
function checkPictures(
  fields: readonly FieldSpec[],
  values: Values,
  { pictures: min = 1 }: Suggestion,
): void {
  const list = fields.find(({ control }) => control === "images");
  if (!list || mediaIn(values[list.name]).length >= min) return;
  throw new ReelayError("field_count", { field: list.name, min, max: list.maxItems ?? min });
}
