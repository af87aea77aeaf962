import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import type { Value, Values } from "../../../../../../src/seam/values.ts";
import type { PageProblem } from "../../../../wire.ts";
import { faultOf } from "../../form/fields.ts";
import { Field } from "./Field.tsx";

/** The fields behind one click. */
export function Options(props: {
  id: string;
  fields: readonly FieldSpec[];
  values: Values;
  problem: PageProblem | undefined;
  onValue: (name: string, value: Value | undefined) => void;
}) {
  const { fields, values, problem } = props;
  return (
    <div class="options" id={props.id}>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          values={values}
          problem={
            faultOf(field, values[field.name]) ?? (problem?.field === field.name ? problem : undefined)
          }
          onValue={(value) => props.onValue(field.name, value)}
        />
      ))}
    </div>
  );
}
