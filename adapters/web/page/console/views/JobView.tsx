import { useState } from "preact/hooks";
import type { JobFile, JobLine } from "../../../../../src/seam/access/console.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { Fault } from "../parts/Fault.tsx";
import { Finder } from "../parts/Finder.tsx";
import { JobFileView } from "../parts/JobFileView.tsx";
import { JobTable } from "../parts/JobTable.tsx";
import { useLoaded } from "../state/useLoaded.ts";
import { useSought } from "../state/useSought.ts";

/** What was found: one job with all that is known of it, or several to choose from. */
type Found = { readonly of: string } & ({ readonly file: JobFile } | { readonly jobs: readonly JobLine[] });

/** Finds jobs, and shows one. */
export function JobView({ what }: { what: string }) {
  const { ask, say } = useDesk();
  const [turn, setTurn] = useState(0);
  const again = () => setTurn((before) => before + 1);
  const { sought, seek } = useSought("job", what);

  async function look(): Promise<Found> {
    if (sought === "") return { of: sought, jobs: [] };
    const jobs = await ask<readonly JobLine[]>("jobs", posting({ of: sought }), "read_lost");
    const [only] = jobs;
    // Whoever seeks a person wants to see their jobs, even if it is one.
    if (!only || jobs.length > 1 || only.user === sought) return { of: sought, jobs };
    return { of: sought, file: await ask<JobFile>(`jobs/${encodeURIComponent(only.id)}`) };
  }
  const { value, problem } = useLoaded(look, [sought, turn]);
  const found = value?.of === sought && sought !== "" ? value : undefined;

  return (
    <>
      <Finder sought={sought} hint={say("console.find.hint")} onSeek={seek} onAgain={again} />
      <Fault problem={problem} />
      {found && "file" in found && <JobFileView key={found.file.id} file={found.file} onChanged={again} />}
      {found && "jobs" in found && <JobTable caption={say("console.found")} jobs={found.jobs} />}
    </>
  );
}
