import { z } from "zod";
import { isOperator } from "../accounts/subjects.ts";
import { budgetsOfPerson } from "../policy/budgets.ts";
import { command } from "./command.ts";
import { accountFacts, budgetFacts } from "./facts.ts";

/** What is left, of tokens and of budgets, and under which subscription. */
export const balance = command({
  name: "balance",
  label: "command.balance",
  description: "command.balance.description",
  kind: "command",
  traits: { topic: "account" },
  schema: z.strictObject({}),
  async run({ groups, origin, policy, reply, spent, ...context }) {
    const account = await context.account();
    const all = budgetsOfPerson(origin, account, await groups.of(origin.chat), policy.budgets);
    // What the operator's key pays for everybody is the operator's business.
    const budgets = await spent(all.filter(({ whose }) => whose !== "key" || isOperator(origin.user)));
    await reply({
      kind: "notice",
      text: { key: `balance.${account.source}` },
      facts: [...(await accountFacts(account)), ...budgetFacts(budgets)],
    });
  },
});
