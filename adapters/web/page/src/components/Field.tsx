import { useId } from "preact/hooks";
import type { FieldSpec } from "../../../../../src/chat/fields.ts";
import { isMediaRef, type Value } from "../../../../../src/chat/values.ts";
import type { ProblemBody } from "../../../wire.ts";
import { useChat } from "../context.ts";
import { problemText } from "../sentences.ts";
import type { ControlProps } from "../control.ts";
import { ChoiceInput } from "./ChoiceInput.tsx";
import { NumberInput } from "./NumberInput.tsx";
import { PhotoWell } from "./PhotoWell.tsx";

/** One field with its label, its hint and what is wrong with it. */
export function Field(props: {
  field: FieldSpec;
  value: Value | undefined;
  problem: ProblemBody | undefined;
  onValue: (value: Value | undefined) => void;
}) {
  const { say } = useChat();
  const id = useId();
  const { field, problem } = props;
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
      <Control {...props} id={id} describedBy={describedBy} invalid={problem !== undefined} />
      {field.hint && (
        <p class="hint" id={hint}>
          {say(field.hint)}
        </p>
      )}
      {problem && (
        <p class="fault" id={fault} role="alert">
          {problemText(say, problem)}
        </p>
      )}
    </Group>
  );
}

function Control(props: ControlProps) {
  const { id, field, value, describedBy, invalid, onValue } = props;
  const common = { id, "aria-describedby": describedBy, "aria-invalid": invalid };
  switch (field.control) {
    case "image":
      return <PhotoWell {...props} value={isMediaRef(value) ? value : undefined} />;
    case "choice":
      return <ChoiceInput {...props} />;
    case "number":
      return <NumberInput {...props} />;
    case "switch":
      return (
        <input
          {...common}
          type="checkbox"
          role="switch"
          checked={(value ?? field.default) === true}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
      );
    case "secret":
      return (
        <input
          {...common}
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={typeof value === "string" ? value : ""}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      );
    case "text":
    case "catalogue":
      return (
        <input
          {...common}
          type="text"
          value={typeof value === "string" ? value : ""}
          onInput={(event) => onValue(event.currentTarget.value || undefined)}
        />
      );
    default:
      return field.control satisfies never;
  }
}
