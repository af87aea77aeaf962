import { useEffect, useRef, useState } from "preact/hooks";
import { messageKey, type Translate } from "../../../../src/common/i18n.ts";
import type {
  Finding,
  SetupField,
  SetupOutcome,
  SetupState,
  SetupStep,
} from "../../../../src/seam/surface/setup.ts";
import { API } from "./api.ts";
import { Findings } from "./Findings.tsx";
import { SettingField } from "./SettingField.tsx";
import { TestMessage } from "./TestMessage.tsx";

/** Where what is entered comes from. */
const SOURCES: Partial<Record<SetupStep, string>> = {
  telegram: "https://t.me/BotFather",
  discord: "https://discord.com/developers/applications",
  whatsapp: "https://developers.facebook.com/apps",
};

/** One step: what to do, what is set, and what the checks say of it. */
export function Step(props: {
  say: Translate;
  step: SetupStep;
  state: SetupState;
  onChanged: () => Promise<void>;
}) {
  const { say, step, state, onChanged } = props;
  const fields = state.steps[step];
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<SetupOutcome>();
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [isLost, setIsLost] = useState(false);
  const source = SOURCES[step];

  async function busily(work: () => Promise<void>) {
    setIsBusy(true);
    setIsLost(false);
    try {
      await work();
    } catch {
      // Whoever may not ask any more is told why, and everybody else sees what is set by now.
      await onChanged();
      setOutcome(undefined);
      setIsLost(true);
    } finally {
      setIsBusy(false);
    }
  }
  const save = (values: Record<string, string | null>, anyway = false) =>
    busily(async () => {
      const { revision } = state;
      const said = await API.save(step, { revision, values, anyway });
      // Before it is said that it is in force, it is asked whether it is.
      if (said.outcome !== "refused") await onChanged();
      setOutcome(said);
      setFindings(said.findings);
      // What was refused is not kept anywhere, nor here.
      for (const name of Object.keys(said.wrong)) clear(form.current, fields, name);
    });
  const look = () => busily(async () => setFindings(await API.look(step)));
  const isInForce = state.inForce === "all" && outcome?.outcome === "saved";
  // What its platform shows by now.
  useEffect(() => {
    if (isInForce) void look();
  }, [isInForce]);

  return (
    <form
      ref={form}
      class="setup-card"
      onSubmit={(event) => {
        event.preventDefault();
        void save(valuesIn(event.currentTarget, fields));
      }}
    >
      <h2>{say(`setup.step.${step}`)}</h2>
      <p>{say(`setup.intro.${step}`)}</p>
      {source && (
        <p>
          <a class="link" href={source} target="_blank" rel="noreferrer">
            {say(messageKey(`setup.source.${step}`))}
          </a>
        </p>
      )}
      {fields.map((field) => (
        <SettingField
          key={`${field.name} ${state.revision}`}
          say={say}
          field={field}
          wrong={outcome?.wrong[field.name]}
          onRemove={() => void save({ [field.name]: null })}
        />
      ))}
      <Findings say={say} findings={findings} />
      {outcome && (
        <p class={`setup-outcome ${outcome.outcome}`} role="status">
          {say(saidOf(outcome, state))}
        </p>
      )}
      {isLost && (
        <p class="setup-outcome" role="alert">
          {say("setup.unanswered")}
        </p>
      )}
      <div class="setup-buttons">
        <button class="button primary" type="submit" disabled={isBusy || fields.every((one) => one.isLocked)}>
          {say("setup.save")}
        </button>
        {outcome?.mayAnyway && (
          <button
            type="button"
            class="button"
            disabled={isBusy}
            onClick={() => form.current && void save(valuesIn(form.current, fields), true)}
          >
            {say("setup.anyway")}
          </button>
        )}
        {fields.some(({ isSet }) => isSet) && (
          <button type="button" class="button" disabled={isBusy} onClick={() => void look()}>
            {say("setup.look")}
          </button>
        )}
        {isBusy && <span class="spinner" role="status" aria-label={say("setup.checking")} />}
      </div>
      {step === "discord" && fields.some((one) => one.kind === "secret" && one.isSet) && (
        <TestMessage say={say} onLost={onChanged} />
      )}
    </form>
  );
}

function saidOf({ outcome }: SetupOutcome, { inForce }: SetupState) {
  if (outcome !== "saved") return `setup.${outcome}` as const;
  return `setup.saved.${inForce}` as const;
}

/** What stands in the fields that can be changed. */
function valuesIn(form: HTMLFormElement, fields: readonly SetupField[]): Record<string, string> {
  const data = new FormData(form);
  return Object.fromEntries(
    fields.flatMap(({ name, isLocked }) => {
      const value = data.get(name);
      return isLocked || typeof value !== "string" ? [] : [[name, value.trim()]];
    }),
  );
}

function clear(form: HTMLFormElement | null, fields: readonly SetupField[], name: string): void {
  if (fields.find((field) => field.name === name)?.kind !== "secret") return;
  const box = form?.elements.namedItem(name);
  if (box instanceof HTMLInputElement) box.value = "";
}
