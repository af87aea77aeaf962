import { useEffect, useId, useRef } from "preact/hooks";
import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import { useChat } from "../../state/context.ts";
import { faultOf } from "../../form/fields.ts";
import { Fault } from "../base/Fault.tsx";

/** A text that grows with what is written. */
export function PromptBox(props: {
  field: FieldSpec;
  value: string | undefined;
  onValue: (value: string | undefined) => void;
}) {
  const { say } = useChat();
  const { field } = props;
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const text = props.value ?? "";
  const fault = faultOf(field, text);
  useEffect(() => {
    if (!box.current) return;
    box.current.style.height = "auto";
    box.current.style.height = `${box.current.scrollHeight}px`;
  }, [text]);
  return (
    <div class="prompt" data-field={field.name}>
      <label class="hidden" for={id}>
        {say(field.label)}
      </label>
      <textarea
        dir="auto"
        ref={box}
        id={id}
        rows={3}
        placeholder={field.hint ? say(field.hint) : say(field.label)}
        aria-invalid={fault !== undefined}
        aria-describedby={fault && `${id}-fault`}
        value={text}
        onInput={(event) => props.onValue(event.currentTarget.value || undefined)}
      />
      <Fault id={`${id}-fault`} problem={fault} />
    </div>
  );
}
