import { z } from "zod";
import type { Account } from "../accounts/accounts.ts";
import { keySchema, putOwnKey, removeOwnKey } from "../accounts/own-key.ts";
import { learnPrices } from "../jobs/quote.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { command, type Context } from "./command.ts";
import { accountFacts } from "./facts.ts";

/** Stores a person's own key, once the service has taken it. The key is never shown again. */
export const connect = command({
  name: "connect",
  label: "command.connect",
  description: "command.connect.description",
  kind: "command",
  schema: keySchema,
  async run(context, { key }) {
    const account = context.accounts.tryOut(context.origin.user, key);
    const facts = await accountFacts(account);
    await putOwnKey(context, account, key);
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
    await removeOwnKey(context, context.origin.user);
    await context.reply({ kind: "notice", text: { key: "disconnect.done" } });
  },
});

/** Reads what was paid with a new key before, while nobody waits for it. */
export function learnFrom({ experience, log }: Context, account: Account): void {
  learnPrices(account, experience, OPERATIONS).catch((error: unknown) => {
    log.warn({ err: error }, "Past prices could not be read");
  });
}
