import type { Locale } from "../../../../../src/common/i18n.ts";
import type { PageProblem } from "../../../wire.ts";

/** An answer that was no success, or none at all (`unreachable`). */
class Refused extends Error {
  readonly problem: PageProblem;
  constructor(problem: PageProblem, options?: ErrorOptions) {
    super(problem.code, options);
    this.problem = problem;
  }
}

/** What went wrong, whatever was thrown. */
export function problemOf(error: unknown): PageProblem {
  return error instanceof Refused ? error.problem : { code: "internal", params: {} };
}

/** Asks a server's routes. Throws {@link Refused}. */
export type Ask = <T>(path: string, init?: RequestInit) => Promise<T>;

/**
 * Asks the routes below an address.
 * @param locale the language to ask in; undefined: the browser's own, which the server may not speak
 */
export function askAt(base: string, locale: Locale | undefined): Ask {
  return async <T>(path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (locale) headers.set("accept-language", locale);
    const response = await fetch(`${base}/${path}`, { ...init, headers }).catch((cause: unknown) => {
      if (init.signal?.aborted) throw cause;
      throw new Refused({ code: "unreachable", params: {} }, { cause });
    });
    if (response.ok)
      return (response.headers.get("content-type")?.includes("json") ? response.json() : undefined) as T;
    const problem = (await response.json().catch(() => undefined)) as PageProblem | undefined;
    throw new Refused(problem ?? { code: "internal", params: {} });
  };
}

/** What posts something as JSON. */
export const posting = (body: unknown, signal?: AbortSignal): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  ...(signal && { signal }),
});
