import type { FaultRequest } from "../support/sandbox.ts";

/** A step of a job's life, and the requests that it makes. */
export interface Step {
  readonly title: string;
  readonly match: NonNullable<FaultRequest["match"]>;
  /** What can go wrong there. */
  readonly faults: readonly Fault[];
  /** Whether the answer to the submission is lost before: only then is this step taken. */
  readonly afterLostAnswer?: boolean;
  /** Whether it is the deletion of a job that has ended. */
  readonly deletes?: boolean;
}

/** A fault, in words for a person and as the sandbox takes it. */
export interface Fault extends Pick<FaultRequest, "kind" | "accepted" | "status" | "length" | "seconds"> {
  readonly title: string;
}

const refused = (kind: string): Fault => ({ kind, title: kind });

const REFUSALS = ["401", "402", "403", "404", "429", "500", "503"].map(refused);

const RESET: Fault = { kind: "reset-before", title: "connection reset" };
const HANG: Fault = { kind: "hang", title: "no answer" };
const STALL: Fault = { kind: "stall", title: "half of the answer, then nothing" };
const DRIP: Fault = { kind: "drip", seconds: 0.5, title: "the answer drips" };
const GATEWAY: Fault = { kind: "html", title: "a gateway's page, 502" };
/** A page that looks like a refusal of the service, to what it has handled. */
const answeredFor = (status: number, done: string): Fault => ({
  ...GATEWAY,
  status,
  accepted: true,
  title: `${done}, a gateway's page, ${status}`,
});
const PAGE: Fault = { kind: "html", status: 200, title: "a page, 200" };
const LOGIN: Fault = { kind: "login", title: "a redirect to a login page" };
const EMPTY: Fault = { kind: "empty", title: "an empty answer, 200" };
const TRUNCATED: Fault = { kind: "truncated", title: "half of the answer" };
const CUT: Fault = { kind: "partial", length: "whole", title: "breaks off in the middle" };
const NULL: Fault = { kind: "null", title: "every optional field null" };
const MISSING: Fault = { kind: "missing", title: "every optional field missing" };
const TRIMMED: Fault = { kind: "trimmed", title: "texts trimmed" };
const CLOCK: Fault = { kind: "clock", seconds: -18_000, title: "the service's clock 5 h behind" };

const UNREADABLE = [GATEWAY, PAGE, LOGIN, EMPTY, TRUNCATED, CUT];
const SPOILT = [NULL, MISSING, TRIMMED];

/** Every step, and what can go wrong there. */
export const STEPS: readonly Step[] = [
  {
    title: "balance, before",
    match: { method: "GET", path: "/api/user/balance" },
    faults: [...REFUSALS, RESET, HANG, STALL, DRIP, ...UNREADABLE, ...SPOILT],
  },
  {
    title: "catalogue, before",
    match: { method: "GET", path: "/api/templates" },
    faults: [...REFUSALS, RESET, HANG, STALL, DRIP, ...UNREADABLE, NULL, MISSING],
  },
  {
    title: "submission",
    match: { method: "POST", path: "/api/generate" },
    faults: [
      ...REFUSALS,
      { kind: "slot429", title: "429 for a slot" },
      RESET,
      { kind: "reset-after", title: "accepted, then reset" },
      { kind: "accepted-late", seconds: 0.5, title: "reset, then accepted" },
      HANG,
      { kind: "hang", accepted: true, title: "accepted, no answer" },
      answeredFor(502, "accepted"),
      ...[402, 413, 429].map((status) => answeredFor(status, "accepted")),
      { kind: "500", accepted: true, title: "accepted, 500" },
      STALL,
      DRIP,
      ...UNREADABLE,
      ...SPOILT,
    ],
  },
  {
    title: "list, after a lost answer",
    match: { method: "GET", path: "/api/jobs" },
    afterLostAnswer: true,
    faults: [
      ...REFUSALS,
      RESET,
      HANG,
      ...UNREADABLE,
      ...SPOILT,
      CLOCK,
      { kind: "late-list", title: "without new jobs" },
    ],
  },
  {
    title: "status",
    match: { method: "GET", path: "/api/job/" },
    faults: [...REFUSALS, RESET, HANG, STALL, DRIP, ...UNREADABLE, ...SPOILT, CLOCK],
  },
  {
    title: "result",
    match: { method: "GET", path: "/results" },
    faults: [...REFUSALS, RESET, HANG, STALL, DRIP, ...UNREADABLE],
  },
  {
    title: "deletion at the service",
    match: { method: "DELETE", path: "/api/jobs/" },
    deletes: true,
    faults: [
      ...REFUSALS,
      RESET,
      { kind: "reset-after", title: "deleted, then reset" },
      { kind: "accepted-late", seconds: 0.5, title: "reset, then deleted" },
      HANG,
      { kind: "hang", accepted: true, title: "deleted, no answer" },
      answeredFor(502, "deleted"),
      answeredFor(404, "deleted"),
      { kind: "500", accepted: true, title: "deleted, 500" },
      STALL,
      DRIP,
      ...UNREADABLE,
      ...SPOILT,
    ],
  },
];
