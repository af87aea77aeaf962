import { type Context, Hono } from "hono";
import { z } from "zod";
import { ReelayError } from "../../src/common/errors.ts";
import { type Setup, SETUP_STEPS, type SetupOutcome, type SetupStep } from "../../src/seam/surface/setup.ts";
import type { PageEnv } from "./access.ts";
import { bodyOf, jsonOnly } from "./json-body.ts";
import { OPERATOR } from "./person.ts";

const entered = z.object({
  revision: z.int().nonnegative(),
  values: z.record(z.string(), z.string().max(4_000).nullable()),
  anyway: z.boolean().default(false),
});

const STATUS = { saved: 200, refused: 422, stale: 409 } as const satisfies Record<
  SetupOutcome["outcome"],
  number
>;

/** The routes of the page `/setup`, for whoever runs Reelay; who that is was asked before. */
export function setupRoutes(setup: Setup): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  // Nobody else, whoever else is let in here: these are the keys that everything is paid with.
  app.use(async (c, next) => {
    if (c.var.person.user !== OPERATOR.user) throw new ReelayError("not_yours");
    await next();
  });
  app.get("/", async (c) => c.json(await setup.state()));
  app.get("/:step/findings", async (c) => c.json(await setup.look(stepOf(c))));
  app.post("/discord/hello", jsonOnly, async (c) => {
    const { channel } = await bodyOf(c, z.object({ channel: z.string().regex(/^\d{15,22}$/) }));
    return c.json(await setup.tryOut(channel));
  });
  app.post("/:step", jsonOnly, async (c) => {
    const outcome = await setup.save(stepOf(c), await bodyOf(c, entered));
    return c.json(outcome, STATUS[outcome.outcome]);
  });
  return app;
}

function stepOf(c: Context): SetupStep {
  const step = SETUP_STEPS.find((one) => one === c.req.param("step"));
  if (step === undefined) throw new ReelayError("bad_request", { reason: "step" });
  return step;
}
