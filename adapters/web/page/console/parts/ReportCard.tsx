import { type ReportedResult, reportState } from "../../../../../src/seam/access/people-desk.ts";
import { say as sayMessage } from "../../../../../src/seam/text/say.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { linkTo } from "../state/place.ts";
import { useChange } from "../state/useChange.ts";
import { blockingOf } from "./blocking.ts";
import { Cover } from "./Covered.tsx";
import { ConfirmedActions } from "./ConfirmedActions.tsx";
import { Facts } from "./Facts.tsx";
import { Fault } from "./Fault.tsx";
import { JobLink } from "./JobTable.tsx";
import { named, personText, timeText } from "./words.ts";

/** A reported result: what is known of it, what can be decided, and its words and picture, covered. */
export function ReportCard(props: {
  report: ReportedResult;
  /** What was to be done is done: the report may be none of those that wait any more. */
  onDecided: () => void;
  onChanged: () => void;
}) {
  const desk = useDesk();
  const { ask, say, locale, may } = desk;
  const { report, onDecided, onChanged } = props;
  const { job, operation, user, chat, createdAt, state, at, by, measures, isBlocked } = report;
  const { change, outcome } = useChange(onChanged);
  const decide = (path: string, decision: object) =>
    change(async () => {
      await ask(path, posting(decision));
      onDecided();
    });
  const decisions = measures.map((measure) => ({
    id: measure,
    label: say(`action.${measure}`),
    asks: measure === "withhold" ? say("console.people.withhold.sure") : undefined,
    destroys: measure === "withhold",
    onDo: () => decide(`reports/${encodeURIComponent(job)}`, { measure, seen: state }),
  }));
  const block = blockingOf(say, user, () => decide("blocks", { subject: user, reason: `report ${job}` }));
  const actions = [
    ...(may("decide-report") ? decisions : []),
    ...(may("manage-people") && !isBlocked ? [block] : []),
  ];
  return (
    <article class="file" aria-label={job}>
      <p>
        <b>{sayMessage(say, reportState(report))}</b>
      </p>
      <Facts
        facts={[
          [say("report.what"), named(say, "operation", operation)],
          [say("console.column.job"), <JobLink key={job} job={job} />],
          [
            say("report.whose"),
            <a key={user} href={linkTo("people", user)}>
              {personText(desk, user)}
            </a>,
          ],
          [say("report.blocked"), isBlocked ? say("fact.yes") : null],
          [say("report.where"), chat],
          [say("report.when"), timeText(locale, createdAt)],
          [say("report.by"), by === null ? null : `${personText(desk, by)} · ${timeText(locale, at)}`],
        ]}
      />
      {actions.length > 0 && <ConfirmedActions name={job} actions={actions} />}
      <Fault problem={outcome.problem} />
      <Cover job={job} />
    </article>
  );
}
