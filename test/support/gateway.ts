import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { OpenApi } from "../../adapters/http/openapi/model.ts";
import { createHttpSurface } from "../../adapters/http/surface.ts";
import type { JobBody } from "../../adapters/http/resources/job.ts";
import type { PartnerAdmin, PartnerSettings, Scope } from "../../src/seam/access/partners.ts";
import { SCOPES } from "../../src/seam/access/partners.ts";
import type { Surface } from "../../src/seam/surface/surface.ts";
import { readConfig } from "../../src/app/config.ts";
import { mayBeKey } from "../../src/domain/keys/watch.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { createServer } from "../../src/app/server.ts";
import type { Vault } from "../../src/infrastructure/vault/vault.ts";
import { openAdapter } from "./adapter.ts";
import { TIME_SCALE } from "./core.ts";
import { checkedFetch } from "./openapi.ts";
import { temporaryFolder } from "./sandbox.ts";

/** The gateway on a real server, with a core and a sandbox behind it. `await using` stops it. */
export interface TestGateway extends AsyncDisposable {
  /** Where it is, without a slash at the end. */
  readonly url: string;
  readonly partners: PartnerAdmin;
  readonly surface: Surface;
  readonly data: string;
  readonly vault: Vault;
  /** What was logged. */
  readonly lines: readonly string[];
  /** How many files of partners are on the disk. */
  storedFiles(): Promise<number>;
  /** Adds a partner. */
  join(name?: string, options?: JoinOptions): Promise<TestPartner>;
}

interface JoinOptions extends PartnerSettings {
  readonly scopes?: readonly Scope[];
  readonly key?: string;
}

/** A partner who calls the gateway. */
export interface TestPartner {
  readonly token: string;
  /** Calls a path below `/v1` with the partner's token. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Asks for a job, as JSON. */
  submit(body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** The same for one that must be accepted. */
  accepted(body: object, headers?: Readonly<Record<string, string>>): Promise<JobBody>;
  /** The job, once it is over. */
  ended(id: string): Promise<JobBody>;
}

/** What may differ. */
export interface GatewayOptions {
  /** A data folder that another gateway used before. */
  readonly data?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether everybody's requests are paid for, with play money. Default: yes. */
  readonly paid?: boolean;
  readonly timeScale?: number;
  /** By default one that compares every request and answer with the gateway's own documentation. */
  readonly fetch?: typeof fetch;
}

/** Opens a gateway. */
export async function openGateway(
  sandbox: Pick<Sandbox, "url" | "fullCatalogUrl" | "keys">,
  options: GatewayOptions = {},
): Promise<TestGateway> {
  const { data = temporaryFolder(), timeScale = TIME_SCALE, paid = true } = options;
  const config = readConfig({
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: data,
    REELAY_SECRET: "a secret for tests only",
    REELAY_RATE_WINDOW_MS: String(60_000 * timeScale),
    REELAY_POLL_MS: String(5_000 * timeScale),
    REELAY_PRIVATE_HOSTS: "127.0.0.1",
    REELAY_LOG_LEVEL: "debug",
    ...options.settings,
  });
  const adapter = await openAdapter(config, sandbox, { paid, make: createHttpSurface });
  const server = createServer(async () => [], {
    log: adapter.log,
    mayBeKey: (id) => mayBeKey(adapter.vault.known, id),
  });
  server.routes.route("/", adapter.routes);
  const url = await server.listen("127.0.0.1", 0);
  const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as OpenApi;
  const send = options.fetch ?? checkedFetch(document, fetch);

  function partnerOf(token: string): TestPartner {
    const call: TestPartner["call"] = (path, init = {}) =>
      send(`${url}/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
      });
    const submit: TestPartner["submit"] = (body, headers = {}) =>
      call("/jobs", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID(),
          ...headers,
        },
        body: JSON.stringify(body),
      });
    return {
      token,
      call,
      submit,
      accepted: async (body, headers) => jobIn(await submit(body, headers), 202),
      async ended(id) {
        // The stream closes at the end.
        await (await call(`/jobs/${id}/events`)).text();
        return jobIn(await call(`/jobs/${id}`), 200);
      },
    };
  }

  return {
    url,
    data,
    partners: adapter.partners,
    vault: adapter.vault,
    surface: adapter.surface,
    lines: adapter.lines,
    storedFiles: async () => (await readdir(join(data, "partners"))).length,
    async join(name = "acme", { scopes = SCOPES, ...settings } = {}) {
      const { fresh } = await adapter.partners.add(name, { ...settings, scopes });
      return partnerOf(fresh.token);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await adapter.stop();
    },
  };
}

async function jobIn(answer: Response, status: number): Promise<JobBody> {
  if (answer.status !== status) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as JobBody;
}
