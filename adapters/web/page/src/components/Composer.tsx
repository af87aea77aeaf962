import { useEffect, useId, useRef, useState } from "preact/hooks";
import { isMediaRef, type Value } from "../../../../../src/chat/values.ts";
import type { ProblemBody } from "../../../wire.ts";
import { problemOf } from "../api.ts";
import { useChat, type Draft } from "../context.ts";
import { faultOf, firstMissing, isGiven, isShown, sendable, textOf, withValue } from "../fields.ts";
import { useQuote } from "../quote.ts";
import { problemText } from "../sentences.ts";
import { DropZone } from "./DropZone.tsx";
import { GenerateBar } from "./GenerateBar.tsx";
import { Icon } from "./Icon.tsx";
import { OperationTabs } from "./OperationTabs.tsx";
import { Options } from "./Options.tsx";
import { PhotoWell } from "./PhotoWell.tsx";
import { PromptBox } from "./PromptBox.tsx";
import { SampleButton } from "./SampleButton.tsx";
import { TemplatePicker, VariantPicker } from "./TemplatePicker.tsx";

/** Where a request is put together: its parts follow from the operation's fields alone. */
export function Composer(props: {
  draft: Draft;
  onDraft: (draft: Draft | ((current: Draft) => Draft)) => void;
  /** Changes whenever the balance may have. */
  occasion: unknown;
  onBalance: (balance: number | null) => void;
}) {
  const { api, operations, say } = useChat();
  const { draft, onDraft } = props;
  const { values } = draft;
  const fields = operations.find(({ name }) => name === draft.operation)?.fields ?? [];
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<ProblemBody>();

  const inFront = fields.filter((field) => !field.advanced && isShown(field, fields, values));
  const of = (control: string) => inFront.filter((field) => field.control === control);
  const behind = fields.filter(
    ({ advanced, control }) => advanced || !["image", "text", "catalogue"].includes(control),
  );
  const changed = behind.filter(
    ({ name, default: usual }) => isGiven(values[name]) && values[name] !== usual,
  ).length;

  const missing = firstMissing(fields, values);
  const fault = fields.map((field) => faultOf(field, values[field.name])).find(Boolean);
  const sent = sendable(fields, values);
  const { quote, problem } = useQuote(draft.operation, sent, !missing && !fault, props.occasion);
  useEffect(() => {
    if (quote) props.onBalance(quote.balance);
  }, [quote]);
  useEffect(() => setRefused(undefined), [draft]);
  const shownProblem = refused ?? problem;

  function set(name: string, value: Value | undefined) {
    // An upload that ends later must not undo what was typed meanwhile.
    onDraft((current) => ({ ...current, values: withValue(fields, current.values, name, value) }));
  }

  function focusOn(name: string) {
    const place = form.current?.querySelector<HTMLElement>(`[data-field="${name}"]`);
    place?.querySelector<HTMLElement>("input, textarea, button")?.focus();
  }

  async function submit() {
    if (busy) return;
    const wrong = missing?.field.name ?? fault?.field;
    if (wrong !== undefined) {
      if (behind.some(({ name }) => name === wrong)) setOpen(true);
      return focusOn(wrong);
    }
    setBusy(true);
    try {
      await (draft.question === undefined
        ? api.command(draft.operation, sent)
        : api.answer(draft.question, sent));
      onDraft({ operation: draft.operation, values: {} });
      setOpen(false);
    } catch (error) {
      setRefused(problemOf(error));
    } finally {
      setBusy(false);
    }
  }

  const wells = of("image");
  const place = wells.find(({ name }) => !values[name]) ?? wells[0];
  return (
    <form
      ref={form}
      class="composer"
      aria-label={say("page.composer")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void submit();
      }}
    >
      {place && <DropZone onMedia={(media) => set(place.name, media)} />}
      {operations.length > 1 && (
        <OperationTabs chosen={draft.operation} onChoose={(operation) => onDraft({ operation, values })} />
      )}
      {draft.question !== undefined && (
        <p class="changing">
          <Icon name="edit" />
          {say("page.changing")}
          <button
            type="button"
            class="link"
            onClick={() => onDraft({ operation: draft.operation, values: {} })}
          >
            {say("page.cancel")}
          </button>
        </p>
      )}
      <div class="composer-main">
        {wells.map((field) => {
          const value = values[field.name];
          return (
            <div key={field.name} data-field={field.name}>
              <PhotoWell
                id={`${id}-${field.name}`}
                field={field}
                value={isMediaRef(value) ? value : undefined}
                describedBy={undefined}
                onValue={(media) => set(field.name, media)}
              />
            </div>
          );
        })}
        {of("text").map((field) => (
          <PromptBox
            key={field.name}
            field={field}
            value={textOf(values[field.name])}
            onValue={(text) => set(field.name, text)}
          />
        ))}
      </div>
      {of("catalogue").map((field) =>
        field.within === undefined ? null : (
          <VariantPicker
            key={field.name}
            operation={draft.operation}
            field={field}
            parent={values[field.within] ?? ""}
            value={values[field.name]}
            onValue={(value) => set(field.name, value)}
          />
        ),
      )}
      {open && (
        <Options
          id={`${id}-options`}
          fields={behind}
          all={fields}
          values={values}
          problem={shownProblem}
          onValue={set}
        />
      )}
      {shownProblem && !(open && behind.some(({ name }) => name === shownProblem.field)) && (
        <p class="fault" role="alert">
          {problemText(say, shownProblem)}
        </p>
      )}
      <div class="composer-bar">
        <div class="tools">
          {of("catalogue").map((field) =>
            field.within === undefined ? (
              <TemplatePicker
                key={field.name}
                operation={draft.operation}
                field={field}
                value={textOf(values[field.name])}
                onValue={(value) => set(field.name, value)}
              />
            ) : null,
          )}
          <button
            type="button"
            class="tool"
            aria-expanded={open}
            aria-controls={`${id}-options`}
            onClick={() => setOpen(!open)}
          >
            <Icon name="sliders" />
            {say("page.options")}
            {changed > 0 && <span class="count">{changed}</span>}
          </button>
        </div>
        <GenerateBar missing={missing} faulty={fault !== undefined} busy={busy} quote={quote}>
          {place && !values[place.name] && (
            <SampleButton
              onMedia={(media) => {
                set(place.name, media);
                // The button goes away with what it was for; the focus goes on to what comes next.
                const next = of("text")[0];
                if (next) focusOn(next.name);
              }}
            />
          )}
        </GenerateBar>
      </div>
    </form>
  );
}
