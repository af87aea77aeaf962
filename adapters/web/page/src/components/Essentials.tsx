import { useId } from "preact/hooks";
import { isMediaRef, type Value, type Values } from "../../../../../src/chat/values.ts";
import { textOf, type Places } from "../fields.ts";
import { PhotoWell } from "./PhotoWell.tsx";
import { PromptBox } from "./PromptBox.tsx";
import { VariantPicker } from "./TemplatePicker.tsx";

/** What nearly every request needs: pictures, words, and the variant of a template. */
export function Essentials(props: {
  operation: string;
  places: Places;
  values: Values;
  onValue: (name: string, value: Value | undefined) => void;
}) {
  const id = useId();
  const { places, values, onValue } = props;
  return (
    <>
      <div class="composer-main">
        {places.pictures.map((field) => {
          const value = values[field.name];
          return (
            <div key={field.name} data-field={field.name}>
              <PhotoWell
                id={`${id}-${field.name}`}
                field={field}
                value={isMediaRef(value) ? value : undefined}
                describedBy={undefined}
                onValue={(media) => onValue(field.name, media)}
              />
            </div>
          );
        })}
        {places.texts.map((field) => (
          <PromptBox
            key={field.name}
            field={field}
            value={textOf(values[field.name])}
            onValue={(text) => onValue(field.name, text)}
          />
        ))}
      </div>
      {places.variants.map((field) => (
        <VariantPicker
          key={field.name}
          operation={props.operation}
          field={field}
          parent={textOf(values[field.within ?? ""])}
          value={values[field.name]}
          onValue={(value) => onValue(field.name, value)}
        />
      ))}
    </>
  );
}
