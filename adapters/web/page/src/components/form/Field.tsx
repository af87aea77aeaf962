import { useId } from "preact/hooks";
import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import type { Value, Values } from "../../../../../../src/seam/values.ts";
import type { PageProblem } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { Control } from "./Control.tsx";
import { Fault } from "../base/Fault.tsx";

/** One field with its label, its hint and what is wrong with it. */
export function Field(props: {
  field: FieldSpec;
  values: Values;
  problem: PageProblem | undefined;
  onValue: (value: Value | undefined) => void;
}) {
  const { say } = useChat();
  const id = useId();
  const { field, values, problem } = props;
  const hint = field.hint && `${id}-hint`;
  const fault = problem && `${id}-fault`;
  const describedBy = [hint, fault].filter(Boolean).join(" ") || undefined;
  // Groups of radio buttons are named by their legend, everything else by its label.
  const grouped = field.control === "choice";
  const Group = grouped ? "fieldset" : "div";
  const Name = grouped ? "legend" : "label";
  return (
    <Group class={`field field-${field.control}`} data-field={field.name}>
      <Name class="field-label" {...(!grouped && { for: id })}>
        {say(field.label)}
      </Name>
      <Control
        id={id}
        field={field}
        value={values[field.name]}
        values={values}
        describedBy={describedBy}
        invalid={problem !== undefined}
        onValue={props.onValue}
      />
      {field.hint && (
        <p class="hint" id={hint}>
          {say(field.hint)}
        </p>
      )}
      <Fault id={fault} problem={problem} />
    </Group>
  );
}
