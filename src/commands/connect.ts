import { z } from "zod";
import { ReelayError } from "../errors.ts";
import { isOpen } from "../jobs/job.ts";
import { learnPrices } from "../jobs/quote.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { command, type Context } from "./command.ts";
import { accountFacts } from "./facts.ts";

/** Keys are opaque (section 5): anything printable without spaces may be one. */
const KEY = /^[\x21-\x7e]{8,512}$/;

/** Stores a person's own key, once the service has taken it. The key is never shown again. */
export const connect = command({
  name: "connect",
  label: "command.connect",
  description: "command.connect.description",
  kind: "command",
  schema: z.strictObject({ key: z.string().trim().regex(KEY).meta({ control: "secret" }) }),
  async run(context, { key }) {
    const { accounts, experience, log, origin, vault } = context;
    const account = accounts.tryOut(origin.user, key);
    const facts = await accountFacts(account);
    await refuseWhileOpen(context, account.keyId);
    await vault.put(origin.user, key);
    await context.reply({ kind: "notice", text: { key: "connect.done" }, facts });
    learnPrices(account, experience, OPERATIONS).catch((error: unknown) => {
      log.warn({ err: error }, "Past prices could not be read");
    });
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
    await refuseWhileOpen(context);
    await context.vault.remove(context.origin.user);
    await context.reply({ kind: "notice", text: { key: "disconnect.done" } });
  },
});

/** Without the key a paid job could not be fetched any more: nothing paid for may be lost. */
async function refuseWhileOpen({ ledger, origin }: Context, newKeyId?: string): Promise<void> {
  const recent = await ledger.ofUser(origin.user, { limit: 100 });
  const open = recent.filter(
    ({ state, delivery, keyId }) => (isOpen(state) || delivery === "due") && keyId !== newKeyId,
  );
  if (open.length > 0) throw new ReelayError("jobs_open", { count: open.length });
}
