import type { ComponentChildren } from "preact";
import type { JobFile, JobStep } from "../../../../../src/seam/access/console.ts";
import { useDesk } from "../state/context.ts";
import { Covered } from "./Covered.tsx";
import { JobActions } from "./JobActions.tsx";
import { Person } from "./JobTable.tsx";
import { Facts } from "./Facts.tsx";
import { actText, atStart, named, stateText, timeText, withNames } from "./words.ts";

/** A job with all that is known of it. @param onChanged something was done with it */
export function JobFileView({ file, onChanged }: { file: JobFile; onChanged: () => void }) {
  const { say, locale, may } = useDesk();
  return (
    <article class="file" aria-label={file.id}>
      <section class="part">
        <h2>{`${named(say, "operation", file.operation)} · ${stateText(say, file.phase)}`}</h2>
        <Facts facts={factsOf(file)} />
      </section>
      {may("act-on-job") && <JobActions file={file} onDone={onChanged} />}
      <SettlementPart file={file} />
      <TimeLine steps={file.steps} />
      <Covered job={file.id} />
    </article>
  );

  function factsOf(job: JobFile): readonly (readonly [string, ComponentChildren])[] {
    return [
      [say("console.column.job"), job.id],
      [say("console.column.person"), <Person key={job.user} user={job.user} />],
      [say("console.fact.username"), job.username],
      [say("console.fact.platform"), atStart(locale, named(say, "platform", job.surface))],
      [say("console.fact.chat"), job.chat],
      [say("console.fact.request"), job.request],
      [say("console.column.state"), atStart(locale, stateText(say, job.state))],
      [say("console.fact.delivery"), atStart(locale, named(say, "console.delivery", job.delivery))],
      [say("console.fact.error"), job.error],
      [say("console.fact.attempts"), job.attempts === 0 ? null : job.attempts],
    ];
  }
}

/** What tells whether it was accepted and charged. */
function SettlementPart({ file: { settlement } }: { file: JobFile }) {
  const { say, locale } = useDesk();
  const { is, lostAt, serviceId, money, others } = settlement;
  const tokens = (amount: number | null | undefined) =>
    amount == null ? null : say("fact.tokens", { tokens: amount });
  return (
    <section class="part">
      <h2>{say("console.settlement")}</h2>
      <p>{say(`console.settlement.${is}`)}</p>
      <Facts
        facts={[
          [say("console.fact.service"), serviceId],
          [say("console.step.lost"), lostAt === null ? null : timeText(locale, lostAt)],
          [say("console.fact.before"), tokens(money?.before)],
          [say("console.fact.after"), tokens(money?.after)],
          [say("console.fact.cost"), tokens(money?.cost)],
          [say("console.fact.beside"), others],
        ]}
      />
    </section>
  );
}

/** Every step with its time, the oldest first. */
function TimeLine({ steps }: { steps: readonly JobStep[] }) {
  const desk = useDesk();
  const { say, locale } = desk;
  const saying = ({ from, what }: JobStep) =>
    from === "job" ? named(say, "console.step", what) : from === "audit" ? actText(say, what) : what;
  // What it came to is a state, and perhaps an error's code.
  const detailOf = ({ from, detail }: JobStep) =>
    from === "job"
      ? detail
          .split(" · ")
          .map((part) => named(say, "state", part))
          .join(" · ")
      : withNames(desk, detail);
  return (
    <section class="part">
      <h2>{say("console.timeline")}</h2>
      <ol class="timeline">
        {steps.map((step) => (
          <li key={`${step.at} ${step.from} ${step.what} ${step.detail}`}>
            <time dateTime={new Date(step.at).toISOString()}>{timeText(locale, step.at)}</time>
            <span class="from">{say(`console.from.${step.from}`)}</span>
            <span>
              <b>{atStart(locale, saying(step))}</b>
              {step.detail !== "" && <span class="detail">{` ${detailOf(step)}`}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
