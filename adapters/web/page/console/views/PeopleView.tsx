import { useState } from "preact/hooks";
import type { ReportedResult } from "../../../../../src/seam/access/people-desk.ts";
import type { PeopleShown } from "../../../console/people-wire.ts";
import { BlockList } from "../parts/BlockList.tsx";
import { Fault } from "../parts/Fault.tsx";
import { Finder } from "../parts/Finder.tsx";
import { Outcome } from "../parts/Outcome.tsx";
import { PersonPart } from "../parts/PersonPart.tsx";
import { ReportCard } from "../parts/ReportCard.tsx";
import { useDesk } from "../state/context.ts";
import { useShown } from "../state/useShown.ts";
import { useSought } from "../state/useSought.ts";

/** People: one who was looked up, what was reported, and who is kept out. @param what who is looked up */
export function PeopleView({ what }: { what: string }) {
  const { ask, say } = useDesk();
  /** How many pages of reports are shown. */
  const [pages, setPages] = useState(1);

  async function read(): Promise<PeopleShown> {
    let shown = await ask<PeopleShown>("people");
    for (let page = 1; page < pages && shown.before !== null; page++) {
      const older = await ask<PeopleShown>(`people?before=${encodeURIComponent(shown.before)}`);
      shown = { ...older, reports: [...shown.reports, ...older.reports] };
    }
    return shown;
  }
  const { value, problem, again } = useShown(read, [pages]);
  const { sought, seek } = useSought("people", what);

  return (
    <>
      <Finder sought={sought} hint={say("console.people.who")} onSeek={seek} onAgain={again} />
      <Fault problem={problem} />
      {!value && !problem && <p class="hint">{say("page.opening")}</p>}
      {value && sought !== "" && <PersonPart key={sought} user={sought} shown={value} onChanged={again} />}
      {value && (
        <Reports
          reports={value.reports}
          onChanged={again}
          onOlder={value.before === null ? undefined : () => setPages(pages + 1)}
        />
      )}
      {value && <BlockList blocks={value.blocks} onChanged={again} />}
    </>
  );
}

function Reports(props: {
  reports: readonly ReportedResult[];
  onChanged: () => void;
  onOlder: (() => void) | undefined;
}) {
  const { say } = useDesk();
  const { reports, onChanged, onOlder } = props;
  const [isDecided, setIsDecided] = useState(false);
  return (
    <section class="part">
      <h2>{say("console.people.reports")}</h2>
      <Outcome done={isDecided ? "console.done" : undefined} />
      {reports.length === 0 && <p class="hint">{say("console.people.reports.none")}</p>}
      <ul class="rows">
        {reports.map((report) => (
          <li key={report.job}>
            <ReportCard report={report} onDecided={() => setIsDecided(true)} onChanged={onChanged} />
          </li>
        ))}
      </ul>
      {onOlder && (
        <div class="actions">
          <button type="button" class="button" onClick={onOlder}>
            {say("console.older")}
          </button>
        </div>
      )}
    </section>
  );
}
