import { asReelayError } from "./errors.ts";

/** What may be logged of a file that could not be fetched. */
interface Unfetched {
  /** Whoever was asked for it: the path and the query of an address may hold secrets. */
  readonly host: string;
  readonly reason: string;
}

const hosts = new WeakMap<object, string>();

/** Notes of what a file could not be fetched for which host was asked last. @returns the error */
export function noteUnfetched<E>(error: E, { host }: Pick<URL, "host">): E {
  if (typeof error === "object" && error !== null && host !== "") hosts.set(error, host);
  return error;
}

/** What may be logged of an error where a file could not be fetched; nothing of any other. */
export function unfetched(error: unknown): Unfetched | undefined {
  const chain = causesOf(error);
  const host = chain.map(hostOf).find((one) => one !== undefined);
  return host === undefined ? undefined : { host, reason: reasonIn(chain) };
}

/** The client of the service, which stands alone, says it of its errors itself. */
function hostOf(error: Error): string | undefined {
  return hosts.get(error) ?? ("host" in error && typeof error.host === "string" ? error.host : undefined);
}

/** What is known best: what the connection broke with, else what was answered, else what it means. */
function reasonIn(chain: readonly Error[]): string {
  const [first] = chain;
  const last: { readonly message?: string; readonly code?: unknown } = chain.at(-1) ?? {};
  if (chain.length > 1) return last.message || String(last.code);
  const status = first && "status" in first ? first.status : undefined;
  return typeof status === "number" ? answered(status) : asReelayError(first).code;
}

/** What is said of an answer that holds no file. */
export const answered = (status: number) => `it answered ${status}`;

function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one);
  return chain;
}
