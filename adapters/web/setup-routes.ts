import { type Context, Hono } from "hono";
import { z } from "zod";
import { ReelayError } from "../../src/common/errors.ts";
import { type Setup, SETUP_STEPS, type SetupOutcome, type SetupStep } from "../../src/seam/surface/setup.ts";
import type { PageAccess, PageEnv } from "./access.ts";
import { bodyOf, jsonOnly } from "./serving/json-body.ts";

const entered = z.object({
  revision: z.int().nonnegative(),
  values: z.record(z.string(), z.string().max(4_000).nullable()),
  anyway: z.boolean().default(false),
});

const STATUS = { saved: 200, refused: 422, stale: 409 } as const satisfies Record<
  SetupOutcome["outcome"],
  number
>;

/** The routes of the page `/setup`; who asks is known before. */
export function setupRoutes(setup: Setup, access: Pick<PageAccess, "maySetUp">): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  // These are the keys that everything is paid with.
  app.use(async (c, next) => {
    if (!access.maySetUp(c)) throw new ReelayError("role_may_not");
    await next();
  });
  app.get("/", async (c) => c.json(await setup.state()));
  app.get("/:step/findings", async (c) => c.json(await setup.look(stepOf(c))));
  app.post("/discord/hello", jsonOnly, async (c) => {
    const { channel } = await bodyOf(c, z.object({ channel: z.string().regex(/^\d{15,22}$/) }));
    return c.json(await setup.tryOut(channel));
  });
  app.post("/:step", jsonOnly, async (c) => {
    const outcome = await setup.save(stepOf(c), await bodyOf(c, entered), c.var.person.user);
    return c.json(outcome, STATUS[outcome.outcome]);
  });
  return app;
}

function stepOf(c: Context): SetupStep {
  const step = SETUP_STEPS.find((one) => one === c.req.param("step"));
  if (step === undefined) throw new ReelayError("bad_request", { reason: "step" });
  return step;
}
