import { Hono } from "hono";
import { z } from "zod";
import { addressOf, type SurfaceConfig } from "../../../src/seam/config.ts";
import {
  OPERATOR_ROLES,
  operatorAddress,
  type OperatorLink,
  type Operators,
} from "../../../src/seam/access/operators.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { bodyOf, jsonOnly } from "../serving/json-body.ts";
import { asks, type ConsoleEnv } from "./env.ts";
import type { OperatorLinkShown, OperatorsShown } from "./people-wire.ts";

const role = z.enum(OPERATOR_ROLES);

/** Who runs Reelay, and what becomes of them. */
export function operatorRoutes(
  operators: Operators,
  config: SurfaceConfig,
  endSessions: (user: UserId) => Promise<void>,
) {
  const app = new Hono<ConsoleEnv>();
  const shown = (made: OperatorLink): OperatorLinkShown => ({
    operator: made.operator,
    address: operatorAddress(addressOf(config), made),
  });

  app.get("/operators", asks("manage-operators"), async (c) => {
    const { id, role: own } = c.var.operator;
    const all = await operators.list();
    return c.json({ operators: all, you: { id, role: own } } satisfies OperatorsShown);
  });
  app.post("/operators", asks("manage-operators"), jsonOnly, async (c) => {
    const given = await bodyOf(c, z.object({ role }));
    return c.json(shown(await operators.invite(given.role, c.var.operator.id)), 201);
  });
  app.post("/operators/:id/role", asks("manage-operators"), jsonOnly, async (c) => {
    const change = await bodyOf(c, z.object({ from: role, to: role }));
    return c.json(await operators.setRole(idIn(c.req.param("id")), change, c.var.operator.id));
  });
  app.post("/operators/:id/link", asks("manage-operators"), jsonOnly, async (c) =>
    c.json(shown(await operators.link(idIn(c.req.param("id")), c.var.operator.id)), 201),
  );
  app.delete("/operators/:id/sessions", asks("manage-operators"), async (c) => {
    const id = idIn(c.req.param("id"));
    await operators.signOut(id, c.var.operator.id);
    await endSessions(id);
    return c.body(null, 204);
  });
  app.delete("/operators/:id", asks("manage-operators"), async (c) => {
    const id = idIn(c.req.param("id"));
    await operators.remove(id, c.var.operator.id);
    await endSessions(id);
    return c.body(null, 204);
  });
  // For another device of one's own, whatever one may.
  app.post("/own-link", asks("see-now"), jsonOnly, async (c) => {
    const { id } = c.var.operator;
    return c.json(shown(await operators.link(id, id)), 201);
  });
  return app;
}

/** An id in a path: of one of those who run Reelay, or of nobody. */
const idIn = (text: string): UserId => `web:${text.replace(/^web:/, "")}`;
