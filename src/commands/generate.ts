import type { Account } from "../accounts/accounts.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Values } from "../chat/values.ts";
import { ReelayError } from "../errors.ts";
import { quoteOf, shortfall } from "../jobs/quote.ts";
import { fieldsOf } from "../operations/fields.ts";
import type { Operation } from "../operations/operation.ts";
import { type Command, command, type Context } from "./command.ts";

/** The command that makes what an operation describes. */
export function generateCommand(operation: Operation): Command {
  return command({
    name: operation.id,
    label: operation.label,
    description: operation.description,
    kind: "operation",
    schema: operation.schema,
    run: (context, values) => generate(context, operation, values),
  });
}

/**
 * Accepts a job: from here on it will be made and delivered, or its failure told.
 * @param values checked against the operation's schema
 * @throws ReelayError `not_connected`, `field_invalid` for an unknown template, `tokens_missing`
 */
export async function generate(context: Context, operation: Operation, values: Values): Promise<void> {
  const { accounts, catalogue, experience, ledger, origin } = context;
  const account = await accounts.of(origin.user);
  await checkChoices(catalogue, account, operation, values);
  const missing = shortfall(await quoteOf(account, experience, operation, values));
  if (missing) throw missing;
  const { user, platform: surface, address } = origin;
  const fingerprint = operation.fingerprint(values);
  await ledger.add(
    { user, surface, address, keyId: account.keyId, operation: operation.id, values, fingerprint },
    Date.now(),
  );
}

/** What is to be chosen from a catalogue must stand in it. */
async function checkChoices(
  catalogue: Catalogue,
  account: Account,
  operation: Operation,
  values: Values,
): Promise<void> {
  for (const { name, catalogue: source, within } of fieldsOf(operation.schema)) {
    const value = values[name];
    const parent = within === undefined ? undefined : values[within];
    if (source === undefined || typeof value !== "string") continue;
    if (await catalogue.has(source, account, value, typeof parent === "string" ? parent : undefined))
      continue;
    throw new ReelayError("field_unknown_choice", { field: name, value });
  }
}
