import { z } from "zod";
import type { Account } from "../accounts/accounts.ts";
import { ReelayError } from "../errors.ts";
import { learnPrices } from "../jobs/quote.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { command, type Context } from "./command.ts";
import { accountFacts } from "./facts.ts";

/** Keys are opaque (section 5): anything printable without spaces may be one. */
const KEY = /^[\x21-\x7e]{8,512}$/;

/** The schema of a form that a key is given in. */
export const keySchema = z.strictObject({
  key: z.string().trim().regex(KEY).meta({ control: "secret" }),
});

/** Stores a person's own key, once the service has taken it. The key is never shown again. */
export const connect = command({
  name: "connect",
  label: "command.connect",
  description: "command.connect.description",
  kind: "command",
  schema: keySchema,
  async run(context, { key }) {
    const { accounts, origin, vault } = context;
    const account = accounts.tryOut(origin.user, key);
    const facts = await accountFacts(account);
    await refuseWhileNeeded(context, account.keyId);
    await vault.put(origin.user, key);
    await context.reply({ kind: "notice", text: { key: "connect.done" }, facts });
    learnFrom(context, account);
  },
});

/** Forgets a person's own key. */
export const disconnect = command({
  name: "disconnect",
  label: "command.disconnect",
  description: "command.disconnect.description",
  kind: "command",
  schema: z.strictObject({}),
  async run(context) {
    await refuseWhileNeeded(context);
    await context.vault.remove(context.origin.user);
    await context.reply({ kind: "notice", text: { key: "disconnect.done" } });
  },
});

/** Reads what was paid with a new key before, while nobody waits for it. */
export function learnFrom({ experience, log }: Context, account: Account): void {
  learnPrices(account, experience, OPERATIONS).catch((error: unknown) => {
    log.warn({ err: error }, "Past prices could not be read");
  });
}

/** Without the key a paid job could not be fetched any more: nothing paid for may be lost. */
async function refuseWhileNeeded({ ledger, origin, vault }: Context, newKeyId?: string): Promise<void> {
  const { user } = origin;
  const stored = await vault.getReadable(user);
  if (!stored || stored.fingerprint === newKeyId) return;
  const count = await ledger.count({ user, keyId: stored.fingerprint, goingOn: true });
  if (count > 0) throw new ReelayError("jobs_open", { count });
}
