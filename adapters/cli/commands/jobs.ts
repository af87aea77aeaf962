import type { Command } from "commander";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { JobRecord } from "../../../src/seam/access/job-record.ts";
import type { ExitCode } from "../output/exit-codes.ts";
import { converse } from "../session/session.ts";
import type { Shell } from "../session/shell.ts";
import { here, perform } from "./calls.ts";

/** Jobs in one line of JSON. */
const PAGE = 100;

/** Lists somebody's jobs: for people a page with what can be done, for programs all of them as data. */
export function jobs(shell: Shell, spec: CommandSpec, command: Command): Promise<ExitCode> {
  if (!shell.json) return perform(shell, spec, command);
  return converse(shell, here(shell), async ({ intake }, { user }) => {
    let before: string | undefined;
    do {
      const page = await intake.jobs.list(user, { before, limit: PAGE });
      shell.printer.print({ event: "jobs", jobs: page.map(shown) });
      before = page.length < PAGE ? undefined : page.at(-1)?.id;
    } while (before !== undefined);
    return 0;
  });
}

/** Without what only the core and its platforms need. */
function shown({
  user: _user,
  tags: _tags,
  mature: _mature,
  address: _address,
  receipt: _receipt,
  ...job
}: JobRecord) {
  return job;
}
