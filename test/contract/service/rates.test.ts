import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ELSEWHERE, hasElsewhere } from "../../support/loopback.ts";
import { testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { everyPath, NO_JOB } from "./service.ts";
import { type Group, RATE_MESSAGE, RATES } from "./table.ts";

const HERE = "127.0.0.1";

const ALL = everyPath(NO_JOB);
const GROUPS = Object.entries(RATES).map(([group, limit]) => ({ group: group as Group, limit }));
const TOO_MANY = { status: 429, body: { error: RATE_MESSAGE, code: 429 } };

/** The requests of a group, each path of it on both hosts; a POST is empty, which counts like any other. */
function requestsOf({ url, fullCatalogUrl }: TestSandbox, group: Group) {
  const urls = { primary: url, "full-catalog": fullCatalogUrl };
  const paths = ALL.filter(({ endpoint }) => endpoint.group === group);
  return paths.map(({ endpoint: { method }, host, path }) => async (key: string, localAddress = HERE) => {
    const headers = { "x-api-key": key, "content-type": "application/json", "content-length": 0 };
    const asked = request(urls[host] + path, { method, localAddress, headers, agent: false }).end();
    const [response] = z.tuple([z.custom<IncomingMessage>()]).parse(await once(asked, "response"));
    return { status: response.statusCode, body: await json(response) };
  });
}

/** Asks as often as the limit allows, round all paths of the group. */
async function spend(requests: ReturnType<typeof requestsOf>, limit: number, key: string, from = HERE) {
  const rounds = Array.from({ length: limit }, (_, nth) => requests[nth % requests.length]);
  const answers = await Promise.all(rounds.map(async (ask) => ask?.(key, from)));
  return answers.filter((answer) => answer?.status === 429);
}

// The sandbox's window is the real one, of 60 s: no request of a test leaves it.
describe("the published rates (section 8.1)", () => {
  it.each(GROUPS)(
    "$group: exactly $limit a window over all its paths on both hosts",
    async ({ group, limit }) => {
      await using sandbox = await testSandbox({ timeScale: 1 });
      const requests = requestsOf(sandbox, group);
      expect(await spend(requests, limit, sandbox.keys.pro)).toEqual([]);
      for (const ask of requests) {
        expect(await ask(sandbox.keys.pro)).toEqual(TOO_MANY);
        expect(await ask(sandbox.keys.ultra), "another key on the same IP").toEqual(TOO_MANY);
      }
      for (const { group: other } of GROUPS.filter((one) => one.group !== group)) {
        const [ask] = requestsOf(sandbox, other);
        expect((await ask?.(sandbox.keys.pro))?.status, `beside ${other}`).not.toBe(429);
      }
    },
  );

  it.skipIf(!hasElsewhere).each(GROUPS)(
    "$group: per key as well (on systems whose loopback has a second address)",
    async ({ group, limit }) => {
      await using sandbox = await testSandbox({ timeScale: 1 });
      const requests = requestsOf(sandbox, group);
      expect(await spend(requests, limit, sandbox.keys.pro)).toEqual([]);
      for (const ask of requests) {
        expect(await ask(sandbox.keys.pro, ELSEWHERE), "the same key on another IP").toEqual(TOO_MANY);
      }
      expect(await spend(requests, limit, sandbox.keys.ultra, ELSEWHERE), "another key there").toEqual([]);
    },
  );
});
