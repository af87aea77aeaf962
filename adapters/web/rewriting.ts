import { parsePriced, parseToken, ownAction, ownPart } from "../../src/seam/text/actions.ts";
import type { Intake } from "../../src/seam/surface/surface.ts";
import { deletedNotice } from "../../src/seam/text/notices.ts";
import type { Action } from "../../src/seam/views.ts";
import type { PageMessage, PageMessageBody, StoredView } from "./wire.ts";

/** A job that is deleted. */
interface DeletedJob {
  readonly id: string;
  /** What stands in the place of its own message. */
  readonly said: PageMessageBody;
  /** The person's own message that asked for it, where there was one. */
  readonly asked?: string;
}

/** What is left of a message once a job is deleted that it may show, or say something of. */
export const withoutJob =
  (job: DeletedJob) =>
  ({ id, body }: PageMessage): PageMessageBody | undefined => {
    if (id === job.id) return job.said;
    return id === job.asked ? undefined : without(body, job.id);
  };

/** @returns the same where it says nothing of it; undefined where it says nothing else */
function without(body: PageMessageBody, job: string): PageMessageBody | undefined {
  if (body.kind === "menu") {
    const items = body.items.filter((item) => item.job !== job);
    if (items.length === body.items.length) return body;
    return items.length > 0 ? { ...body, items } : deletedNotice();
  }
  return isAbout(body, job) ? undefined : body;
}

function isAbout(body: PageMessageBody, job: string): boolean {
  if ("job" in body && body.job?.id === job) return true;
  if (body.kind !== "notice") return false;
  const { about, actions = [] } = body;
  // A question whether to do something with it.
  return about === job || (actions.length > 0 && actions.every((action) => jobOf(action) === job));
}

const jobOf = ({ token }: Action) => parsePriced(parseToken(token).arg).of;

/** The mark of the buttons that let everything be. */
const KEEP = "keep";

/** What is said where somebody let everything be. */
export const KEPT = { kind: "notice", text: { key: "sure.kept" } } as const;

/** Whether a button takes everything away: its question is gone once it is pressed. */
export const takesAll = ({ buttons }: Pick<Intake, "buttons">, token: string) =>
  buttons.get(parseToken(token).command)?.confirmed === true;

/** Whether what a button takes away is gone for good: where the process ends in the middle, it is to be pressed again. */
export const isForGood = ({ buttons }: Pick<Intake, "buttons">, token: string) =>
  buttons.get(parseToken(token).command)?.forGood === true;

/** The button of the same question that would take everything away; undefined for every other button. */
export const keptFrom = (token: string) => ownPart(token, KEEP);

/** A view with a way out beside what takes everything away. */
export function withWayOut(intake: Pick<Intake, "buttons">, view: StoredView): StoredView {
  const sure = view.kind === "notice" && view.actions?.find(({ token }) => takesAll(intake, token));
  if (!sure) return view;
  return { ...view, actions: [...(view.actions ?? []), ownAction(KEEP, sure.token, { key: "sure.no" })] };
}

/** What is left of a message where the question of a button is settled. @param said what stands in its place */
export const settled =
  (question: string, said?: PageMessageBody) =>
  ({ body }: PageMessage): PageMessageBody | undefined =>
    body.kind === "notice" && body.actions?.some(({ token }) => token === question) ? said : body;
