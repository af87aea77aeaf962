import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createHttpSurface } from "../../adapters/http/surface.ts";
import type { JobBody } from "../../adapters/http/resources/job.ts";
import { administrationOf } from "../../src/app/administration.ts";
import { readConfig } from "../../src/app/config.ts";
import { openServer } from "../../src/app/open-server.ts";
import { SCOPES } from "../../src/seam/access/partners.ts";
import type { PartnerAdmin } from "../../src/seam/access/partners.ts";
import type { UserId } from "../../src/seam/values.ts";
import { TIME_SCALE } from "./core.ts";
import { temporaryFolder } from "./sandbox.ts";

/** A service that is never to be asked anything: what comes is remembered, and refused. */
export async function untouchedService() {
  const asked: string[] = [];
  const refuse: RequestListener = ({ method, url, headers }, response) => {
    asked.push(`${method} ${url} ${headers["x-api-key"] === undefined ? "without" : "with"} a key`);
    response.writeHead(500).end();
  };
  const server = createServer(refuse).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Settings of a Reelay whose service is at an address, and which pays with a key where there is one. */
export const settingsFor = (service: string, key?: string): Readonly<Record<string, string>> => ({
  REELAY_API_URL: service,
  ...(key !== undefined && { REELAY_API_KEY: key, REELAY_OPERATOR_KEY_FOR: "all" }),
  REELAY_DATA: temporaryFolder(),
  REELAY_SECRET: "a secret for tests only",
  REELAY_RATE_WINDOW_MS: String(60_000 * TIME_SCALE),
  REELAY_POLL_MS: String(5_000 * TIME_SCALE),
  REELAY_LOG_LEVEL: "silent",
});

/** The whole server as it is started, as far as programs reach it. */
export async function openTestable(env: Readonly<Record<string, string>>) {
  const settings = readConfig(env);
  const opened = await openServer(settings, (host, forPartners) => [createHttpSurface(host, forPartners)], {
    makeTests: createHttpSurface,
  });
  const url = await opened.server.listen("127.0.0.1", 0);
  const manage = <T>(work: (partners: PartnerAdmin) => Promise<T>) =>
    administrationOf(settings).partners(work);
  return {
    url,
    /** Where what test tokens made is kept. */
    store: join(settings.data, "test", "reelay.db"),
    manage,
    join: async (name = "acme", test = false) =>
      (await manage((partners) => partners.add(name, { scopes: SCOPES, test }))).fresh.token,
    tokenFor: async (name: string, test: boolean) =>
      (await manage((partners) => partners.addToken(name, { scopes: SCOPES, test }))).token,
    /** Keeps somebody out, or lets them in again, as whoever runs Reelay. */
    block: (subject: UserId, isBlocked: boolean) =>
      administrationOf(settings).safety(async (desk) => {
        await (isBlocked ? desk.block(subject, "spam") : desk.unblock(subject));
      }),
    /** What jobs of the service came to, for each platform. */
    spent: async () =>
      (await administrationOf(settings).usage({ by: ["platform"] })).map(({ jobs, platform }) => ({
        jobs,
        platform,
      })),
    /** Whoever calls with a token. */
    as: (token: string) => callerAt(url, token),
    [Symbol.asyncDispose]: () => opened.stop(),
  };
}

/** Calls below `/v1` with a token. */
export function callerAt(url: string, token: string) {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/v1${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof init.body === "string" && { "content-type": "application/json" }),
        ...(init.headers as Record<string, string>),
      },
    });
  const submit = (body: object, key: string = crypto.randomUUID()) =>
    call("/jobs", { method: "POST", headers: { "idempotency-key": key }, body: JSON.stringify(body) });
  return {
    token,
    call,
    submit,
    async accepted(body: object): Promise<JobBody> {
      const answer = await submit(body);
      if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as JobBody;
    },
    async ended(id: string): Promise<JobBody> {
      await (await call(`/jobs/${id}/events`)).text();
      return (await (await call(`/jobs/${id}`)).json()) as JobBody;
    },
  };
}
