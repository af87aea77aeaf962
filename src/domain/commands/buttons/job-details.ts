import { mediaIn, type Value } from "../../../seam/values.ts";
import type { FieldSpec } from "../../../seam/fields.ts";
import type { Fact, Message } from "../../../seam/views.ts";
import type { Job } from "../../jobs/job.ts";
import { fieldsOf } from "../../operations/fields.ts";
import { operationOf } from "../../operations/registry.ts";
import type { Context } from "../command.ts";

/** Says how something was made: everything that was chosen for it, but the files. */
export async function tellDetails(
  { reply }: Pick<Context, "reply">,
  { id, operation, values }: Job,
): Promise<void> {
  const facts = fieldsOf(operationOf(operation).schema).flatMap((field): Fact[] => {
    const value = values[field.name];
    if (value === undefined || mediaIn(value).length > 0) return [];
    const own = field.control === "text" && ({ own: true } as const);
    return [{ label: field.label, value: valueOf(field, value), ...own }];
  });
  await reply({ kind: "notice", text: { key: "details.title", params: { operation } }, about: id, facts });
}

function valueOf({ choices }: FieldSpec, value: Value): Message {
  if (typeof value === "boolean") return { key: value ? "fact.yes" : "fact.no" };
  const label = choices?.find((choice) => choice.value === value)?.label;
  const text = typeof value === "object" ? "" : String(value);
  return label ? { key: label } : { key: "fact.text", params: { text } };
}
