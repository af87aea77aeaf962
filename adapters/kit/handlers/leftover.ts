import { ownAction } from "../../../src/seam/text/actions.ts";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import { takesFiles } from "../../../src/seam/forms/filling.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import { step } from "../messages/buttons.ts";

/** The mark of buttons that make something of the words that they answer. */
export const WORDS = "w";

/** Says what to do instead with what nobody has a use for, and offers what can be made of words alone. */
export function leftoverView(commands: readonly CommandSpec[], words: string): NoticeView {
  const steps = [step("templates", { key: "chat.start.templates" }), step("help", { key: "command.help" })];
  if (!words) return { kind: "notice", text: { key: "chat.what" }, actions: steps };
  const offers = commands.filter(needsNoFile);
  const actions = offers.map(({ name, label }) => ownAction(WORDS, name, { key: label }));
  return { kind: "notice", text: { key: "chat.words" }, actions: [...actions, ...steps] };
}

function needsNoFile({ kind, fields }: CommandSpec): boolean {
  return kind === "operation" && !fields.some((field) => field.required && takesFiles(field));
}
