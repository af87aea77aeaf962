import type { Value, Values } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";
import { isGiven, textOf, type FieldPlaces } from "../../form/fields.ts";
import { Icon } from "../base/Icon.tsx";
import { TemplatePicker } from "../form/TemplatePicker.tsx";

/** What the request can be chosen from: its catalogues, and the options behind one click. */
export function ComposerTools(props: {
  operation: string;
  places: FieldPlaces;
  values: Values;
  onValue: (name: string, value: Value | undefined) => void;
  /** Whether the options are open. */
  open: boolean;
  optionsId: string;
  onToggle: () => void;
}) {
  const { say } = useChat();
  const { places, values } = props;
  const changed = places.options.filter(
    ({ name, default: usual }) => isGiven(values[name]) && values[name] !== usual,
  ).length;
  return (
    <div class="tools">
      {places.catalogues.map((field) => (
        <TemplatePicker
          key={field.name}
          operation={props.operation}
          field={field}
          value={textOf(values[field.name])}
          onValue={(value) => props.onValue(field.name, value)}
        />
      ))}
      {places.options.length > 0 && (
        <button
          type="button"
          class="tool"
          aria-expanded={props.open}
          aria-controls={props.optionsId}
          onClick={props.onToggle}
        >
          <Icon name="sliders" />
          {say("page.options")}
          {changed > 0 && <span class="count">{changed}</span>}
        </button>
      )}
    </div>
  );
}
