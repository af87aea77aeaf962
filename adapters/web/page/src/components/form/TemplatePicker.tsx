import { useState } from "preact/hooks";
import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import type { Value } from "../../../../../../src/seam/values.ts";
import { useCatalogue } from "../../state/catalogue.ts";
import { useChat } from "../../state/context.ts";
import { Segments } from "../inputs/ChoiceInput.tsx";
import { Gallery } from "./Gallery.tsx";
import { Icon } from "../base/Icon.tsx";

/** A catalogue field in the composer: a button that opens the gallery, or a chip with what was chosen. */
export function TemplatePicker(props: {
  operation: string;
  field: FieldSpec;
  value: string | undefined;
  onValue: (value: string | undefined) => void;
}) {
  const { say } = useChat();
  const { operation, field, value } = props;
  const [open, setOpen] = useState(false);
  const entries = useCatalogue(operation, value === undefined ? undefined : field);
  const title = entries?.find((entry) => entry.value === value)?.title;
  return (
    <span class="picker" data-field={field.name}>
      <button
        type="button"
        class={value ? "tool chosen" : "tool"}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="spark" />
        {value === undefined ? say(field.label) : (title ?? value)}
      </button>
      {value && (
        <button
          type="button"
          class="icon-button"
          aria-label={say("page.remove", { name: say(field.label) })}
          onClick={() => props.onValue(undefined)}
        >
          <Icon name="close" />
        </button>
      )}
      {open && (
        <Gallery
          operation={operation}
          field={field}
          chosen={value}
          onChoose={props.onValue}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  );
}

/** The variants of what was chosen, where it has some. */
export function VariantPicker(props: {
  operation: string;
  field: FieldSpec;
  parent: string | undefined;
  value: Value | undefined;
  onValue: (value: Value | undefined) => void;
}) {
  const { say } = useChat();
  const variants = useCatalogue(props.operation, props.field, props.parent);
  if (!variants?.length) return null;
  return (
    <fieldset class="variants-row">
      <legend>{say(props.field.label)}</legend>
      <Segments
        open
        id={`variant-${props.field.name}`}
        choices={variants}
        value={props.value}
        onValue={props.onValue}
      />
    </fieldset>
  );
}
