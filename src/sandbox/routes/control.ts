import { Hono } from "hono";
import { parseFields, readJson } from "../records/body.ts";
import { faultFields } from "../service/faults.ts";
import { tokens } from "../records/formats.ts";
import { shownLiberties } from "../liberties/liberties.ts";
import type { Submission } from "../records/records.ts";
import type { Env, Service } from "../service/service.ts";

/** The control endpoint below `/sandbox`: faults, what was chosen, and the ledger that tests compare with. Never shows a key. */
export function controlRoutes(service: Service): Hono<Env> {
  const { faults, jobs, accounts, counters } = service;
  return new Hono<Env>()
    .post("/faults", async (c) => {
      faults.add(parseFields(faultFields, await readJson(c.req)));
      return c.json({ faults: faults.list() }, 201);
    })
    .get("/faults", (c) => c.json({ faults: faults.list() }))
    .delete("/faults", (c) => {
      faults.clear();
      return c.json({ faults: [] });
    })
    .get("/liberties", (c) => c.json({ liberties: shownLiberties(service.liberties) }))
    .get("/ledger", (c) =>
      c.json({
        submissions: jobs.submissions().map(shownSubmission),
        requests: counters.requests,
        rejected: counters.rejected,
        reads: counters.reads,
        pages: counters.pages,
        leaked_keys: counters.leakedKeys,
        accounts: accounts.all().map((account) => ({
          name: account.name,
          tier: account.tier,
          tokens: tokens(account.tokens),
          used: tokens(account.used),
          running: jobs.running(account),
        })),
      }),
    );
}

function shownSubmission(submission: Submission) {
  return { ...submission, cost: tokens(submission.cost), at: new Date(submission.at).toISOString() };
}
