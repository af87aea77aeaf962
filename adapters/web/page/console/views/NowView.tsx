import { useEffect, useState } from "preact/hooks";
import type { Translate } from "../../../../../src/common/i18n.ts";
import type { FullWindow, Now, OpenKind, OpenPerson } from "../../../../../src/seam/access/console.ts";
import { followEvents } from "../../src/state/events.ts";
import { CONSOLE_API, useDesk } from "../state/context.ts";
import { eachFrame } from "../state/each-frame.ts";
import { Alerts } from "../parts/now/Alerts.tsx";
import { Gauge } from "../parts/now/Gauge.tsx";
import { HealthPart } from "../parts/Health.tsx";
import { JobTable, Person } from "../parts/JobTable.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { atStart, named, stateText } from "../parts/words.ts";

/** What is going on now; it follows by itself. */
export function NowView() {
  const { say, locale, stillIn } = useDesk();
  const [now, setNow] = useState<Now>();
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const { hear, stop } = eachFrame(setNow);
    const leave = followEvents(
      `${CONSOLE_API}/now/events`,
      ["now"],
      (_event, data) => {
        hear(data as Now);
        setConnected(true);
      },
      (isRefused) => {
        setConnected(false);
        if (isRefused) stillIn();
      },
    );
    return () => {
      leave();
      stop();
    };
  }, []);
  if (!now) return <p class="hint">{say(connected ? "page.opening" : "page.reconnecting")}</p>;

  const oldest = now.kinds
    .filter(({ place }) => place === "queued")
    .reduce((most, { oldestMs }) => Math.max(most, oldestMs), 0);
  const kinds: Column<OpenKind>[] = [
    { title: "console.column.operation", cell: ({ operation }) => named(say, "operation", operation) },
    { title: "console.column.state", cell: ({ place }) => atStart(locale, stateText(say, place)) },
    { title: "console.column.count", isNumber: true, cell: ({ count }) => count },
    {
      title: "console.column.oldest",
      isNumber: true,
      cell: ({ oldestMs }) => say("console.span", { ms: oldestMs }),
    },
  ];
  const people: Column<OpenPerson>[] = [
    { title: "console.column.person", cell: ({ user }) => <Person user={user} /> },
    { title: "console.column.queued", isNumber: true, cell: ({ queued }) => queued },
    { title: "console.column.others", isNumber: true, cell: ({ others }) => others },
    {
      title: "console.column.oldest",
      isNumber: true,
      cell: ({ oldestMs }) => say("console.span", { ms: oldestMs }),
    },
  ];
  return (
    <>
      {!connected && (
        <p class="offline" role="status">
          {say("page.reconnecting")}
        </p>
      )}
      <Alerts alerts={now.alerts} />
      <HealthPart health={now.health} />
      <section class="part">
        <h2>{say("console.limits")}</h2>
        <ul class="gauges">
          {now.limits.map((window) => (
            <Gauge key={`${window.scope} ${window.group}`} name={nameOf(say, window)} {...window} />
          ))}
        </ul>
      </section>
      <p class="oldest">{say("console.oldest", { ms: oldest })}</p>
      <Table
        caption={say("console.kinds")}
        columns={kinds}
        rows={now.kinds}
        keyOf={({ operation, place }) => `${operation} ${place}`}
      />
      <Table caption={say("console.people")} columns={people} rows={now.people} keyOf={({ user }) => user} />
      {now.morePeople > 0 && <p class="hint">{say("console.people.more", { number: now.morePeople })}</p>}
      <JobTable caption={say("console.running")} jobs={now.running} />
    </>
  );
}

/** Whose window of which published rate it is. */
function nameOf(say: Translate, { scope, group }: FullWindow): string {
  const whose =
    scope === "key"
      ? say("console.scope.key")
      : say("console.scope.egress", { name: scope.slice("egress:".length) });
  return `${say(`console.rate.${group}`)} · ${whose}`;
}
