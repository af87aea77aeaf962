import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import type { PageMessage } from "../../adapters/web/wire.ts";
import { isMediaRef, type Values } from "../../src/seam/values.ts";
import type { Child, Home } from "../support/crash-child.ts";
import { madeOf, photoOf } from "../support/crash-photos.ts";
import type { TestSandbox } from "../support/sandbox.ts";

/** One video that was asked for. */
export interface Asked {
  readonly prompt: string;
  /** Its place in `PHOTOS`. */
  readonly photo: number;
  /** Whether the program said that it took it. If not, a kill swallowed the answer, and it may have. */
  accepted: boolean;
}

/** What the conversation says of one job. */
export type Told = ReturnType<typeof jobsIn>[number];

/** What a conversation says of jobs. */
export function jobsIn(conversation: readonly PageMessage[]) {
  return conversation.flatMap(({ body }) => ("job" in body && body.job ? { ...body, job: body.job } : []));
}

/** Whether a job's values are those that were asked for. */
export function isAbout(values: Values, asked: Asked): boolean {
  return values["prompt"] === asked.prompt && photoIn(values) === asked.photo;
}

/** Which of `PHOTOS` a job was asked with; -1 for none. */
export function photoIn({ image }: Values): number {
  return isMediaRef(image) ? photoOf(image.id) : -1;
}

/** What was delivered wrongly, a sentence each. */
export async function mistold(
  child: Child,
  asked: readonly Asked[],
  told: readonly Told[],
  outcome: Told["kind"],
): Promise<string[]> {
  const broken: string[] = [];
  for (const one of asked) {
    const name = `${one.prompt}, photo ${one.photo}`;
    const [first, ...more] = told.filter(({ job }) => isAbout(job.values, one));
    if (more.length > 0) broken.push(`${name}: told ${more.length + 1} times`);
    if (first && first.kind !== outcome) broken.push(`${name}: ended as ${JSON.stringify(first)}`);
    if (first?.kind !== "result") continue;
    const photo = madeOf(await child.file(first.media[0]?.id ?? ""));
    if (photo !== one.photo) broken.push(`${name}: delivered the video of photo ${photo}`);
  }
  return broken;
}

/** What was submitted or charged wrongly, a sentence each. */
export async function mischarged(
  sandbox: TestSandbox,
  asked: readonly Asked[],
  told: readonly Told[],
): Promise<string[]> {
  const { submissions, accounts } = await sandbox.ledger();
  const broken: string[] = [];
  for (const prompt of new Set([...asked, ...submissions].map((one) => one.prompt))) {
    const jobs = told.filter(({ job }) => job.values["prompt"] === prompt).length;
    const made = submissions.filter((submission) => submission.prompt === prompt).length;
    if (made !== jobs) broken.push(`${prompt}: ${made} submissions for ${jobs} jobs`);
  }
  const costs = told.map((one) =>
    one.kind === "result" ? one.cost : one.kind === "problem" ? one.charged : null,
  );
  const sum = costs.reduce<number>((total, cost) => total + (cost ?? Number.NaN), 0);
  const used = accounts.reduce((total, account) => total + account.used, 0);
  if (sum.toFixed(2) !== used.toFixed(2)) broken.push(`told of ${sum} tokens, charged ${used}`);
  return broken;
}

/** Whether more or less counts in the budget of the key than was charged, a sentence each. */
export async function miscounted({ data, env }: Home, sandbox: TestSandbox): Promise<string[]> {
  const { accounts } = await sandbox.ledger();
  const used = accounts.reduce((total, account) => total + account.used, 0);
  const { REELAY_STORE: address } = env;
  const spent = Number(address === undefined ? spentIn(data) : await spentOn(address)) / 1_000_000;
  return spent.toFixed(2) === used.toFixed(2) ? [] : [`counted ${spent} tokens, charged ${used}`];
}

// Each job counts by day and by month; both may have ended meanwhile.
const SPENT = "select coalesce(sum(tokens), 0) / 2 as tokens from spent";

function spentIn(data: string): unknown {
  using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
  return database.prepare(SPENT).get()?.["tokens"];
}

async function spentOn(address: string): Promise<unknown> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly tokens: string }>(SPENT);
    return rows[0]?.tokens;
  } finally {
    await client.end();
  }
}
