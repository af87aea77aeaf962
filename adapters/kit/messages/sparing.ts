import { currentTime } from "../../../src/common/time.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { say as sayMessage } from "../../../src/seam/text/say.ts";
import type { ProgressView } from "../../../src/seam/views.ts";
import type { Spoken } from "./choices.ts";

/**
 * What of a job's progress is worth a message of its own, where none can be changed: that it has begun, and what it waits for.
 * @param isShown whether something else shows that it is on its way
 * @returns undefined for what is not
 */
function newsOf({ phase, ahead = 0 }: ProgressView, isShown: boolean): string | undefined {
  if (phase === "queued" && ahead > 0) return "queued";
  if (phase === "queued" || phase === "submitting") return isShown ? undefined : "running";
  return phase === "sending" || phase === "checking" ? undefined : phase;
}

/** That a job has begun, and when its end is expected. */
function begunSaid(say: Translate, { job, expectedAt = 0 }: ProgressView): Spoken {
  const operation = sayMessage(say, { key: "view.job", params: { operation: job.operation } });
  const ms = expectedAt - currentTime();
  const text = ms >= 1_000 ? say("chat.begun_when", { operation, ms }) : say("chat.begun", { operation });
  return { text, buttons: [] };
}

/** What was told of a job. */
interface ToldSo {
  readonly told?: string[];
}

interface Sparing {
  /** Shows without a message that a job is on its way; undefined where nothing can. */
  readonly show: (() => void) | undefined;
  /** Says that it has begun, or what the view says. @param news what is said once of the job */
  readonly say: (begun: Spoken | undefined, news: string) => Promise<unknown>;
  /** Hears why a line was not shown: that is no failure, also where something newer took its place. */
  readonly onFailure: (error: unknown) => void;
}

/** Tells how far a job is, each thing once. Nothing waits for it: the result comes when it is there. @returns what was told by then */
export async function tellSparingly<R extends ToldSo>(
  say: Translate,
  at: R,
  view: ProgressView,
  { show, say: post, onFailure }: Sparing,
): Promise<R> {
  const { told = [] } = at;
  if (told.length === 0) show?.();
  const news = newsOf(view, show !== undefined);
  if (news === undefined || told.includes(news)) return told.length === 0 ? { ...at, told: ["shown"] } : at;
  post(news === "running" ? begunSaid(say, view) : undefined, news).catch(onFailure);
  return { ...at, told: [...told, news] };
}
