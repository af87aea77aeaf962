import { useState } from "preact/hooks";
import type { Translate } from "../../../../src/common/i18n.ts";
import { SETUP_STEPS, type SetupState, type SetupStep } from "../../../../src/seam/surface/setup.ts";
import { Done } from "./Done.tsx";
import { Step } from "./Step.tsx";

type Place = SetupStep | "done";

const PLACES: readonly Place[] = [...SETUP_STEPS, "done"];

/** One step after the other; each can be gone to at any time. */
export function Wizard(props: {
  say: Translate;
  state: SetupState;
  /** Reads the state anew. */
  onChanged: () => Promise<void>;
}) {
  const { say, state, onChanged } = props;
  const [place, setPlace] = useState<Place>("service");
  const next = PLACES[PLACES.indexOf(place) + 1];
  return (
    <>
      <p class="setup-lead">{say("setup.lead")}</p>
      <nav aria-label={say("setup.steps")}>
        <ol class="setup-steps">
          {PLACES.map((one) => (
            <li key={one}>
              <button
                type="button"
                class="setup-step"
                aria-current={one === place ? "step" : undefined}
                onClick={() => setPlace(one)}
              >
                {say(`setup.step.${one}`)}
                {one !== "done" && isSetUp(state, one) && <span class="setup-tick"> ✓</span>}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {place === "done" ? (
        <Done say={say} state={state} />
      ) : (
        <Step key={place} say={say} step={place} state={state} onChanged={onChanged} />
      )}
      {next && (
        <p class="setup-next">
          <button type="button" class="link" onClick={() => setPlace(next)}>
            {say("setup.next", { step: say(`setup.step.${next}`) })}
          </button>
        </p>
      )}
    </>
  );
}

const isSetUp = ({ steps }: SetupState, step: SetupStep) => steps[step].some(({ isSet }) => isSet);
