import type { MiddlewareHandler } from "hono";
import type { Env, Service } from "./service.ts";
import { type Liberties, LIBERTY_NAMES, USUAL } from "../liberties/liberties.ts";
import { zoned } from "../liberties/times.ts";

const AMOUNTS = /^(token_cost|pre_token_cost|remaining_tokens|tokens|tokens_remaining|total_tokens_used)$/;
const TIMES = /^(created_at|started_at|completed_at|subscription_end)$/;
const TEXTS = /^(first_name|last_name|description|hint|negative_prompt)$/;

/** Seconds until a refused request may come again, where that is said. */
const RETRY_AFTER_SECONDS = 2;

type Fields = Readonly<Record<string, unknown>>;

/** Gives the answers of a host the form that was chosen; the usual one costs nothing. */
export function dressed({ liberties, timeScale }: Service): MiddlewareHandler<Env> {
  if (LIBERTY_NAMES.every((name) => liberties[name] === USUAL[name])) return (_, next) => next();
  return async (c, next) => {
    await next();
    const { status, headers } = c.res;
    if (!headers.get("content-type")?.startsWith("application/json")) return;
    const fields: unknown = await c.res.json();
    // Words of the submission's answer are fixed (section 2.3), those of records are not (section 2.4).
    const body = dress(fields, liberties, c.req.method === "GET");
    c.res = undefined;
    c.res = Response.json(body, { status });
    if (status === 429 && liberties.retryAfter !== "none")
      c.res.headers.set("retry-after", retryAfter(liberties.retryAfter, timeScale));
  };
}

/**
 * An answer in the form that was chosen.
 * @param isRecord whether `status` and `progress` are those of a record
 */
function dress(answer: unknown, liberties: Liberties, isRecord: boolean): unknown {
  const dressAny = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(dressAny);
    return isFields(value) ? dressFields(value) : value;
  };
  const dressFields = (fields: Fields): Fields => {
    const own = isRecord ? { ...fields, ...staged(fields, liberties) } : fields;
    const entries = Object.entries(own).map(
      ([name, value]) => [name, dressValue(name, value, fields)] as const,
    );
    const kept =
      liberties.emptyFields === "missing" ? entries.filter(([, value]) => value !== null) : entries;
    return { ...Object.fromEntries(kept), ...(isJobOrWhole(fields, answer) && extras(liberties)) };
  };
  const dressValue = (name: string, value: unknown, { status }: Fields): unknown => {
    if (TEXTS.test(name) && liberties.texts === "null") return null;
    if (typeof value === "string" && TIMES.test(name))
      return status === undefined ? zoned(value, liberties) : dressTime(name, value);
    if (typeof value === "number" && AMOUNTS.test(name)) return amount(value, liberties);
    return dressAny(value);
  };
  // Of a job; those of an account are always shown (section 2.2).
  const dressTime = (name: string, stamp: string): string | null => {
    const choice = name === "created_at" ? liberties.createdAt : liberties.otherTimes;
    return choice === "shown" ? zoned(stamp, liberties) : null;
  };
  return dressAny(answer);
}

/** The word for how far a job is. */
export function shownStatus(status: string, progress: number | undefined, { statuses }: Liberties): string {
  if (statuses === "named" || (status !== "SUBMITTED" && status !== "IN_PROGRESS")) return status;
  const waits = status === "SUBMITTED";
  if (statuses === "queued") return waits ? "QUEUED" : "PROCESSING";
  if (waits) return "PENDING";
  if (progress === undefined) return "RENDERING";
  return progress < 20 ? "PREPARING" : progress < 80 ? "RENDERING" : "FINALIZING";
}

function staged(fields: Fields, liberties: Liberties): Fields {
  const { status, progress } = fields;
  if (typeof status !== "string") return {};
  const known = typeof progress === "number" ? progress : undefined;
  const runs = status === "SUBMITTED" || status === "IN_PROGRESS";
  return {
    status: shownStatus(status, known, liberties),
    ...(known !== undefined && runs && { progress: shownProgress(known, liberties) }),
  };
}

function shownProgress(progress: number, { progress: choice }: Liberties): number {
  switch (choice) {
    case "rising":
      return progress;
    case "zero":
      return 0;
    case "jumps":
      return progress < 50 ? 0 : 95;
    case "falls":
      return progress < 50 ? progress : 100 - progress;
    case "full":
      return 100;
    default:
      return choice satisfies never;
  }
}

/** As a sum of floating point numbers leaves an amount: beside the exact one by a few of its last bits. */
function amount(value: number, { amounts }: Liberties): number {
  return amounts === "exact" ? value : value + 3 * Number.EPSILON * Math.max(1, Math.abs(value));
}

function extras({ extraFields }: Liberties): Fields {
  return extraFields === "none"
    ? {}
    : { request_id: "5f0c", api: { node: 7, warnings: [] }, note: null, flags: ["beta"] };
}

/** Further fields stand in an answer itself, and in every job of a list. */
function isJobOrWhole(fields: Fields, answer: unknown): boolean {
  return fields === answer || ("id" in fields && "status" in fields);
}

function retryAfter(form: "seconds" | "date", timeScale: number): string {
  const seconds = Math.max(1, Math.round(RETRY_AFTER_SECONDS * timeScale));
  return form === "seconds" ? String(seconds) : new Date(Date.now() + seconds * 1000).toUTCString();
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
