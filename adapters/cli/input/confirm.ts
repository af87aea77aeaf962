import type { Translate } from "../../../src/common/i18n.ts";
import type { Io } from "../output/io.ts";

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
