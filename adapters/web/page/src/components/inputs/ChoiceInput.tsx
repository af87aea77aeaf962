import { useChat } from "../../state/context.ts";
import { choiceText } from "../../view/sentences.ts";
import type { ControlProps } from "../../form/control.ts";

/** One of a few values. */
export interface ChoiceSegment {
  readonly value: string | number;
  readonly title: string;
}

/** A choice field as segmented buttons. */
export function ChoiceInput(props: ControlProps) {
  const { say } = useChat();
  const { field } = props;
  const choices = field.choices ?? [];
  return (
    <Segments
      {...props}
      value={props.value ?? field.default}
      choices={choices.map(({ value }) => ({ value, title: choiceText(say, field, value) }))}
      open={field.default === undefined && !field.required}
    />
  );
}

/**
 * Segmented buttons: radio buttons underneath, so that arrow keys work.
 * @param open whether a first segment leaves the choice open
 */
export function Segments(props: {
  id: string;
  value: unknown;
  choices: readonly ChoiceSegment[];
  open: boolean;
  describedBy?: string | undefined;
  onValue: (value: string | number | undefined) => void;
}) {
  const { say } = useChat();
  const automatic = { value: undefined, title: say("page.automatic") };
  return (
    <div class="segments" aria-describedby={props.describedBy}>
      {[...(props.open ? [automatic] : []), ...props.choices].map(({ value, title }) => (
        <label key={value ?? ""}>
          <input
            type="radio"
            name={props.id}
            checked={value === props.value}
            onChange={() => props.onValue(value)}
          />
          <span>{title}</span>
        </label>
      ))}
    </div>
  );
}
