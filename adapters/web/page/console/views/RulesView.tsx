import { useEffect } from "preact/hooks";
import type { RulesState } from "../../../../../src/seam/surface/rules.ts";
import { Fault } from "../parts/Fault.tsx";
import { RuleCard } from "../parts/rules/RuleCard.tsx";
import { useDesk } from "../state/context.ts";
import { useShown } from "../state/useShown.ts";

/** How long until it is looked whether a change is in force, in milliseconds. */
const LOOK_MS = 1_000;

/** By which rules Reelay runs: who set each, what it was, and what it is to be instead. */
export function RulesView() {
  const { ask, say } = useDesk();
  const { value, problem, again } = useShown(() => ask<RulesState>("rules"));
  useEffect(() => {
    const look = value?.inForce === "soon" ? setTimeout(again, LOOK_MS) : undefined;
    return () => clearTimeout(look);
  }, [value]);
  return (
    <>
      <p class="hint">{say("console.rules.intro")}</p>
      <Fault problem={problem} />
      {!value && !problem && <p class="hint">{say("page.opening")}</p>}
      {value && value.inForce !== "all" && (
        <p class="offline" role="status">
          {say(`setup.done.${value.inForce}`)}
        </p>
      )}
      {value?.groups.map(({ id, rules }) => (
        <section key={id} class="part">
          <h2>{say(`console.rules.group.${id}`)}</h2>
          <ul class="rules">
            {rules.map((rule) => (
              <li key={rule.name}>
                <RuleCard rule={rule} onChanged={again} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
