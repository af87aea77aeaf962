import { z } from "zod";
import { STATEMENT_NAMES } from "../../../seam/values.ts";
import { command, pressableSchema } from "../command.ts";
import type { Fact } from "../../../seam/views.ts";

/** Takes back what a person stated: one statement, or all of them. What needs it is asked again from then on. */
export const withdraw = command({
  name: "withdraw",
  label: "command.withdraw",
  description: "command.withdraw.description",
  kind: "command",
  traits: { topic: "privacy", takesAway: true },
  forEverybody: true,
  schema: pressableSchema.extend({ statement: z.enum(STATEMENT_NAMES).optional() }),
  async run({ people, audit, origin, reply }, { statement }) {
    const { user, platform: surface } = origin;
    const taken = await people.withdraw(user, statement === undefined ? STATEMENT_NAMES : [statement]);
    for (const rule of taken) await audit.write({ act: "withdraw", user, surface, rule });
    const facts = taken.map((name): Fact => ({
      label: `choice.statement.${name}`,
      value: { key: `withdraw.again.${name}` },
    }));
    const text = { key: taken.length > 0 ? "withdraw.done" : "withdraw.none" } as const;
    await reply({ kind: "notice", text, facts });
  },
});
