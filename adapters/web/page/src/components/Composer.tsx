import { useEffect, useId } from "preact/hooks";
import { useComposer, type ChangeDraft } from "../composer.ts";
import { useChat, type Draft } from "../context.ts";
import { isGiven, textOf } from "../fields.ts";
import { problemText } from "../sentences.ts";
import { DropZone } from "./DropZone.tsx";
import { Essentials } from "./Essentials.tsx";
import { GenerateBar } from "./GenerateBar.tsx";
import { Icon } from "./Icon.tsx";
import { OperationTabs } from "./OperationTabs.tsx";
import { Options } from "./Options.tsx";
import { SampleButton } from "./SampleButton.tsx";
import { TemplatePicker } from "./TemplatePicker.tsx";

/** Where a request is put together: its parts follow from the operation's fields alone. */
export function Composer(props: {
  draft: Draft;
  onDraft: ChangeDraft;
  /** Changes whenever the balance may have. */
  occasion: unknown;
  onBalance: (balance: number | null) => void;
}) {
  const { operations, say } = useChat();
  const { draft, onDraft } = props;
  const { operation, values } = draft;
  const id = useId();
  const composer = useComposer(draft, onDraft, props.occasion);
  const { places, open, problem, quote, set } = composer;
  useEffect(() => {
    if (quote) props.onBalance(quote.balance);
  }, [quote]);

  const well = places.pictures.find(({ name }) => !values[name]) ?? places.pictures[0];
  const changed = places.options.filter(
    ({ name, default: usual }) => isGiven(values[name]) && values[name] !== usual,
  ).length;
  const { fault } = composer;
  // Beside its field, where that can be seen; a text always shows its own.
  const inPlace =
    (open && places.options.some(({ name }) => name === problem?.field)) ||
    (problem === fault && places.texts.some(({ name }) => name === fault?.field));
  return (
    <form
      ref={composer.form}
      class="composer"
      aria-label={say("page.composer")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void composer.submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void composer.submit();
      }}
    >
      {well && <DropZone onMedia={(media) => set(well.name, media)} />}
      {operations.length > 1 && (
        <OperationTabs chosen={operation} onChoose={(chosen) => onDraft({ operation: chosen, values })} />
      )}
      {draft.question !== undefined && (
        <p class="changing">
          <Icon name="edit" />
          {say("page.changing")}
          <button type="button" class="link" onClick={composer.clear}>
            {say("page.cancel")}
          </button>
        </p>
      )}
      <Essentials operation={operation} places={places} values={values} onValue={set} />
      {open && (
        <Options
          id={`${id}-options`}
          fields={places.options}
          values={values}
          problem={problem}
          onValue={set}
        />
      )}
      {problem && !inPlace && (
        <p class="fault" role="alert">
          {problemText(say, problem)}
        </p>
      )}
      <div class="composer-bar">
        <div class="tools">
          {places.catalogues.map((field) => (
            <TemplatePicker
              key={field.name}
              operation={operation}
              field={field}
              value={textOf(values[field.name])}
              onValue={(value) => set(field.name, value)}
            />
          ))}
          <button
            type="button"
            class="tool"
            aria-expanded={open}
            aria-controls={`${id}-options`}
            onClick={() => composer.setOpen(!open)}
          >
            <Icon name="sliders" />
            {say("page.options")}
            {changed > 0 && <span class="count">{changed}</span>}
          </button>
        </div>
        <GenerateBar
          missing={composer.missing}
          faulty={fault !== undefined}
          busy={composer.busy}
          quote={quote}
          stale={composer.stale}
        >
          {well && !values[well.name] && (
            <SampleButton
              onMedia={(media) => {
                set(well.name, media);
                // The button goes with its purpose, so the focus goes on to what comes next.
                composer.leadTo(places.texts[0]?.name);
              }}
            />
          )}
        </GenerateBar>
      </div>
    </form>
  );
}
