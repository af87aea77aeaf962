import type { Origin } from "../chat/surface.ts";
import type { CommandParts } from "./command.ts";
import { forgetQuestions } from "./statements.ts";

/**
 * Erases everything that Reelay keeps about a person, but blocks. All of it is found by their id, so that what was
 * interrupted anywhere can be done again, to its end.
 * @throws ReelayError `jobs_open` as long as something of theirs goes on: nothing is erased then
 */
export async function forgetPerson(
  parts: CommandParts,
  { user, platform }: Pick<Origin, "user" | "platform">,
): Promise<void> {
  const { ledger, surfaces, vault, reports, people, audit, inputs, traces } = parts;
  // First of all: in one transaction with the look whether anything goes on.
  await ledger.forget(user);
  await surfaces.of(platform).forget(user);
  await vault.remove(user);
  await forgetQuestions(parts, user);
  await reports.forget(user);
  await people.forget(user);
  await audit.forget(user);
  await inputs.sweep();
  await traces.wipe(Date.now());
}
