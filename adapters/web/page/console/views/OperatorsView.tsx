import { useState } from "preact/hooks";
import { type OperatorRole, TERMINAL_OWNER } from "../../../../../src/seam/access/operators.ts";
import type { OperatorLinkShown, OperatorsShown } from "../../../console/people-wire.ts";
import { posting } from "../../src/state/ask.ts";
import { Fault } from "../parts/Fault.tsx";
import { OperatorCard } from "../parts/OperatorCard.tsx";
import { Outcome } from "../parts/Outcome.tsx";
import { RoleField } from "../parts/RoleField.tsx";
import { ShownOnce } from "../parts/ShownOnce.tsx";
import { useDesk } from "../state/context.ts";
import { useChange } from "../state/useChange.ts";
import { useShown } from "../state/useShown.ts";

/** Who runs Reelay, for those who may say that; and for everybody a way in on another device. */
export function OperatorsView() {
  const { session, may } = useDesk();
  return (
    <>
      {/* Whoever has the terminal gets theirs there. */}
      {session.operator !== TERMINAL_OWNER && <OwnDevice />}
      {may("manage-operators") && <Everybody />}
    </>
  );
}

function OwnDevice() {
  const { ask, say } = useDesk();
  const [link, setLink] = useState<string>();
  const { busy, change, outcome } = useChange(() => {});
  const make = () =>
    change(async () => setLink((await ask<OperatorLinkShown>("own-link", posting({}))).address));
  return (
    <section class="part">
      <h2>{say("console.operators.own")}</h2>
      <p>{say("console.operators.own.hint")}</p>
      <div class="actions">
        <button type="button" class="button" disabled={busy} onClick={make}>
          {say("console.operators.link")}
        </button>
      </div>
      <Outcome {...outcome} />
      {link !== undefined && <ShownOnce key={link} text={link} about={say("operator.link.once")} />}
    </section>
  );
}

function Everybody() {
  const { ask, say } = useDesk();
  const { value, problem, again } = useShown(() => ask<OperatorsShown>("operators"));
  return (
    <>
      <Invitation onInvited={again} />
      <Fault problem={problem} />
      {!value && !problem && <p class="hint">{say("page.opening")}</p>}
      {value?.operators.map((operator) => (
        <OperatorCard
          key={operator.id}
          operator={operator}
          isYou={operator.id === value.you.id}
          onChanged={again}
        />
      ))}
    </>
  );
}

function Invitation({ onInvited }: { onInvited: () => void }) {
  const { ask, say } = useDesk();
  const [role, setRole] = useState<OperatorRole>("viewer");
  const [link, setLink] = useState<string>();
  const { busy, change, outcome } = useChange(onInvited);
  const invite = () =>
    change(async () => setLink((await ask<OperatorLinkShown>("operators", posting({ role }))).address));
  return (
    <section class="part">
      <h2>{say("console.operators.invite")}</h2>
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault();
          invite();
        }}
      >
        <RoleField value={role} onChoose={setRole} />
        <button type="submit" class="button primary" disabled={busy}>
          {say("console.operators.link")}
        </button>
      </form>
      <Outcome {...outcome} />
      {link !== undefined && <ShownOnce key={link} text={link} about={say("operator.link.once")} />}
    </section>
  );
}
