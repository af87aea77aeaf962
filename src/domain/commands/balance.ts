import { z } from "zod";
import { command } from "./command.ts";
import { accountFacts } from "./facts.ts";

/** What is left, and under which subscription. */
export const balance = command({
  name: "balance",
  label: "command.balance",
  description: "command.balance.description",
  kind: "command",
  traits: { topic: "account" },
  schema: z.strictObject({}),
  async run(context) {
    const account = await context.account();
    await context.reply({
      kind: "notice",
      text: { key: `balance.${account.source}` },
      facts: await accountFacts(account),
    });
  },
});
