import { useEffect, useId } from "preact/hooks";
import type { MessageKey } from "../../../../../../src/common/i18n.ts";
import type { PageRequest } from "../../../../wire.ts";
import { useComposer } from "../../state/composer.ts";
import { useFold } from "../../view/fold.ts";
import { useChat, type ComposerDraft } from "../../state/context.ts";
import type { ChangeDraft } from "../../state/draft.ts";
import { isPicture } from "../../../../../../src/seam/forms/filling.ts";
import { wayOut } from "../../../../../../src/seam/text/notices.ts";
import { isGiven } from "../../form/fields.ts";
import { Actions } from "../base/Actions.tsx";
import { Agreement } from "../form/Agreement.tsx";
import { ComposerTools } from "./ComposerTools.tsx";
import { DropZone } from "../inputs/DropZone.tsx";
import { Essentials } from "../form/Essentials.tsx";
import { Fault } from "../base/Fault.tsx";
import { GenerateBar } from "./GenerateBar.tsx";
import { Icon } from "../base/Icon.tsx";
import { OperationPicker } from "../form/OperationPicker.tsx";
import { Options } from "../form/Options.tsx";
import { SampleButton } from "./SampleButton.tsx";

/** Where a request is put together: its parts follow from the operation's fields alone. */
export function Composer(props: {
  draft: ComposerDraft;
  onDraft: ChangeDraft;
  /** Changes whenever the balance may have. */
  occasion: unknown;
  /** What stands in the conversation. */
  requests: readonly PageRequest[];
  onBalance: (balance: number | null) => void;
}) {
  const { operations, say } = useChat();
  const { draft, onDraft } = props;
  const { operation, values } = draft;
  const id = useId();
  const composer = useComposer(draft, onDraft, props.occasion, props.requests);
  const { places, open, problem, quote, set } = composer;
  useEffect(() => {
    if (quote) props.onBalance(quote.balance);
  }, [quote]);

  const fold = useFold(composer.form, isBegun(draft) ? draft : undefined);
  const pictures = places.pictures.filter(isPicture);
  const { fault } = composer;
  const way = problem && wayOut(problem.code);
  const submit = () => composer.submit(() => fold.setOpen(false));
  // Beside its field, where that can be seen; a text always shows its own.
  const inPlace =
    (open && places.options.some(({ name }) => name === problem?.field)) ||
    (problem === fault && places.texts.some(({ name }) => name === fault?.field));
  return (
    <form
      ref={composer.form}
      class={fold.folded ? "composer folded" : "composer"}
      aria-label={say("page.composer")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        // A key that is still held down from the button before spends nothing.
        if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
        if (!(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void submit();
      }}
    >
      {fold.low && (
        <button
          type="button"
          class="button fold-button"
          aria-expanded={!fold.folded}
          onClick={() => {
            fold.setOpen(fold.folded);
            if (fold.folded) composer.leadTo(places.texts[0]?.name);
          }}
        >
          <Icon name={fold.folded ? "edit" : "down"} />
          {say(foldLabel(fold.folded, isBegun(draft)))}
        </button>
      )}
      <DropZone fields={composer.fields} values={values} onChange={composer.change} />
      <div class="composer-head">
        {operations.length > 1 && <OperationPicker chosen={operation} onChoose={composer.choose} />}
        {draft.question !== undefined && (
          <p class="changing">
            <Icon name="edit" />
            {say("page.changing")}
            <button type="button" class="link" onClick={composer.clear}>
              {say("page.cancel")}
            </button>
          </p>
        )}
      </div>
      <Essentials key={composer.round} operation={operation} places={places} values={values} onValue={set} />
      {open && (
        <Options
          id={`${id}-options`}
          fields={places.options}
          values={values}
          problem={problem}
          onValue={set}
        />
      )}
      <Fault problem={inPlace ? undefined : problem} />
      <Actions actions={way && [way]} />
      <Agreement id={`${id}-agreement`} asked={composer.asked} />
      <div class="composer-bar">
        <ComposerTools
          operation={operation}
          places={places}
          values={values}
          onValue={set}
          open={open}
          optionsId={`${id}-options`}
          onToggle={() => composer.setOpen(!open)}
        />
        <GenerateBar
          missing={composer.missing}
          label={composer.label}
          agreementId={`${id}-agreement`}
          onePicture={pictures.length === 1}
          faulty={fault !== undefined}
          busy={composer.busy}
          quote={quote}
          stale={composer.stale}
        >
          {pictures[0] && !isGiven(values[pictures[0].name]) && (
            <SampleButton onMedia={composer.takeSample} />
          )}
        </GenerateBar>
      </div>
    </form>
  );
}

/** Whether anything of a request is there already. */
const isBegun = ({ values, question }: ComposerDraft) =>
  question !== undefined || Object.values(values).some(isGiven);

function foldLabel(folded: boolean, begun: boolean): MessageKey {
  if (!folded) return "page.composer.fold";
  return begun ? "page.composer.continue" : "page.composer";
}
