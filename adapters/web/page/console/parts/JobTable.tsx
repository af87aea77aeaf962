import type { JobLine } from "../../../../../src/seam/access/console.ts";
import { useDesk } from "../state/context.ts";
import { linkTo } from "../state/place.ts";
import { type Column, Table } from "./Table.tsx";
import { atStart, named, personText, stateText, timeText } from "./words.ts";

/** Jobs, each with the way to all that is known of it. */
export function JobTable({ caption, jobs }: { caption: string; jobs: readonly JobLine[] }) {
  const { say, locale } = useDesk();
  const columns: Column<JobLine>[] = [
    { title: "console.column.job", cell: ({ id }) => <JobLink job={id} /> },
    { title: "console.column.operation", cell: ({ operation }) => named(say, "operation", operation) },
    { title: "console.column.person", cell: ({ user }) => <Person user={user} /> },
    {
      title: "console.column.state",
      cell: ({ phase, progress }) =>
        `${atStart(locale, stateText(say, phase))}${progress === null ? "" : ` · ${progress} %`}`,
    },
    { title: "console.column.asked", cell: ({ createdAt }) => timeText(locale, createdAt) },
  ];
  return <Table caption={caption} columns={columns} rows={jobs} keyOf={({ id }) => id} />;
}

/** A job, with the way to all that is known of it. */
export function JobLink({ job }: { job: string }) {
  const { may } = useDesk();
  return may("see-job") ? <a href={linkTo("job", job)}>{job}</a> : <>{job}</>;
}

/** Somebody, with the way to their jobs. */
export function Person({ user }: { user: string }) {
  const desk = useDesk();
  const name = personText(desk, user);
  return desk.may("see-job") ? <a href={linkTo("job", user)}>{name}</a> : <>{name}</>;
}
