import type { Command } from "commander";
import type { MessageKey, Translate } from "../../../src/common/i18n.ts";
import type { Io } from "../output/io.ts";
import { CliProblem } from "../output/problems.ts";

/** Whether somebody sits there who sees a question and can answer it; standard output may go elsewhere. */
export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/**
 * Asks yes or no, with no as what Enter alone says.
 * @param signal takes the question back
 * @returns undefined for Ctrl-C
 */
export async function askYesNo(
  { stdin: input, stderr: output }: Io,
  translate: Translate,
  message: string,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  // Most calls ask nothing.
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message,
    active: translate("fact.yes"),
    inactive: translate("fact.no"),
    initialValue: false,
    input,
    output,
    ...(signal && { signal }),
  });
  return isCancel(answer) ? undefined : answer;
}

/**
 * Whether somebody is to go for good: asked, unless `--yes` said so.
 * @param question is given the name
 * @param look throws where there is nobody of that name: then it is no question whether
 * @throws CliProblem `not_confirmed` where nobody can be asked
 */
export async function isSure(
  { io, translate }: { readonly io: Io; readonly translate: Translate },
  command: Command,
  name: string,
  question: MessageKey,
  look: () => Promise<unknown>,
): Promise<boolean> {
  if (command.getOptionValue("yes") === true) return true;
  if (!canAsk(io)) {
    await look();
    throw new CliProblem("not_confirmed", { name });
  }
  return (await askYesNo(io, translate, translate(question, { name }))) ?? false;
}
