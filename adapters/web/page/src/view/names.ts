/** Names that tell what was made apart. */
import type { CommandSpec } from "../../../../../src/seam/fields.ts";
import { cut } from "../../../../../src/seam/text/cut.ts";
import type { JobSummary } from "../../../../../src/seam/views.ts";
import type { Locale, Translate } from "../../../../../src/common/i18n.ts";
import { isWords, textOf } from "../form/fields.ts";

/** As many characters of somebody's words as tell them from others. */
const WORDS = 60;

/** What names are made with; every part of the chat has it. */
interface Naming {
  readonly say: Translate;
  readonly locale: Locale;
  readonly operations: readonly CommandSpec[];
}

/** What a job is called: what was made, of which words, and when. */
export function jobName({ say, locale, operations }: Naming, job: JobSummary): string {
  const spec = operations.find(({ name }) => name === job.operation);
  const words = spec?.fields.filter(isWords).map(({ name }) => textOf(job.values[name])?.trim());
  const said = words?.find(Boolean);
  return [
    ...(spec ? [say(spec.label)] : []),
    ...(said ? [say("page.words", { words: cut(said.replaceAll(/\s+/g, " "), WORDS) })] : []),
    timeText(locale, job.createdAt),
  ].join(", ");
}

/** A time as people read it beside others: the day only where it is not today. */
export function timeText(locale: Locale, at: number, now = new Date()): string {
  const time = new Date(at);
  const today = time.toDateString() === now.toDateString();
  const day = today ? {} : ({ dateStyle: "medium" } as const);
  return new Intl.DateTimeFormat(locale, { ...day, timeStyle: "short" }).format(time);
}
