import { useState } from "preact/hooks";
import {
  type OperatorEntry,
  type OperatorRole,
  TERMINAL_OWNER,
} from "../../../../../src/seam/access/operators.ts";
import type { OperatorLinkShown } from "../../../console/people-wire.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { useChange } from "../state/useChange.ts";
import { ConfirmedActions } from "./ConfirmedActions.tsx";
import { Outcome } from "./Outcome.tsx";
import { RoleField } from "./RoleField.tsx";
import { ShownOnce } from "./ShownOnce.tsx";

/** One of those who run Reelay, and what can be done about them. @param isYou whether they look at themselves */
export function OperatorCard(props: { operator: OperatorEntry; isYou: boolean; onChanged: () => void }) {
  const { say } = useDesk();
  const { operator, isYou, onChanged } = props;
  const { id, name, role, seenAt, linkUntil, removedAt } = operator;
  const called = id === TERMINAL_OWNER ? say("operator.terminal") : (name ?? say("operator.not_in"));
  const facts = [
    id,
    say(`console.role.${role}`),
    seenAt !== null && say("operator.seen", { at: seenAt }),
    linkUntil !== null && say("operator.link.until", { at: linkUntil }),
    removedAt !== null && say("operator.gone", { at: removedAt }),
  ];
  return (
    <article class="part" aria-label={called}>
      <h2>{isYou ? `${called} (${say("console.operators.you")})` : called}</h2>
      <p class="hint">{facts.filter((fact) => fact !== false).join(" · ")}</p>
      {id !== TERMINAL_OWNER && removedAt === null && (
        <Management operator={operator} called={called} onChanged={onChanged} />
      )}
    </article>
  );
}

function Management(props: { operator: OperatorEntry; called: string; onChanged: () => void }) {
  const { ask, say } = useDesk();
  const { operator, called, onChanged } = props;
  const { id, role } = operator;
  /** Another role than they have. */
  const [other, setOther] = useState<OperatorRole>();
  const chosen = other ?? role;
  const [link, setLink] = useState<string>();
  const { change, outcome } = useChange(onChanged);
  const path = `operators/${encodeURIComponent(id)}`;
  const roleAction = {
    id: "role",
    label: say("console.operators.role.change"),
    asks: say("console.operators.role.sure", { name: called, role: say(`console.role.${chosen}`) }),
    onDo: () =>
      change(async () => {
        await ask(`${path}/role`, posting({ from: role, to: chosen }));
        setOther(undefined);
      }),
  };
  return (
    <>
      <RoleField value={chosen} onChoose={setOther} />
      <ConfirmedActions
        name={called}
        actions={[
          ...(chosen === role ? [] : [roleAction]),
          {
            id: "link",
            label: say("console.operators.link"),
            onDo: () =>
              change(async () =>
                setLink((await ask<OperatorLinkShown>(`${path}/link`, posting({}))).address),
              ),
          },
          {
            id: "sign_out",
            label: say("console.operators.sign_out"),
            asks: say("console.operators.sign_out.sure", { name: called }),
            destroys: true,
            onDo: () =>
              change(() => ask(`${path}/sessions`, { method: "DELETE" }), "console.operators.signed_out"),
          },
          {
            id: "remove",
            label: say("console.operators.remove"),
            asks: say("operator.remove.sure", { name: called }),
            destroys: true,
            onDo: () => change(() => ask(path, { method: "DELETE" })),
          },
        ]}
      />
      <Outcome {...outcome} />
      {link !== undefined && <ShownOnce key={link} text={link} about={say("operator.link.once")} />}
    </>
  );
}
