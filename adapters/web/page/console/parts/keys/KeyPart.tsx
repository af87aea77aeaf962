import { useState } from "preact/hooks";
import { type KeyCard, type KeyState, OWN_KEY } from "../../../../../../src/seam/access/key-pool.ts";
import { useDesk } from "../../state/context.ts";
import { ConfirmedActions } from "../ConfirmedActions.tsx";
import { Facts } from "../Facts.tsx";
import { Gauge } from "../now/Gauge.tsx";
import { Outcome } from "../Outcome.tsx";
import { operatorText, timeText } from "../words.ts";
import { KeyEditor } from "./KeyEditor.tsx";
import { stateText, tierText } from "./key-words.ts";
import { useKeyChange } from "./useKeyChange.ts";

/** How a key's state looks; one that is as whoever runs Reelay wants it is neither. */
const LOOKS: Readonly<Record<KeyState, string>> = {
  in: "good",
  empty: "bad",
  refused: "bad",
  paused: "",
  removed: "",
  unreadable: "bad",
};

/** A key: how it stands, what it has to do, and what is to become of it for who may say that. */
export function KeyPart({ card, onChanged }: { card: KeyCard; onChanged: () => void }) {
  const desk = useDesk();
  const { say, may, locale } = desk;
  const [isOpen, setIsOpen] = useState(false);
  const { put, outcome, stale } = useKeyChange(card.name, onChanged);
  const { name, state, since, changed } = card;
  const press = (path: string) => () => put({ method: "POST", path, seen: card.version });
  const actions = [
    ...(state === "in" || state === "unreadable"
      ? []
      : [
          {
            id: "resume",
            label: say(state === "removed" ? "console.keys.back" : "console.keys.resume"),
            onDo: press("/resume"),
          },
        ]),
    ...(state === "paused" || state === "removed" || state === "unreadable"
      ? []
      : [
          {
            id: "pause",
            label: say("console.keys.pause"),
            asks: say("console.keys.pause.sure", { name }),
            onDo: press("/pause"),
          },
        ]),
    ...(name === OWN_KEY || state === "removed"
      ? []
      : [
          {
            id: "remove",
            label: say("console.keys.remove"),
            asks: say("console.keys.remove.sure", { name }),
            destroys: true,
            onDo: () => put({ method: "DELETE", seen: card.version }),
          },
        ]),
  ];
  return (
    <article class="rule key" aria-label={name}>
      <h2>{name}</h2>
      <p class={`standing ${LOOKS[state]}`}>
        <b>{stateText(say, card)}</b>{" "}
        <span class="hint">· {say("console.keys.since", { at: timeText(locale, since) })}</span>
      </p>
      {state === "unreadable" && <p class="hint">{say("keys.unreadable")}</p>}
      {name === OWN_KEY && <p class="hint">{say("console.keys.own")}</p>}
      <Facts
        facts={[
          [say("console.keys.weight"), card.weight],
          [say("console.keys.tier"), tierText(say, card.tier)],
          [
            say("console.keys.jobs"),
            say("console.keys.jobs.some", { jobs: card.jobs, sent: card.atService }),
          ],
          [
            say("console.keys.changed"),
            changed && `${timeText(locale, changed.at)} · ${operatorText(desk, changed.by)}`,
          ],
        ]}
      />
      <Limits card={card} />
      {may("manage-keys") && (
        <>
          {state !== "removed" && (
            <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
              <summary class="link">{say("console.rules.change")}</summary>
              {isOpen && <KeyEditor card={card} onChanged={onChanged} />}
            </details>
          )}
          <ConfirmedActions name={name} actions={actions} />
          {stale !== undefined && (
            <p class="fault" role="alert">
              {stale}
            </p>
          )}
          <Outcome {...outcome} />
        </>
      )}
    </article>
  );
}

/** How much of each published limit the key has taken. */
function Limits({ card: { windows } }: { card: KeyCard }) {
  const { say } = useDesk();
  const most = Math.max(0, ...windows.map(({ used, limit }) => used / limit));
  return (
    <details>
      <summary class="link">{say("console.keys.limits", { percent: Math.round(100 * most) })}</summary>
      <ul class="gauges">
        {windows.map(({ group, used, limit }) => (
          <Gauge key={group} name={group} used={used} limit={limit} />
        ))}
      </ul>
    </details>
  );
}
