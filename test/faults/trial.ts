import { vi } from "vitest";
import { say as sayView, sayProblem } from "../../src/seam/text/say.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import type { View } from "../../src/seam/views.ts";
import { translator } from "../../src/common/i18n.ts";
import { testCore } from "../support/core.ts";
import { testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { type MemorySurface, person } from "../support/surface.ts";
import type { Fault, Step } from "./cells.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** What became of a job. */
export interface Outcome {
  /** What its person reads while the fault lasts beside what they read anyway; "" for nothing. */
  readonly meanwhile: string;
  /** What they read in the end. */
  readonly end: string;
  readonly kind: "result" | "problem";
  /** How many submissions the service accepted. */
  readonly charged: number;
  /** What their message says that it cost; null where it says that it cannot be told. */
  readonly told: number | null;
  readonly file: Buffer | undefined;
}

const say = translator("en");

/** More than any trial strikes. */
export const FOR_GOOD = 1_000_000;
/** Strikes after which what a person reads is what they read while it lasts. */
const ENOUGH = 3;
export const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };
/**
 * How long an answer may take where one does not come, in milliseconds. On a busy machine a good one may take as long, too: that is
 * told of the submission alone, where it looks as what is tried there does.
 */
const ANSWER_MS = { submission: 1_000, other: 5_000 } as const;

/**
 * How long answers may take: little where one is waited for that does not come, or the end of the longest possible wait for one. Else as
 * long as ever: on a busy machine a good answer takes its time.
 */
export function patienceFor({ match, afterLostAnswer }: Step, { kind }: Fault) {
  const isLost = afterLostAnswer || (match.method === "POST" && !ANSWERS.test(kind));
  const isWaitedFor = isLost || kind === "hang" || kind === "stall";
  const patience = ANSWER_MS[isLost ? "submission" : "other"];
  return isWaitedFor ? { headersTimeoutMs: patience, bodyTimeoutMs: patience } : {};
}

/** What is an answer all the same, as it stands or in the end. */
const ANSWERS = /^(?:4\d\d|503|slot429|drip|null|missing|trimmed)$/;

/** Makes one video while something goes wrong: once, or until somebody has mended it. */
export async function trial(photo: MediaRef, step: Step, fault: Fault, lasts: boolean): Promise<Outcome> {
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox, patienceFor(step, fault));
  const { surface } = core;
  const { title: _, ...kind } = fault;
  if (step.afterLostAnswer)
    await sandbox.fault({ kind: "reset-after", match: { method: "POST", path: "/api/generate" } });
  await sandbox.fault({ ...kind, match: step.match, times: lasts ? FOR_GOOD : 1 });
  await surface.intake.command(person("ann"), "video", {
    image: photo,
    prompt: "slow zoom",
    ...(step.match.path === "/api/templates" && { template: "golden-hour" }),
  });
  if (lasts) {
    await vi.waitUntil(async () => lastOf(surface) || (await strikes(sandbox)) >= ENOUGH, PATIENCE);
    await sandbox.clearFaults();
  }
  const end = await vi.waitUntil(() => lastOf(surface), PATIENCE);
  return await outcomeOf(sandbox, surface, end, lasts);
}

/** What a person was told and charged. @param end the last word on their job */
export async function outcomeOf(
  sandbox: TestSandbox,
  surface: MemorySurface,
  end: End,
  lasts: boolean,
): Promise<Outcome> {
  const { submissions } = await sandbox.ledger();
  return {
    meanwhile: lasts ? unusual(surface, end) : "",
    end: sentence(end),
    kind: end.kind,
    charged: submissions.length,
    told: end.kind === "result" ? end.cost : end.charged,
    file: surface.messages.find(({ views }) => views.at(-1) === end)?.files[0],
  };
}

export type End = Extract<View, { kind: "result" | "problem" }>;

/** Every view that was shown, in order. */
const shown = (surface: MemorySurface): readonly View[] => surface.messages.flatMap(({ views }) => views);

/** The last word on the job; a problem that comes before there is a job is one, too. @param nth the message that tells of it */
export function lastOf(surface: MemorySurface, nth = 0): End | undefined {
  const view = surface.messages[nth]?.views.at(-1);
  return view?.kind === "result" || view?.kind === "problem" ? view : undefined;
}

/** Phases that people read of when nothing is wrong. */
const USUAL = /^(queued|submitting|running|sending)$/;

/** What was said beside the usual while it lasted. */
function unusual(surface: MemorySurface, end: End): string {
  const said = shown(surface).filter(
    (view) => view !== end && !(view.kind === "progress" && USUAL.test(view.phase)),
  );
  return [...new Set(said.map(sentence))].join(" / ");
}

async function strikes({ control }: TestSandbox): Promise<number> {
  const { faults } = (await (await fetch(`${control}/faults`)).json()) as { faults: { times: number }[] };
  return FOR_GOOD - Math.max(...faults.map(({ times }) => times));
}

/** What a person reads, as the command line says it. */
export function sentence(view: View): string {
  switch (view.kind) {
    case "result":
      return "the result";
    case "problem":
      return sayProblem(say, view.problem);
    case "progress":
      return say(`cli.phase.${view.phase}`);
    case "notice":
      return sayView(say, view.text);
    default:
      throw new Error(`A ${view.kind} is no word on a job.`);
  }
}
