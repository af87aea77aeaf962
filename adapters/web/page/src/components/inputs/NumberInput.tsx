import { useChat } from "../../state/context.ts";
import type { ControlProps } from "../../form/control.ts";
import { Icon } from "../base/Icon.tsx";

/** A slider for more values than this would be fiddly; a number is typed then. */
const SLIDER_STEPS = 60;

/** A whole number between two near bounds is a slider, any other number a box with two buttons. */
export function NumberInput({ id, field, value, describedBy, invalid, onValue }: ControlProps) {
  const { say, locale } = useChat();
  const { min, max } = field;
  const given = value ?? field.default;
  const number = typeof given === "number" ? given : undefined;
  const common = { id, min, max, "aria-describedby": describedBy, "aria-invalid": invalid };

  const step = field.multipleOf ?? (field.integer ? 1 : 0.5);

  if (field.integer && min !== undefined && max !== undefined && (max - min) / step <= SLIDER_STEPS) {
    return (
      <div class="slider">
        <input
          {...common}
          type="range"
          step={step}
          value={number ?? min}
          onInput={(event) => onValue(event.currentTarget.valueAsNumber)}
        />
        <output for={id}>{(number ?? min).toLocaleString(locale)}</output>
      </div>
    );
  }

  const move = (by: number) => {
    const moved = Math.round(((number ?? 0) + by) / step) * step;
    onValue(Math.min(max ?? Infinity, Math.max(min ?? -Infinity, moved)));
  };
  return (
    <div class="stepper">
      <button type="button" class="icon-button" aria-label={say("page.less")} onClick={() => move(-step)}>
        <Icon name="minus" />
      </button>
      <input
        {...common}
        type="number"
        step={field.integer ? step : "any"}
        placeholder={say("page.automatic")}
        value={number ?? ""}
        onInput={({ currentTarget }) =>
          onValue(Number.isNaN(currentTarget.valueAsNumber) ? undefined : currentTarget.valueAsNumber)
        }
      />
      <button type="button" class="icon-button" aria-label={say("page.more")} onClick={() => move(step)}>
        <Icon name="plus" />
      </button>
    </div>
  );
}
