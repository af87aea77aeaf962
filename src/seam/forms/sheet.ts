import type { CommandSpec } from "../fields.ts";
import type { StatementName } from "../values.ts";
import type { Form, Message } from "../views.ts";

/** What somebody fills in: an operation's fields, or a form that the core asked. */
export interface Sheet {
  readonly name: string;
  readonly title: Message;
  readonly fields: CommandSpec["fields"];
  /** What its first button says. */
  readonly submit: Message;
  /** Whether it costs tokens. */
  readonly costs: boolean;
  /** What pressing the first button states, which says so; it comes with the press as `Origin.agreed`. */
  readonly agreement?: StatementName;
}

/** What is filled in; undefined while that is to be chosen, and for an operation that there is no more. */
export function sheetOf(
  { operation, form }: { readonly operation?: string; readonly form?: Form },
  commands: readonly CommandSpec[],
): Sheet | undefined {
  if (form) return { ...form, name: form.id, costs: false };
  const spec = commands.find(({ name, kind }) => name === operation && kind === "operation");
  if (!spec) return undefined;
  const { name, label, fields, agreement } = spec;
  const sheet = { name, title: { key: label }, fields, costs: true };
  return agreement
    ? { ...sheet, submit: { key: `action.agree.${agreement}` }, agreement }
    : { ...sheet, submit: { key: "form.generate" } };
}
