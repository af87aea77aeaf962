import type { Command } from "commander";
import { z } from "zod";
import type { UserId } from "../../../src/seam/values.ts";
import type { Webhooks } from "../../../src/seam/access/webhooks.ts";
import type { CliEvent } from "../output/events.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { group } from "./definition.ts";
import { type GroupedCommand, noFlags } from "./grouped.ts";
import { addNumber } from "../input/numbers.ts";
import type { Shell } from "../session/shell.ts";

const logFlags = z.object({ webhook: z.string().optional(), limit: z.number() });

/** What an operator may look at and do about partners' webhooks. */
const COMMANDS: readonly GroupedCommand[] = [
  {
    usage: "list <partner>",
    description: "cli.webhooks.list",
    addFlags: noFlags,
    run: (shell, command) =>
      tell(shell, command, async (webhooks, user) => ({
        event: "webhooks",
        webhooks: await webhooks.list(user),
      })),
  },
  {
    usage: "log <partner>",
    description: "cli.webhooks.log",
    addFlags(command, translate) {
      command.option("--webhook <id>", translate("cli.flag.webhook"));
      addNumber(command, "--limit", translate("cli.flag.limit"), z.int().min(1).max(1000), 20);
    },
    run: (shell, command) =>
      tell(shell, command, async (webhooks, user) => {
        const { webhook: endpoint, limit } = logFlags.parse(command.opts());
        return { event: "deliveries", deliveries: await webhooks.deliveries(user, { endpoint, limit }) };
      }),
  },
  {
    usage: "resend <partner> <delivery>",
    description: "cli.webhooks.resend",
    addFlags: noFlags,
    run: (shell, command) =>
      tell(shell, command, async (webhooks, user) => {
        const [, delivery = ""] = command.args;
        return { event: "resent", delivery: await webhooks.resend(user, delivery) };
      }),
  },
  {
    usage: "secret [partner]",
    description: "cli.webhooks.secret",
    addFlags: (command, translate) => {
      command.option("--renew", translate("cli.flag.renew"));
    },
    run: (shell, command) =>
      tell(shell, command, async (webhooks, user) => {
        const renewed = command.getOptionValue("renew") === true;
        const secret = renewed
          ? await webhooks.rotateCallbackSecret(user)
          : await webhooks.callbackSecret(user);
        return { event: "callback_secret", secret, renewed };
      }),
  },
];

/** Defines `reelay webhooks`. */
export const defineWebhooks = group(COMMANDS);

/** Does something with a partner's webhooks and says what came of it. */
async function tell(
  { runtime, printer }: Shell,
  command: Command,
  work: (webhooks: Webhooks, user: UserId) => Promise<CliEvent>,
): Promise<ExitCode> {
  const [partner] = command.args;
  printer.print(await runtime.webhooks(partner, work));
  return EXIT.ok;
}
