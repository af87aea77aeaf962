import { useEffect } from "preact/hooks";
import type { KeyCard } from "../../../../../src/seam/access/key-pool.ts";
import { Fault } from "../parts/Fault.tsx";
import { KeyPart } from "../parts/keys/KeyPart.tsx";
import { NewKey } from "../parts/keys/NewKey.tsx";
import { useDesk } from "../state/context.ts";
import { useShown } from "../state/useShown.ts";

/** How often it is looked how they stand, in milliseconds. */
const LOOK_MS = 5_000;

/** The keys that pay for those who have connected none: how each stands, and what is to become of it. */
export function KeysView() {
  const { ask, say, may, session } = useDesk();
  const { value: cards, problem, again } = useShown(() => ask<readonly KeyCard[]>("keys"));
  useEffect(() => {
    const look = setInterval(() => document.hidden || again(), LOOK_MS);
    return () => clearInterval(look);
  }, []);
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
