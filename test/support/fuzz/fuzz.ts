import type { OpenApi } from "../../../adapters/http/openapi/model.ts";
import { problemSchema } from "../../../adapters/http/resources/problem.ts";
import type { TestGateway } from "../gateway.ts";
import { drawn } from "../keys.ts";
import { checkedFetch } from "../openapi.ts";
import { testPicture } from "../sandbox.ts";
import { type Drawn, drawnRequest } from "./requests.ts";
import { chance, pick, Values } from "./values.ts";

/** What a run came to. */
export interface Fuzzed {
  /** Answers, by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What should not be, each with the request that it came of. */
  readonly findings: readonly string[];
}

/** More than anybody looks through. */
const MOST_FINDINGS = 50;
/** No answer takes longer, in milliseconds: the events of a job that never ends would. */
const PATIENCE_MS = 20_000;

/**
 * Sends requests that are drawn from the gateway's own document, and compares each answer with it.
 * @param seed the same requests for the same seed, but for what was made meanwhile
 */
export async function fuzz(
  gateway: Pick<TestGateway, "url" | "join">,
  { seed, count }: { readonly seed: string; readonly count: number },
): Promise<Fuzzed> {
  const draw = drawn(seed);
  const document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApi;
  const values = new Values(document, draw, await testPicture(64, 64));
  const { token } = await gateway.join("fuzzed", { requestsPerMinute: 1_000_000 });
  const { token: stranger } = await gateway.join("stranger", { requestsPerMinute: 1_000_000 });
  const send = checkedFetch(document, fetch);
  const statuses = new Map<number, number>();
  const findings: string[] = [];
  const ids = ["none"];

  for (let nth = 0; nth < count && findings.length < MOST_FINDINGS; nth++) {
    const known = { document, values, token, stranger, ids: ids.slice(-40) };
    const request = drawnRequest(draw, known);
    try {
      // It is sent once: one that gets no answer does not know whether it paid.
      const answer = await send(`${gateway.url}/v1${request.path}`, initOf(request));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const goesOn = answer.headers.get("content-type") === "text/event-stream";
      const text = goesOn ? "" : await answer.text();
      if (answer.status >= 500) throw new Error(`${answer.status}: ${text}`);
      if (
        !answer.ok &&
        request.method !== "HEAD" &&
        answer.headers.get("content-type") === "application/problem+json"
      )
        problemSchema.parse(JSON.parse(text));
      ids.push(...[...text.matchAll(/"id":"([\w-]{6,60})"/g)].map(([, id = ""]) => id).slice(0, 3));
      await answer.body?.cancel().catch(() => {});
    } catch (error) {
      findings.push(
        `#${nth} ${told(request)}\n   ${String(error).slice(0, 600)} ${error instanceof Error ? String(error.cause) : ""}`,
      );
    }
  }
  return { statuses, findings };

  function initOf({ method, headers, body }: Drawn): RequestInit {
    const isText = typeof body === "string" || body instanceof Buffer;
    const type = chance(draw, 95)
      ? "application/json"
      : pick(draw, [
          "text/plain",
          "application/jsonx",
          "",
          "multipart/form-data",
          "application/x-www-form-urlencoded",
        ]);
    return {
      method,
      headers: { ...headers, ...(isText && { "content-type": type }) },
      ...(body !== undefined && { body: body instanceof Buffer ? new Uint8Array(body) : body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    };
  }
}

const told = ({ method, path, headers, body }: Drawn) => {
  const { authorization: _, ...others } = headers;
  const sent = body instanceof FormData ? JSON.stringify([...body.keys()]) : String(body ?? "").slice(0, 300);
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(others)} ${sent}`;
};
