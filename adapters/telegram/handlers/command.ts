import { ReelayError } from "../../../src/errors.ts";
import { nearestCommand, isPrivate, operationOff, specOf, telegramName } from "./command-names.ts";
import { addressOf } from "../context/address.ts";
import { cancel } from "./cancel.ts";
import { runCore } from "./core-command.ts";
import { beginOperation } from "./operation.ts";
import { connect } from "./connect.ts";
import type { UpdateContext } from "../context/context.ts";
import { leadToPrivate } from "./groups.ts";
import { post } from "../messages/post.ts";
import { start, step } from "./start.ts";
import { openTemplates } from "./templates.ts";

/** What the adapter does itself, given what stands behind the command. */
const OWN = new Map<string, (context: UpdateContext, words: string) => Promise<void>>([
  ["start", startOrGo],
  ["templates", (context, words) => openTemplates(context, "templates", words)],
  ["models", (context, words) => openTemplates(context, "models", words)],
  ["cancel", cancel],
  ["connect", connect],
]);

/** Does what a command asks for. @throws ReelayError `operation_off` */
export async function runCommand(context: UpdateContext, typed: string, words: string): Promise<void> {
  const { intake, origin } = context;
  const name = telegramName(typed);
  const own = OWN.get(name);
  if (own) return own(context, words);
  const spec = specOf(intake.commands, name);
  if (!spec) return sayUnknown(context, typed);
  if (isPrivate(spec) && origin.audience !== "private") return leadToPrivate(context, name);
  if (spec.kind === "operation") return beginOperation(context, spec, words);
  return runCore(context, spec, words);
}

/** Links from groups lead to what is answered in private only; whatever else would act without being asked. */
async function startOrGo(context: UpdateContext, words: string): Promise<void> {
  const spec = specOf(context.intake.commands, words);
  return spec && isPrivate(spec) ? runCommand(context, spec.name, "") : start(context, words);
}

async function sayUnknown(context: UpdateContext, name: string): Promise<void> {
  // Somebody may know it from before, or from elsewhere: a guess at what they meant would mislead them.
  const operation = operationOff(context.host.config.policy.operationsOff, name);
  if (operation !== undefined) throw new ReelayError("operation_off", { operation });
  const meant = nearestCommand(context.intake.commands, name);
  await post(context, addressOf(context.origin.address), {
    kind: "notice",
    text: meant
      ? { key: "telegram.unknown.meant", params: { name, meant } }
      : { key: "telegram.unknown", params: { name } },
    actions: [
      meant
        ? step(meant, { key: "fact.text", params: { text: `/${meant}` } })
        : step("help", { key: "command.help" }),
    ],
  });
}
