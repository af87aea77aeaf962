import { Fragment } from "preact";
import { useId } from "preact/hooks";
import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import type { Value, Values } from "../../../../../../src/seam/values.ts";
import { textOf, type FieldPlaces } from "../../form/fields.ts";
import { SwapButton } from "../inputs/SwapButton.tsx";
import { Control } from "./Control.tsx";
import { PromptBox } from "./PromptBox.tsx";
import { VariantPicker } from "./TemplatePicker.tsx";

/** What nearly every request needs: pictures, words, sounds, and the variant of a template. */
export function Essentials(props: {
  operation: string;
  places: FieldPlaces;
  values: Values;
  onValue: (name: string, value: Value | undefined) => void;
}) {
  const id = useId();
  const { places, values, onValue } = props;
  const [one, other, ...more] = places.pictures.filter(({ control }) => control === "image");
  const swappable = one && other && more.length === 0 && (values[one.name] ?? values[other.name]);
  const file = (field: FieldSpec) => (
    <div key={field.name} class={`files-${field.control}`} data-field={field.name}>
      <Control
        id={`${id}-${field.name}`}
        field={field}
        value={values[field.name]}
        values={values}
        describedBy={undefined}
        invalid={false}
        onValue={(value) => onValue(field.name, value)}
      />
    </div>
  );
  return (
    <>
      <div class="composer-main">
        {places.pictures.map((field) => (
          <Fragment key={field.name}>
            {swappable && field === other && (
              <SwapButton
                onSwap={() => {
                  onValue(one.name, values[other.name]);
                  onValue(other.name, values[one.name]);
                }}
              />
            )}
            {file(field)}
          </Fragment>
        ))}
        {places.texts.map((field) => (
          <PromptBox
            key={field.name}
            field={field}
            value={textOf(values[field.name])}
            onValue={(text) => onValue(field.name, text)}
          />
        ))}
      </div>
      {places.sounds.map(file)}
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
