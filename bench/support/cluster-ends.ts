import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import type { Child } from "../../test/support/crash-child.ts";
import { endsIn } from "./ends.ts";
import { say } from "./report.ts";

/** In this time there are fewer messages than the conversation keeps. */
const READ_EVERY_MS = 30_000;
/** After this long what nobody was told the end of counts as lost. */
export const PATIENCE_MS = 5 * 60_000;
/** Looks at the database, which is away now and then. */
export class Looks {
  readonly #pool: Pool;

  constructor(address: string) {
    this.#pool = new Pool({ connectionString: address });
    this.#pool.on("error", () => {});
  }

  async ask<T>(statement: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    for (;;) {
      try {
        return (await this.#pool.query(statement, [...values])).rows as T[];
      } catch {
        await sleep(200);
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** What the conversation says of how something ended, by its message: it keeps the last 500 alone, so it is read now and then. */
export class Told {
  readonly ends = new Map<string, ReturnType<typeof endsIn>[number]>();
  readonly #nodes: readonly { readonly child: Child }[];

  constructor(nodes: readonly { readonly child: Child }[]) {
    this.#nodes = nodes;
  }

  /** Asks whichever node answers first. */
  async read(): Promise<void> {
    const answers = this.#nodes.map(({ child }) => child.conversation());
    const messages = await Promise.any(answers).catch(() => []);
    for (const message of messages) for (const end of endsIn([message])) this.ends.set(message.id, end);
  }

  async readUntil(until: number): Promise<void> {
    while (performance.now() < until) {
      await this.read();
      await sleep(READ_EVERY_MS);
    }
  }
}

/** What a job's row says of it. */
interface Row {
  readonly id: string;
  readonly input: string;
  readonly state: string;
}

/** The rows of all jobs, and all that was told, once every one was told the end of, or after a while. */
export async function settled(told: Told, looks: Looks) {
  const start = performance.now();
  for (;;) {
    await told.read();
    const ends = [...told.ends.values()];
    const known = new Set(ends.map(({ job }) => job?.id));
    const jobs = await looks.ask<Row>("select id, input, state from jobs");
    const untold = jobs.filter(({ id }) => !known.has(id));
    if (untold.length === 0 || performance.now() - start > PATIENCE_MS) return { ends, jobs, untold };
    await sleep(500);
  }
}

/**
 * What nobody was told the end of: jobs, and what was accepted and is none, beyond as many problems as were told without a job.
 * Says which, for whoever looks into it.
 */
export function lostOf(
  { ends, jobs, untold }: Awaited<ReturnType<typeof settled>>,
  accepted: ReadonlySet<string>,
): number {
  const kept = new Set(jobs.map(({ input }) => String((JSON.parse(input) as { prompt?: string }).prompt)));
  const without = [...accepted].filter((prompt) => !kept.has(prompt));
  const problems = ends.filter(({ kind, job }) => kind === "problem" && !job);
  const codes = problems.map((body) => (body.kind === "problem" ? body.problem.code : ""));
  say(
    `  untold: ${JSON.stringify(untold)}; without a job: ${without.join(", ")}; told so: ${codes.join(", ")}`,
  );
  return untold.length + Math.max(0, without.length - problems.length);
}
