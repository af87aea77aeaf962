import { ReelayError } from "../../../src/errors.ts";
import { nearestCommand, isPrivate, operationOff, specOf, telegramName } from "./command-names.ts";
import { addressOf } from "../context/address.ts";
import { cancel } from "./cancel.ts";
import { runCore } from "./core-command.ts";
import { beginOperation } from "./operation.ts";
import { connect } from "./connect.ts";
import type { Visit } from "../context/context.ts";
import { leadToPrivate } from "./groups.ts";
import { post } from "../messages/post.ts";
import { start, step } from "./start.ts";
import { openTemplates } from "./templates.ts";

/** What the adapter does itself, given what stands behind the command. */
const OWN = new Map<string, (visit: Visit, words: string) => Promise<void>>([
  ["start", startOrGo],
  ["templates", (visit, words) => openTemplates(visit, "templates", words)],
  ["models", (visit, words) => openTemplates(visit, "models", words)],
  ["cancel", cancel],
  ["connect", connect],
]);

/** Does what a command asks for. @throws ReelayError `operation_off` */
export async function runCommand(visit: Visit, typed: string, words: string): Promise<void> {
  const { intake, origin } = visit;
  const name = telegramName(typed);
  const own = OWN.get(name);
  if (own) return own(visit, words);
  const spec = specOf(intake.commands, name);
  if (!spec) return sayUnknown(visit, typed);
  if (isPrivate(spec) && origin.audience !== "private") return leadToPrivate(visit, name);
  if (spec.kind === "operation") return beginOperation(visit, spec, words);
  return runCore(visit, spec, words);
}

/** Links from groups lead to what is answered in private only; whatever else would act without being asked. */
async function startOrGo(visit: Visit, words: string): Promise<void> {
  const spec = specOf(visit.intake.commands, words);
  return spec && isPrivate(spec) ? runCommand(visit, spec.name, "") : start(visit, words);
}

async function sayUnknown(visit: Visit, name: string): Promise<void> {
  // Somebody may know it from before, or from elsewhere: a guess at what they meant would mislead them.
  const operation = operationOff(visit.host.config.policy.operationsOff, name);
  if (operation !== undefined) throw new ReelayError("operation_off", { operation });
  const meant = nearestCommand(visit.intake.commands, name);
  await post(visit, addressOf(visit.origin.address), {
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
