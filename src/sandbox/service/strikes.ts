import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { RATE_LIMIT_MESSAGE } from "../../common/contract.ts";
import type { WireFault } from "./faults.ts";
import type { Liberties } from "../liberties/liberties.ts";
import { LOGIN_PATH } from "../records/login.ts";
import type { Env, Service } from "./service.ts";
import { slotMessage } from "../records/slots.ts";
import { spoiled } from "./spoiled.ts";

const HTML =
  "<!doctype html><html><head><title>502</title></head><body><h1>502 Bad Gateway</h1></body></html>";

/** A whole answer that something befalls. */
interface Answer {
  readonly bytes: Buffer;
  readonly headers: Headers;
}

/** In how many pieces an answer drips, and how long that takes where nothing else is asked for. */
const DROPS = 20;
const DRIP_SECONDS = 2;

/** What befalls a request that is not handled. */
export async function strikeRequest(fault: WireFault, c: Context<Env>, service: Service): Promise<Response> {
  const nothing = { bytes: Buffer.alloc(0), headers: new Headers() };
  return refusal(fault, service.liberties) ?? strikeAnswer(fault, c, service, nothing);
}

/** The error object or the page of a fault that has one; undefined for the others. */
export function refusal(fault: WireFault, liberties: Liberties): Response | undefined {
  switch (fault.kind) {
    case "401":
      return problem(fault, 401, "Missing or invalid API key.");
    case "402":
      return problem(fault, 402, "Insufficient tokens.");
    case "403":
      return problem(fault, 403, "An active subscription is required.");
    case "404":
      return problem(fault, 404, "Not found.");
    case "429":
      return problem(fault, 429, RATE_LIMIT_MESSAGE);
    case "slot429":
      return problem(fault, 429, slotMessage(undefined, liberties));
    case "500":
      return problem(fault, 500, "Compute provider submission error.");
    case "503":
      return problem(fault, 503, `${fault.product ?? "The service"} is under maintenance.`);
    case "html":
      return new Response(HTML, { status: fault.status ?? 502, headers: { "content-type": "text/html" } });
    case "login":
      return new Response(null, { status: 302, headers: { location: LOGIN_PATH } });
    default:
      return undefined;
  }
}

/** What befalls the connection, or an answer that is on its way. */
export async function strikeAnswer(
  fault: WireFault,
  c: Context<Env>,
  { jobs }: Service,
  answer: Answer,
): Promise<Response> {
  const { bytes, headers } = answer;
  const half = bytes.subarray(0, bytes.length / 2);
  switch (fault.kind) {
    case "reset-before":
    case "reset-after":
      c.env.incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case "hang":
      return untilClosed(c);
    case "stall":
      begin(c, answer);
      c.env.outgoing.write(half);
      return untilClosed(c);
    case "partial":
      if (fault.length !== "whole") return shortened(headers, half);
      begin(c, answer);
      c.env.outgoing.write(half, () => c.env.outgoing.destroy());
      return untilClosed(c);
    case "truncated":
      return shortened(headers, half);
    case "empty":
      return shortened(headers, Buffer.alloc(0));
    case "drip":
      begin(c, answer);
      await drip(c, bytes, (fault.seconds ?? DRIP_SECONDS) * 1000);
      return RESPONSE_ALREADY_SENT;
    default:
      return shortened(headers, Buffer.from(spoiled(fault, bytes, (id) => jobs.get(id)?.created_at)));
  }
}

function problem({ retryAfter }: WireFault, code: number, error: string): Response {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return Response.json({ error, code }, { status: code, headers });
}

/** An answer with another body, whose length is said as it is. */
function shortened(headers: Headers, body: Buffer): Response {
  const kept = new Headers(headers);
  kept.delete("content-length");
  return new Response(new Uint8Array(body), { headers: kept });
}

/** Sends the head of an answer, which tells the length of the whole. */
function begin(c: Context<Env>, { bytes, headers }: Answer): void {
  const type = headers.get("content-type") ?? "application/octet-stream";
  c.env.outgoing.writeHead(200, { "content-type": type, "content-length": bytes.length });
}

async function drip(c: Context<Env>, bytes: Buffer, durationMs: number): Promise<void> {
  const { outgoing } = c.env;
  const size = Math.ceil(bytes.length / DROPS);
  for (let drop = 0; drop < DROPS && !outgoing.closed; drop += 1) {
    outgoing.write(bytes.subarray(drop * size, (drop + 1) * size));
    await sleep(durationMs / DROPS);
  }
  outgoing.end();
}

async function untilClosed(c: Context<Env>): Promise<Response> {
  if (!c.env.outgoing.closed) await once(c.env.outgoing, "close");
  return RESPONSE_ALREADY_SENT;
}
