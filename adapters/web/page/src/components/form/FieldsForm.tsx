import { useState } from "preact/hooks";
import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import type { Values } from "../../../../../../src/seam/values.ts";
import { problemOf } from "../../state/api.ts";
import { useOnce } from "../../state/once.ts";
import { useProblem } from "../../state/problem.ts";
import { faultOf, firstMissing, isShown, sendable, withValue } from "../../form/fields.ts";
import { Fault } from "../base/Fault.tsx";
import { Field } from "./Field.tsx";

/** A form from its fields alone. What is typed is kept until it was accepted, and nowhere else. */
export function FieldsForm(props: {
  fields: readonly FieldSpec[];
  initial?: Values;
  submit: string;
  onSubmit: (values: Values) => Promise<void>;
}) {
  const { fields } = props;
  const [values, setValues] = useState<Values>(props.initial ?? {});
  const [problem, setProblem] = useProblem();
  const { once } = useOnce();

  async function submit() {
    const missing = firstMissing(fields, values)?.field.name;
    const fault = fields.map((field) => faultOf(field, values[field.name])).find(Boolean);
    if (fault) return setProblem(fault);
    if (missing) return setProblem({ code: "field_required", params: { field: missing }, field: missing });
    try {
      await props.onSubmit(sendable(fields, values));
    } catch (error) {
      setProblem(problemOf(error));
    }
  }

  const general = !fields.some(({ name }) => name === problem?.field);
  return (
    <form
      class="fields-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void once(submit);
      }}
    >
      {fields
        .filter((field) => isShown(field, fields, values))
        .map((field) => (
          <Field
            key={field.name}
            field={field}
            values={values}
            problem={problem?.field === field.name ? problem : undefined}
            onValue={(value) => setValues(withValue(fields, values, field.name, value))}
          />
        ))}
      <Fault problem={general ? problem : undefined} />
      <button type="submit" class="button primary">
        {props.submit}
      </button>
    </form>
  );
}
