import { vi } from "vitest";
import type { SandboxOptions } from "../../../src/sandbox/sandbox.ts";
import { caller, type Call } from "../../sandbox/call.ts";
import { testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { bodyOf, type Material, materialOf } from "./probes.ts";
import { samplesOf } from "./samples.ts";
import { type Endpoint, ENDPOINTS } from "./table.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

/** A name of an endpoint. */
export type Name = keyof typeof ENDPOINTS;

/** Every endpoint, with its name. */
export const EVERY = Object.entries<Endpoint>(ENDPOINTS).map(([name, endpoint]) => ({
  name: name as Name,
  endpoint,
}));

/** The endpoints that make something. */
export const GENERATING = EVERY.filter(({ name }) => name.startsWith("generate"));

/** The service's two hosts (section 1). */
export const HOSTS = ["primary", "full-catalog"] as const;

/** Every path of an endpoint, the first first. */
export function pathsOf({ path, aliases = [] }: Endpoint): readonly string[] {
  return [path, ...aliases];
}

/** Every path of every endpoint, on every host that has it, for a job of this id. */
export function everyPath(id: string) {
  return EVERY.flatMap(({ name, endpoint }) =>
    (endpoint.host ? [endpoint.host] : HOSTS).flatMap((host) =>
      pathsOf(endpoint).map((path) => ({ name, endpoint, host, path: path.replace("{id}", id) })),
    ),
  );
}

/** The id of no job. */
export const NO_JOB = "00000000-0000-4000-8000-000000000000";

/** A sandbox behind real HTTP with what requests to it are made of. */
export interface Emulated {
  readonly sandbox: TestSandbox;
  readonly material: Material;
  /** Both hosts, by name. */
  readonly hosts: Readonly<Record<(typeof HOSTS)[number], string>>;
  /** Calls of one account on one host. */
  readonly as: (account: keyof TestSandbox["keys"], host?: (typeof HOSTS)[number]) => Call;
  /** The least that a request needs, and what else is given. */
  readonly body: (name: Name, given?: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/**
 * Starts a sandbox whose published rates are counted in windows too short for two requests, so that no test meets them.
 * @param jobs how long its jobs take: they run on through a whole test, or end within milliseconds
 */
export async function emulated(
  jobs: "running" | "ending",
  options: Partial<SandboxOptions> = {},
): Promise<Emulated> {
  const jobSeconds = jobs === "running" ? ([1e9, 1e9] as const) : ([1, 2] as const);
  const sandbox = await testSandbox({ timeScale: 1e-6, jobSeconds, ...options });
  const material = await materialOf(await samplesOf(sandbox));
  const hosts = { primary: sandbox.url, "full-catalog": sandbox.fullCatalogUrl };
  return {
    sandbox,
    material,
    hosts,
    as: (account, host = "primary") => caller(hosts[host], sandbox.keys[account]),
    body: (name, given) => {
      const { body: fields = {} }: Endpoint = ENDPOINTS[name];
      return bodyOf(name, fields, material, given);
    },
  };
}

/** Reads a record until its job has ended. */
export function ended(call: Call, path: string) {
  return vi.waitFor(
    async () => {
      const { body } = await call("GET", path);
      if (body["status"] !== "COMPLETED" && body["status"] !== "FAILED")
        throw new Error(`It is still ${JSON.stringify(body["status"])}.`);
      return body;
    },
    { timeout: PATIENCE_MS, interval: 10 },
  );
}
