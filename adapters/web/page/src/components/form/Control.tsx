import type { ControlProps } from "../../form/control.ts";
import { textOf } from "../../form/fields.ts";
import { ChoiceInput } from "../inputs/ChoiceInput.tsx";
import { MaskWell } from "../inputs/MaskWell.tsx";
import { NumberInput } from "../inputs/NumberInput.tsx";
import { PhotoWell } from "../inputs/PhotoWell.tsx";
import { PictureStrip } from "../inputs/PictureStrip.tsx";
import { SoundsInput } from "../inputs/SoundsInput.tsx";

/** What a field is filled in with. */
export function Control(props: ControlProps) {
  const { id, field, value, describedBy, invalid, onValue } = props;
  const common = { id, "aria-describedby": describedBy, "aria-invalid": invalid };
  switch (field.control) {
    case "image":
      return <PhotoWell {...props} />;
    case "images":
      return <PictureStrip {...props} />;
    case "mask":
      return <MaskWell {...props} />;
    case "sounds":
      return <SoundsInput {...props} />;
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
          value={textOf(value) ?? ""}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      );
    case "text":
    case "catalogue":
      return (
        <input
          {...common}
          type="text"
          value={textOf(value) ?? ""}
          onInput={(event) => onValue(event.currentTarget.value || undefined)}
        />
      );
    default:
      return field.control satisfies never;
  }
}
