import { z } from "zod";
import { isKeyRefused } from "../accounts/refused.ts";
import { keySchema, putOwnKey, removeOwnKey } from "../people/own-key.ts";
import { NotFound } from "../../infrastructure/api/media-api.ts";
import { readWithAnyKey } from "../jobs/any-key.ts";
import { fieldsOf } from "../operations/fields.ts";
import { platformOf } from "../../seam/values.ts";
import { button, command, type Context } from "./command.ts";
import type { Fact } from "../../seam/views.ts";
import { accountFacts } from "./facts.ts";

/** Stores a person's own key, once the service has taken it. The key is never shown again. */
export const connect = command({
  name: "connect",
  label: "command.connect",
  description: "command.connect.description",
  kind: "command",
  traits: { topic: "account", asks: "key" },
  schema: keySchema,
  async run(context, { key }) {
    const facts = await connectKey(context, key);
    await context.reply({ kind: "notice", text: { key: "connect.done" }, facts });
    await tellWaiting(context);
  },
});

/** Tries a key out and stores it. @returns the account that it belongs to */
export async function connectKey(context: Context, key: string): Promise<readonly Fact[]> {
  // Whether the service takes it or not: pasted once more, it is no word either.
  await context.vault.known.remember(key);
  const account = context.accounts.tryOut(context.origin.user, key);
  const facts = await accountFacts(account);
  await putOwnKey(context, account, key);
  context.learnFrom(account);
  await goOnWhereItWaits(context);
  return facts;
}

/** Somebody of a chat may connect on their page: what they had begun in the chat goes on by itself. */
async function goOnWhereItWaits({ origin, surfaces, log }: Context): Promise<void> {
  const home = platformOf(origin.user);
  if (home === origin.platform || !surfaces.names.includes(home)) return;
  await surfaces
    .of(home)
    .keyConnected(origin.user)
    .catch((err: unknown) => log.warn({ err }, "What waited for a key in a chat did not go on by itself"));
}

/** Asks for a key that jobs wait for. */
export const reconnect = button(
  "reconnect",
  "command.connect",
  ({ ask }) =>
    ask({
      id: connect.name,
      title: { key: connect.label },
      fields: fieldsOf(connect.schema),
      values: {},
      submit: { key: connect.label },
    }),
  { traits: { asks: "key" } },
);

/** Forgets a person's own key. */
export const disconnect = command({
  name: "disconnect",
  label: "command.disconnect",
  description: "command.disconnect.description",
  kind: "command",
  traits: { topic: "account", public: true, takesAway: true },
  schema: z.strictObject({}),
  async run(context) {
    const { origin, reply, vault } = context;
    const wasStored = await vault.has(origin.user);
    await removeOwnKey(context, origin.user);
    await reply({ kind: "notice", text: { key: wasStored ? "disconnect.done" : "disconnect.none" } });
  },
});

/** Says whether jobs that wait for a key can be read with this one: if so, they go on. */
export async function tellWaiting({
  ledger,
  accounts,
  origin,
  reply,
}: Pick<Context, "ledger" | "accounts" | "origin" | "reply">): Promise<void> {
  const waiting = await ledger.waitingForKey({ user: origin.user });
  const [first] = waiting;
  if (!first) return;
  const isOthers = await readWithAnyKey(first, accounts, {}).then(
    () => false,
    (error: unknown) => error instanceof NotFound || isKeyRefused(error),
  );
  const params = { count: waiting.length };
  await reply({
    kind: "notice",
    text: { key: isOthers ? "connect.other_account" : "connect.resumed", params },
  });
}
