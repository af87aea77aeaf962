import { Hono } from "hono";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { limitBody, readBody } from "../records/body.ts";
import { chance } from "../liberties/chance.ts";
import { tokens } from "../records/formats.ts";
import { guard } from "../service/guard.ts";
import type { Operation } from "../operations/operation.ts";
import type { SandboxGroup } from "../service/rates.ts";
import { Refusal } from "../records/refusal.ts";
import type { Env, Service } from "../service/service.ts";

const FAILURES = [
  "The compute provider ran out of memory.",
  "The model returned no frames.",
  "The compute provider stopped answering.",
];

const SUBMIT_STATUS = { "200": 200, "201": 201, "202": 202 } as const;

/** Where the pages for browsers are that `status_url` names. */
export const PAGE_PREFIX = "/pages/jobs";

/**
 * The generation endpoints (section 4): one POST path and its aliases for each operation.
 * @param full whether this is the full-catalogue host
 */
export function generateRoutes(service: Service, full: boolean): Hono<Env> {
  const { liberties } = service;
  const app = new Hono<Env>();
  for (const operation of service.operations.all)
    app.on(
      "POST",
      [...operation.paths],
      guard(service, groupOf(operation, service)),
      limitBody,
      async (c) => {
        const { account } = c.var;
        const body = await readBody(c.req, operation.multipart);
        const caller = { account, full, catalogues: service.catalogues, liberties };
        const { files, cost, finalCost, request } = await operation.plan(body, caller);
        const id = service.jobs.newId();
        const dir = join(service.files, id);
        // Files first: a job that was accepted can then always be rendered.
        await mkdir(dir, { mode: 0o700 });
        let left: number;
        try {
          for (const [name, file] of Object.entries(files)) await writeFile(join(dir, name), file);
          left = service.jobs.accept(account, {
            id,
            type: operation.type,
            operation: operation.name,
            host: full ? "full-catalog" : "primary",
            cost,
            final_cost: finalCost ?? cost,
            request,
            ...fate(service),
          });
        } catch (error) {
          // What stays is cleared away by the next start: what the caller hears is why nothing was accepted.
          await rm(dir, { recursive: true, force: true }).catch(() => undefined);
          if (error instanceof Refusal && error.status === 429) service.counters.rejected.slot += 1;
          throw error;
        }
        // From here on it is charged: nothing may fail any more.
        service.worker.tick();
        return c.json(
          operation.answer({
            id,
            cost: tokens(cost),
            balance: tokens(left),
            statusUrl: `${new URL(c.req.url).origin}${PAGE_PREFIX}/${id}`,
            request,
            liberties,
          }),
          SUBMIT_STATUS[liberties.submitStatus],
        );
      },
    );
  return app;
}

function groupOf({ type, group }: Operation, { liberties }: Service): SandboxGroup {
  return type === "imgpro" && liberties.imgproRate === "own" ? "imgpro" : group;
}

/** How long the next job is to take, and whether it will fail: the same for the same seed. */
function fate({ jobs, seed, timeScale, jobSeconds: [least, most], failRate }: Service) {
  const number = jobs.accepted();
  const fails = chance(seed, "fails", number) < failRate;
  return {
    planned_ms: (least + (most - least) * chance(seed, "duration", number)) * 1000 * timeScale,
    failure: fails ? (FAILURES[number % FAILURES.length] ?? null) : null,
  };
}
