import type { Origin } from "../../../src/seam/origin.ts";
import type { ChatId } from "../../../src/seam/values.ts";
import type { NoticeView, View } from "../../../src/seam/views.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import { type TestCore, type TestCoreOptions, testCore } from "../../support/core.ts";
import { MemorySurface, person } from "../../support/surface.ts";

export const GROUP: ChatId = "telegram:-100";

/** Somebody in the group. */
export const member = (name: string, chat: ChatId = GROUP): Origin => ({
  ...person(name, "telegram"),
  chat,
  audience: "group",
});

/** Whoever runs Reelay, on the page. */
export const operator = person("me", "web");

/** A group on a chat platform, and the page. */
export interface Harness extends TestCore {
  readonly page: MemorySurface;
}

/**
 * Opens both. Two reports withhold, unless told otherwise.
 * @param page that of a process before, where there was one
 */
export async function harness(
  sandbox: Pick<Sandbox, "url"> & { readonly keys: Pick<Sandbox["keys"], "ultra"> },
  options: TestCoreOptions = {},
  page = new MemorySurface("web"),
): Promise<Harness> {
  const surface = new MemorySurface("telegram");
  const settings = { REELAY_REPORTS_TO_WITHHOLD: "2", ...options.settings };
  const core = await testCore(sandbox, { surface, others: [page], ...options, settings });
  return { ...core, page };
}

/** Has a picture made in the group. Returns its job, once its outcome was told. */
export async function madeInGroup({
  surface,
  database,
}: Pick<TestCore, "surface" | "database">): Promise<string> {
  await surface.intake.command(member("ann"), "image", { prompt: "a lighthouse" });
  const [result] = await surface.results(1);
  const job = result?.job.id ?? "";
  await told({ database }, job);
  return job;
}

/** Waits until the outcome of a job is noted as told. */
export async function told({ database }: Pick<TestCore, "database">, job: string): Promise<void> {
  const row = () => database.kysely.selectFrom("jobs").select("delivery").where("id", "=", job);
  while ((await row().executeTakeFirst())?.delivery !== "delivered")
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** What the group sees where a result was posted. */
export const shownFirst = ({ surface }: Pick<TestCore, "surface">): View | undefined =>
  surface.messages[0]?.views.at(-1);

/** Waits until the group sees that it was taken down. */
export const takenDown = ({ surface }: Pick<TestCore, "surface">) =>
  surface.until(() => isNotice(surface.messages[0]?.views.at(-1), "report.withheld"));

export const isNotice = (view: View | undefined, key: string): view is NoticeView =>
  view?.kind === "notice" && view.text.key === key;

/** The tokens of a view's buttons, without what they are about. */
export const buttonsOf = (view: View | undefined) =>
  ((view && "actions" in view && view.actions) || []).map(({ token }) => token.slice(0, token.indexOf(":")));

/** What the last message says: a notice's key, or a problem's code. */
export function lastSaid({ messages }: MemorySurface): string {
  const view = messages.at(-1)?.views.at(-1);
  if (view?.kind === "notice") return view.text.key;
  return view?.kind === "problem" ? view.problem.code : (view?.kind ?? "nothing");
}
