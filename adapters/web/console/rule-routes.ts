import { Hono } from "hono";
import { z } from "zod";
import type { RulesAdmin } from "../../../src/seam/surface/rules.ts";
import { bodyOf, jsonOnly } from "../serving/json-body.ts";
import { asks, type ConsoleEnv } from "./env.ts";
import { seenIn } from "./seen.ts";
import type { RuleRefused } from "./wire.ts";

/** A new value; null: nothing is set any more. */
const wanted = z.object({ value: z.string().max(20_000).nullable() });

/** What may be changed while Reelay runs; whoever changes something says which version of it they saw. */
export function ruleRoutes(rules: () => Promise<RulesAdmin>): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.get("/rules", asks("see-rules"), async (c) => c.json(await (await rules()).state()));
  app.post("/rules/:name/check", asks("change-rule"), jsonOnly, async (c) => {
    const { value } = await bodyOf(c, wanted);
    const wrong = await (await rules()).check(c.req.param("name"), value);
    if (!wrong) return c.body(null, 204);
    return c.json({ code: "bad_request", params: {}, wrong } satisfies RuleRefused, 422);
  });
  app.put("/rules/:name", asks("change-rule"), jsonOnly, async (c) => {
    const version = Number(seenIn(c, /^\d{1,15}$/));
    const { value } = await bodyOf(c, wanted);
    const desk = await rules();
    const done = await desk.change(c.req.param("name"), { value, version }, c.var.operator.id);
    if (done.outcome === "refused")
      return c.json({ code: "bad_request", params: {}, wrong: done.wrong } satisfies RuleRefused, 422);
    if (done.outcome === "stale")
      return c.json({ code: "changed_meanwhile", params: {}, rule: done.rule } satisfies RuleRefused, 412);
    return c.json(done.rule);
  });
  return app;
}
