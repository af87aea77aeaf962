import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { Io } from "../output/io.ts";

/** The most that is read from a pipe, in characters: keys are far shorter. */
const MAX_LENGTH = 4096;

/**
 * Asks for a secret with what is typed hidden, or reads it from a pipe. What is a flag
 * stays in the shell's history and in the process list.
 * @returns undefined when the person cancelled
 */
export async function askSecret(
  { stdin, stderr }: Io,
  translate: Translate,
  { label, hint }: Pick<FieldSpec, "label" | "hint">,
): Promise<string | undefined> {
  if (!stdin.isTTY) return readAll(stdin);
  const message = [translate(label), ...(hint ? [translate(hint)] : [])].join(". ");
  const { isCancel, password } = await import("@clack/prompts");
  const typed = await password({ message, input: stdin, output: stderr });
  return isCancel(typed) ? undefined : typed;
}

async function readAll(stdin: Io["stdin"]): Promise<string> {
  let text = "";
  for await (const piece of stdin.setEncoding("utf8") as AsyncIterable<string>) {
    text += piece;
    if (text.length > MAX_LENGTH) break;
  }
  return text.trim();
}
