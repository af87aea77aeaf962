import { type Context, Hono } from "hono";
import { z } from "zod";
import { ReelayError } from "../../../src/common/errors.ts";
import { REPORT_MEASURES, REPORT_STATES } from "../../../src/seam/access/people-desk.ts";
import { subjectNamed } from "../../../src/seam/access/subjects.ts";
import type { OperatorHost } from "../../../src/seam/surface/host.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { bodyOf, jsonOnly } from "../serving/json-body.ts";
import { asks, type ConsoleEnv, mayDo } from "./env.ts";
import { sought } from "./sought.ts";
import type { PeopleShown, ShownPerson } from "./people-wire.ts";

/** Reports on one page. */
const PAGE = 20;

const block = z.object({ subject: z.string().max(200), reason: z.string().max(500).optional() });
const decision = z.object({
  measure: z.enum(REPORT_MEASURES),
  seen: z.enum(REPORT_STATES),
});

/** What those who run Reelay look at and decide about people and what people made. */
export function peopleRoutes({ safety }: Pick<OperatorHost, "safety">, intake: () => Intake) {
  const app = new Hono<ConsoleEnv>();

  app.get("/people", asks("see-people"), async (c) => {
    const desk = await safety(c.var.operator.id);
    const reports = await (await intake().people()).reports(PAGE, c.req.query("before"));
    return c.json({
      reports,
      before: reports.length < PAGE ? null : (reports.at(-1)?.job ?? null),
      blocks: await desk.blocks(),
    } satisfies PeopleShown);
  });
  app.post("/people/one", asks("see-people"), jsonOnly, async (c) => {
    const user = await personNamed(c, (await bodyOf(c, sought)).of);
    const card = await (await intake().people()).person(user);
    const isTold = mayDo(c, "see-money");
    return c.json({ ...card, ...(!isTold && { tokens: null, budgets: null }) } satisfies ShownPerson);
  });
  app.post("/blocks", asks("manage-people"), jsonOnly, async (c) => {
    const { subject, reason } = await bodyOf(c, block);
    const desk = await safety(c.var.operator.id);
    return c.json(await desk.block(await personNamed(c, subject), reason === "" ? undefined : reason), 201);
  });
  app.post("/blocks/lift", asks("manage-people"), jsonOnly, async (c) => {
    const { subject } = await bodyOf(c, block.pick({ subject: true }));
    const desk = await safety(c.var.operator.id);
    // Somebody else was faster.
    if (!(await desk.unblock(await personNamed(c, subject)))) throw new ReelayError("changed_meanwhile");
    return c.body(null, 204);
  });
  app.post("/reports/:job", asks("decide-report"), jsonOnly, async (c) => {
    const { measure, seen } = await bodyOf(c, decision);
    const { id } = c.var.operator;
    return c.json(await (await intake().people()).decide(c.req.param("job"), measure, seen, id));
  });
  return app;

  /** @throws ReelayError `not_a_person`; `key_in_words` for a key, which is said to nobody */
  async function personNamed({ var: { operator } }: Context<ConsoleEnv>, text: string): Promise<UserId> {
    const subject = subjectNamed(text.trim());
    const by = { platform: "web", user: operator.id, audience: "private" } as const;
    // What a partner calls somebody may look like a key.
    const isKey = await intake().keys.find(by, text, subject === undefined ? "asked" : "known");
    if (isKey) throw new ReelayError("key_in_words", { field: "of" });
    if (subject === undefined) throw new ReelayError("not_a_person", { who: text });
    return subject;
  }
}
