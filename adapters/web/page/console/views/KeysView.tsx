import { useEffect } from "preact/hooks";
import type { KeyCard } from "../../../../../src/seam/access/key-pool.ts";
import { Fault } from "../parts/Fault.tsx";
import { KeyPart } from "../parts/keys/KeyPart.tsx";
import { NewKey } from "../parts/keys/NewKey.tsx";
import { useDesk } from "../state/context.ts";
import { useShown } from "../state/useShown.ts";

/** How long after it was read how they stand it is looked again, in milliseconds. */
const LOOK_MS = 5_000;

/** The keys that pay for those who have connected none: how each stands, and what is to become of it. */
export function KeysView() {
  const { ask, say, may, session } = useDesk();
  const { value: cards, problem, again } = useShown(() => ask<readonly KeyCard[]>("keys"));
  // Not while it is being read: where an answer takes longer than that, none would ever be shown.
  useEffect(() => {
    if (!cards && !problem) return undefined;
    let look: ReturnType<typeof setTimeout>;
    const wait = () => {
      look = setTimeout(() => (document.hidden ? wait() : again()), LOOK_MS);
    };
    wait();
    return () => clearTimeout(look);
  }, [cards, problem]);
  return (
    <>
      <p class="hint">{say("console.keys.intro")}</p>
      <Fault problem={problem} />
      {!cards && !problem && <p class="hint">{say("page.opening")}</p>}
      {cards?.length === 0 && (
        <p class="hint">{say(session.sandbox ? "console.keys.sandbox" : "console.keys.none")}</p>
      )}
      {cards && cards.length > 0 && (
        <ul class="rules">
          {cards.map((card) => (
            <li key={card.name}>
              <KeyPart card={card} onChanged={again} />
            </li>
          ))}
        </ul>
      )}
      {cards && may("manage-keys") && !session.sandbox && <NewKey onAdded={again} />}
    </>
  );
}
