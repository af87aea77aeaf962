import type { Locale } from "../../../../../src/common/i18n.ts";
import type { PageProblem } from "../../../wire.ts";

/** An answer that was no success, or none at all. */
export class AskRefused extends Error {
  readonly problem: PageProblem;
  constructor(problem: PageProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** What went wrong, whatever was thrown. */
export function problemOf(error: unknown): PageProblem {
  return error instanceof AskRefused ? error.problem : { code: "internal", params: {} };
}

/**
 * Asks a server's routes. Throws {@link AskRefused}.
 * @param unanswered what it is called when no answer of Reelay's comes; `unreachable` where left out
 */
export type Ask = <T>(path: string, init?: RequestInit, unanswered?: PageProblem["code"]) => Promise<T>;

/** What Reelay says with nothing but its status. */
const SILENT: ReadonlySet<number> = new Set([202, 204]);

/**
 * What Reelay itself answered; undefined: that it was done.
 * @throws for what another answers in its place, such as a network that wants its terms accepted, and for half an answer
 */
export async function ownAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === "" && SILENT.has(response.status) ? undefined : JSON.parse(text);
}

/** Whether a failure is Reelay's own: a gateway knows nothing of what was done before it gave up, or of money. */
export function isOwnProblem(answer: unknown): answer is PageProblem {
  const { code, params } = Object(answer) as Partial<PageProblem>;
  return code !== undefined && params !== undefined;
}

/** What Reelay answers to whoever is not in, or not any more, with what is said to whoever was. */
const OUT: Partial<Record<PageProblem["code"], PageProblem["code"]>> = {
  login_required: "login_over",
  sign_in_required: "sign_in_required",
};

/** Hears that whoever is at the page is not in any more, and why. */
export type OnOut = (problem: PageProblem) => void;

/** What went wrong, and tells where it is that nobody is in. */
export function refusal(problem: PageProblem, onOut?: OnOut): AskRefused {
  const code = OUT[problem.code];
  if (code) onOut?.({ ...problem, code });
  return new AskRefused(problem);
}

/**
 * Asks the routes below an address.
 * @param locale the language to ask in; undefined: the browser's own, which the server may not speak
 * @param onOut hears of every answer by which nobody is in
 */
export function askAt(base: string, locale: Locale | undefined, onOut?: OnOut): Ask {
  return async <T>(path: string, init: RequestInit = {}, unanswered: PageProblem["code"] = "unreachable") => {
    const headers = new Headers(init.headers);
    if (locale) headers.set("accept-language", locale);
    let problem: PageProblem = { code: unanswered, params: {} };
    try {
      const response = await fetch(`${base}/${path}`, { ...init, headers });
      const answer = await ownAnswer(response);
      if (response.ok) return answer as T;
      if (isOwnProblem(answer)) problem = answer;
    } catch (error) {
      if (init.signal?.aborted) throw error;
    }
    throw refusal(problem, onOut);
  };
}

/** What posts something as JSON. */
export const posting = (body: unknown, signal?: AbortSignal): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  ...(signal && { signal }),
});
