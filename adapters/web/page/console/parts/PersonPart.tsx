import type { PeopleShown, ShownPerson } from "../../../console/people-wire.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { linkTo } from "../state/place.ts";
import { useChange } from "../state/useChange.ts";
import { useLoaded } from "../state/useLoaded.ts";
import { blockingOf } from "./blocking.ts";
import { Budgets } from "./Budgets.tsx";
import { ConfirmedActions } from "./ConfirmedActions.tsx";
import { Facts } from "./Facts.tsx";
import { Fault } from "./Fault.tsx";
import { Outcome } from "./Outcome.tsx";
import { personText, timeText } from "./words.ts";

/** What is known of somebody, without what they write and make. @param shown read anew, so is this */
export function PersonPart(props: { user: string; shown: PeopleShown; onChanged: () => void }) {
  const { ask } = useDesk();
  const { user, shown, onChanged } = props;
  const { value: card, problem } = useLoaded(
    () => ask<ShownPerson>("people/one", posting({ of: user }), "read_lost"),
    [shown],
  );
  return (
    <>
      <Fault problem={problem} />
      {card && <PersonCard card={card} onChanged={onChanged} />}
    </>
  );
}

function PersonCard({ card, onChanged }: { card: ShownPerson; onChanged: () => void }) {
  const desk = useDesk();
  const { ask, say, locale, may } = desk;
  const { user, isBlocked, statements, today, dailyCap, going, atOnce, budgets, jobs, tokens } = card;
  const { change, outcome } = useChange(onChanged);
  const counted = (used: number, limit: number | null) =>
    limit === null ? used : say("console.share", { used, limit });
  const stated = statements.map(({ name, at, stands }) =>
    [
      say(`privacy.statement.${name}`),
      timeText(locale, at),
      ...(stands ? [] : [say("console.people.stated.old")]),
    ].join(", "),
  );
  const block = blockingOf(say, user, () => change(() => ask("blocks", posting({ subject: user }))));
  return (
    <section class="part">
      <h2>{personText(desk, user)}</h2>
      <Facts
        facts={[
          [say("report.blocked"), say(isBlocked ? "fact.yes" : "fact.no")],
          [say("console.people.today"), counted(today, dailyCap)],
          [say("console.people.going"), counted(going, atOnce)],
          [
            say("console.people.made"),
            tokens === null ? say("fact.number", { count: jobs }) : say("privacy.sums_of", { jobs, tokens }),
          ],
          [
            say("console.people.stated"),
            stated.length === 0 ? say("console.people.stated.none") : stated.join(" · "),
          ],
        ]}
      />
      {budgets !== null && <Budgets budgets={budgets} />}
      {may("see-job") && (
        <p>
          <a href={linkTo("job", user)}>{say("console.people.jobs")}</a>
        </p>
      )}
      {may("manage-people") && !isBlocked && <ConfirmedActions name={user} actions={[block]} />}
      <Outcome {...outcome} />
    </section>
  );
}
