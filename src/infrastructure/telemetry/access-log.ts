import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Logger } from "./logger.ts";

declare module "hono" {
  /** What a request carries from its first moment, and what is learned of it on the way. */
  interface ContextVariableMap {
    /** Its id: told in the answer, and in every line of the log about it. */
    request: string;
    /** The partner whose token it came with, by their id. */
    partner?: string;
    /** Why it was refused: an error's code. */
    refused?: string;
    /** Set once somebody else answers it, who writes the line about it, too. */
    passedOn?: true;
  }
}

/** What is known of a request beside itself: of one that was passed on, its id. */
interface Passed extends Partial<HttpBindings> {
  readonly request?: string;
}

/** What a caller may call their request: longer ones, and those that could stand for something else, are not taken. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** What looks after a server asks for every few seconds; it is logged for whoever wants everything. */
const HEALTH = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Gives each request an id, and writes a line about it when its answer has ended, however that was. Of its address it
 * tells the pattern alone: in the address itself there are names of people, links that open files, and signatures.
 * @param mayBeKey whether what a caller calls their request may be a key: then it has an id of ours
 */
export function accessLog(
  log: Logger | undefined,
  mayBeKey: (id: string) => Promise<boolean>,
): MiddlewareHandler {
  /** Where it cannot be told, the database being away, nothing is taken. */
  const isHarmless = async (id: string) => REQUEST_ID.test(id) && !(await mayBeKey(id).catch(() => true));

  const idOf = async (c: Context) => {
    const given = c.req.header("x-request-id") ?? "";
    return (await isHarmless(given)) ? given : crypto.randomUUID();
  };

  return async (c, next) => {
    const began = performance.now();
    c.set("request", nodeOf(c).request ?? (await idOf(c)));
    c.header("X-Request-Id", c.get("request"));
    const { incoming, outgoing } = nodeOf(c);
    const socket = incoming?.socket;
    const before = socket?.bytesWritten ?? 0;
    outgoing?.once("close", () => {
      if (!log || c.var.passedOn) return;
      const { request, partner, refused } = c.var;
      const route = routePath(c);
      const status = outgoing.statusCode;
      log[levelOf(route, status)](
        {
          request,
          method: c.req.method,
          route,
          status,
          ms: Math.round(performance.now() - began),
          bytes: (socket?.bytesWritten ?? before) - before,
          ...(partner !== undefined && { partner }),
          ...(refused !== undefined && { refused }),
          ...(!outgoing.writableFinished && { brokenOff: true }),
        },
        "A request was answered",
      );
    });
    await next();
  };
}

/** Has somebody else answer a request, under the same id. @param answering is told of it what the server knows */
export async function passOn(
  c: Context,
  answering: (request: Request, env: object) => Promise<Response>,
): Promise<Response> {
  c.set("passedOn", true);
  const answer = await answering(c.req.raw, { ...nodeOf(c), request: c.get("request") } satisfies Passed);
  return c.newResponse(answer.body, answer);
}

/** Calls back once the answer to a request has ended: it was sent whole, or its client has gone. */
export function onceAnswered(c: Context, then: () => void): void {
  const { outgoing } = nodeOf(c);
  if (outgoing?.closed) then();
  else outgoing?.once("close", then);
}

/**
 * Has the log say what nobody expects of a request. Where its client has gone, what they went from may be the reason: a stop cuts off
 * what takes too long, and closes the database under it.
 */
export function tellFailure(
  log: Pick<Logger, "error" | "warn">,
  c: Context,
  err: unknown,
  what: string,
): void {
  const { outgoing } = nodeOf(c);
  const hasGone = outgoing?.closed === true && !outgoing.writableFinished;
  log[hasGone ? "warn" : "error"]({ err, request: c.get("request") }, what);
}

/** Cuts a client off in the middle of an answer. */
export function cutOff(c: Context): void {
  nodeOf(c).outgoing?.destroy();
}

/** What Node has for a request; there is none where a test calls routes without a server. */
function nodeOf(c: Context): Passed {
  return (c.env ?? {}) as Passed;
}

/** Who was not let in is worth a look. */
function levelOf(route: string, status: number): "debug" | "info" | "warn" {
  if (status === 401) return "warn";
  return HEALTH.has(route) ? "debug" : "info";
}
