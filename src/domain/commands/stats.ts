import { z } from "zod";
import { command } from "./command.ts";
import type { Fact } from "../../seam/views.ts";

/** The account's jobs in numbers, as the service counts them. */
export const stats = command({
  name: "stats",
  label: "command.stats",
  description: "command.stats.description",
  kind: "command",
  traits: { topic: "account" },
  schema: z.strictObject({}),
  async run(context) {
    const account = await context.account();
    if (!account.tellsBalance) return context.reply({ kind: "notice", text: { key: "stats.shared" } });
    const { total, completed, failed, pending } = await account.api().stats();
    const facts = [
      ...fact("stats.total", total),
      ...fact("stats.completed", completed),
      ...fact("stats.failed", failed),
      ...fact("stats.pending", pending),
    ];
    await context.reply({ kind: "notice", text: { key: "stats.title" }, facts });
  },
});

/** What the service does not say is left out. */
function fact(label: Fact["label"], count: number | null): Fact[] {
  return count === null ? [] : [{ label, value: { key: "fact.number", params: { count } } }];
}
