import { Hono } from "hono";
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
    const card = await (await intake().people()).person(personNamed((await bodyOf(c, sought)).of));
    const isTold = mayDo(c, "see-money");
    return c.json({ ...card, ...(!isTold && { tokens: null, budgets: null }) } satisfies ShownPerson);
  });
  app.post("/blocks", asks("manage-people"), jsonOnly, async (c) => {
    const { subject, reason } = await bodyOf(c, block);
    const desk = await safety(c.var.operator.id);
    return c.json(await desk.block(personNamed(subject), reason === "" ? undefined : reason), 201);
  });
  app.post("/blocks/lift", asks("manage-people"), jsonOnly, async (c) => {
    const { subject } = await bodyOf(c, block.pick({ subject: true }));
    const desk = await safety(c.var.operator.id);
    // Somebody else was faster.
    if (!(await desk.unblock(personNamed(subject)))) throw new ReelayError("changed_meanwhile");
    return c.body(null, 204);
  });
  app.post("/reports/:job", asks("decide-report"), jsonOnly, async (c) => {
    const { measure, seen } = await bodyOf(c, decision);
    const { id } = c.var.operator;
    return c.json(await (await intake().people()).decide(c.req.param("job"), measure, seen, id));
  });
  return app;
}

/** @throws ReelayError `not_a_person` */
function personNamed(text: string): UserId {
  const subject = subjectNamed(text.trim());
  if (subject === undefined) throw new ReelayError("not_a_person", { who: text });
  return subject;
}
