import { useState } from "preact/hooks";
import { ACTS } from "../../../../../src/seam/access/audit.ts";
import type { ConsoleLine, ConsoleLog } from "../../../console/wire.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { saveFrom } from "../state/save.ts";
import { Fault } from "../parts/Fault.tsx";
import { JobLink, Person } from "../parts/JobTable.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { actText, atStart, timeText, withNames } from "../parts/words.ts";
import { useLoaded } from "../state/useLoaded.ts";
import { useTask } from "../state/useTask.ts";

/** What is sought; "" where it does not matter. */
interface Sought {
  readonly user: string;
  readonly job: string;
  readonly act: string;
}

const EVERYTHING: Sought = { user: "", job: "", act: "" };

/** The audit: searched, the latest first, and as CSV. */
export function LogView() {
  const desk = useDesk();
  const { ask, say, locale } = desk;
  const [sought, setSought] = useState(EVERYTHING);
  const { value: first, problem } = useLoaded(
    () => ask<ConsoleLog>("log", posting(sought), "read_lost"),
    [sought],
  );
  /** Pages behind the first one, of what was sought then. */
  const [more, setMore] = useState<{ of: Sought; pages: readonly ConsoleLog[] }>();
  const older = useTask();
  const saving = useTask();
  const behind = more?.of === sought ? more.pages : [];
  const pages = first ? [first, ...behind] : [];
  const before = pages.at(-1)?.before ?? null;

  const save = () => saving.run(() => saveFrom(desk, "log.csv", "reelay-log.csv", posting(sought)));
  const readOlder = () =>
    older.run(async () => {
      const further = posting({ ...sought, ...(before !== null && { before }) });
      const page = await ask<ConsoleLog>("log", further, "asked_lost");
      setMore({ of: sought, pages: [...behind, page] });
    });

  const columns: Column<ConsoleLine>[] = [
    { title: "console.column.time", cell: ({ at }) => timeText(locale, at) },
    { title: "console.column.act", cell: ({ act }) => atStart(locale, actText(say, act)) },
    { title: "console.column.who", cell: ({ user }) => (user === null ? "–" : <Person user={user} />) },
    { title: "console.column.job", cell: ({ job }) => (job === null ? "–" : <JobLink job={job} />) },
    {
      title: "console.column.rule",
      cell: ({ rule, note }) =>
        [rule === null ? null : withNames(desk, rule), note].filter((part) => part !== null).join(" · ") ||
        "–",
    },
  ];
  return (
    <>
      <Seeker onSeek={setSought} />
      <p>
        <button type="button" class="button" disabled={saving.busy} onClick={save}>
          {say("console.csv")}
        </button>
      </p>
      <Fault problem={saving.problem} />
      <Fault problem={problem} />
      {first && (
        <Table
          caption={say("console.lines")}
          columns={columns}
          rows={pages.flatMap(({ lines }) => lines)}
          keyOf={({ id }) => id}
        />
      )}
      {before !== null && (
        <button type="button" class="button" disabled={older.busy} onClick={readOlder}>
          {say("console.older")}
        </button>
      )}
      <Fault problem={older.problem} />
      <LogLines />
    </>
  );
}

/** Lines of the log of the process that answers: searched where something is to be found out about a request. */
function LogLines() {
  const { ask, say } = useDesk();
  const [sought, setSought] = useState("");
  const [lines, setLines] = useState<readonly string[]>([]);
  const { busy, problem, run } = useTask();
  const read = () =>
    run(async () => setLines(await ask("lines", posting({ of: sought.trim() }), "asked_lost")));
  return (
    <section class="part">
      <h2>{say("console.log_lines")}</h2>
      <form
        class="finder"
        role="search"
        aria-label={say("console.log_lines")}
        onSubmit={(event) => {
          event.preventDefault();
          read();
        }}
      >
        <label class="field">
          <span class="field-label">{say("console.find")}</span>
          <input type="search" value={sought} onInput={(event) => setSought(event.currentTarget.value)} />
          <span class="hint">{say("console.log_lines.hint")}</span>
        </label>
        <button type="submit" class="button" disabled={busy}>
          {say("console.find.submit")}
        </button>
      </form>
      <Fault problem={problem} />
      {lines.length > 0 && <pre tabIndex={0}>{lines.join("")}</pre>}
    </section>
  );
}

function Seeker({ onSeek }: { onSeek: (sought: Sought) => void }) {
  const { say, locale } = useDesk();
  const [sought, setSought] = useState(EVERYTHING);
  const change = (part: Partial<Sought>) => setSought({ ...sought, ...part });
  return (
    <form
      class="finder"
      role="search"
      aria-label={say("console.lines")}
      onSubmit={(event) => {
        event.preventDefault();
        onSeek({ ...sought });
      }}
    >
      <label class="field">
        <span class="field-label">{say("console.column.who")}</span>
        <input
          type="search"
          value={sought.user}
          onInput={(event) => change({ user: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        <span class="field-label">{say("console.column.job")}</span>
        <input
          type="search"
          value={sought.job}
          onInput={(event) => change({ job: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        <span class="field-label">{say("console.column.act")}</span>
        <select value={sought.act} onChange={(event) => change({ act: event.currentTarget.value })}>
          <option value="">{say("console.any")}</option>
          {ACTS.map((act) => (
            <option key={act} value={act}>
              {atStart(locale, actText(say, act))}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="button primary">
        {say("console.find.submit")}
      </button>
    </form>
  );
}
