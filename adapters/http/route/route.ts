import type { Context } from "hono";
import type { z } from "zod";
import { type Caller, partnerUser, type Scope } from "../../../src/seam/access/partners.ts";
import type { UserId } from "../../../src/seam/values.ts";
import type { ErrorCode } from "../../../src/common/errors.ts";
import type { Locale } from "../../../src/common/i18n.ts";

/** A heading of the documentation. */
export type RouteGroup = "Jobs" | "What can be made" | "Your users" | "Usage" | "Webhooks" | "About";

/** What is sent back under one status code. */
export interface RouteAnswer {
  readonly description: string;
  /** Of the body. */
  readonly schema?: z.ZodType;
  /** The body's content type; JSON unless given. */
  readonly type?: string;
  /** What of its example is otherwise than in the schema's. */
  readonly example?: object;
  /** Headers beside those of every answer, each with what it says. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** That a route is to go: from when nobody should begin to use it, and from when it may be gone. */
interface Deprecation {
  /** This and the next are days, such as `2026-11-26`, and begin with them in UTC. */
  readonly since: string;
  readonly until: string;
  /** What to use, as a sentence of the documentation. */
  readonly instead: string;
}

/** What is said of a route, once: it is mounted, checked and documented from this. Its words are the documentation's. */
export interface RouteFace<Q extends z.ZodType = z.ZodType, B extends z.ZodType = z.ZodType> {
  /** Unique; the `operationId`. */
  readonly name: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** Below `/v1`, as hono writes it: `/jobs/:id`. */
  readonly path: string;
  readonly group: RouteGroup;
  readonly summary: string;
  readonly description?: string;
  /** What a token must be good for; left out: any token. */
  readonly scope?: Scope;
  /** Whether anybody may call it, without a token. */
  readonly open?: boolean;
  /** What each part of the path is. */
  readonly params?: Readonly<Record<string, string>>;
  /** Headers that it understands beside those of every request, each with what it says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Checked before it is handled. */
  readonly query?: Q;
  /** A small JSON body, checked before it is handled. */
  readonly body?: B;
  /** A body that may carry files, as JSON or as a form: its handler reads it as it streams. */
  readonly streamed?: z.ZodType;
  /** Whether its answer goes on as long as something happens. */
  readonly streams?: boolean;
  /**
   * Whether its answer has links in it that open something, beside words that people behind a partner's app chose: how well
   * the one can be packed with the other would tell it, bit by bit, to whoever sees no more than lengths (BREACH).
   */
  readonly links?: boolean;
  /** Set where it is to go. */
  readonly deprecated?: Deprecation;
  /** Whether an `Idempotency-Key` must come with it. */
  readonly idempotent?: boolean;
  /** By status code. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** What it may be refused with, beside what every route may be. */
  readonly problems?: readonly ErrorCode[];
}

const JSON_TYPE = "application/json";

const isJson = ({ type = JSON_TYPE }: RouteAnswer) => type.startsWith(JSON_TYPE);

/** Whether it is read as JSON: whoever has its answer already can ask for it only if it changed (`If-None-Match`). */
export function isConditional({ method, streams = false, answers }: RouteFace): boolean {
  return method === "get" && !streams && Object.values(answers).every(isJson);
}

/** A call of a route, checked as far as its face says. */
export interface RouteCall<Q = unknown, B = unknown> {
  readonly c: Context;
  /** Aborted when an answer that goes on must end: Reelay stops, or the token is good for nothing any more. */
  readonly ended: AbortSignal;
  readonly query: Q;
  readonly body: B;
  /** The language of sentences in the answer. */
  readonly locale: Locale;
}

/** A call with a token. */
export interface OwnCall<Q = unknown, B = unknown> extends RouteCall<Q, B> {
  readonly caller: Caller;
  /** The partner, as the core knows them. */
  readonly user: UserId;
}

/** The id in the path of a call. */
export const idOf = ({ c }: RouteCall): string => c.req.param("id") ?? "";

/** A route with what it does. */
export interface Route extends RouteFace {
  /** @param caller whose token it came with; there is one unless the route is open */
  readonly handle: (call: RouteCall, caller: Caller | undefined) => Promise<Response>;
}

/** A route that takes a token. */
export function route<Q extends z.ZodType, B extends z.ZodType>(
  face: RouteFace<Q, B>,
  handle: (call: OwnCall<z.output<Q>, z.output<B>>) => Promise<Response>,
): Route {
  return {
    ...face,
    async handle(call, caller) {
      if (!caller) throw new Error(`${face.name} was called without a token.`);
      // What a face describes has been checked against it.
      const checked = call as RouteCall<z.output<Q>, z.output<B>>;
      return handle({ ...checked, caller, user: partnerUser(caller.partner.id) });
    },
  };
}

/** A route that anybody may call. */
export function openRoute(face: RouteFace, handle: (call: RouteCall) => Promise<Response>): Route {
  return { ...face, open: true, handle };
}
