import { Hono } from "hono";
import { z } from "zod";
import {
  GATES,
  type PartnerEntry,
  partnerUser,
  partnerVersion,
  SCOPES,
} from "../../../src/seam/access/partners.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../src/seam/access/webhooks.ts";
import { currentTime } from "../../../src/common/time.ts";
import { isAmount } from "../../../src/seam/forms/wanted.ts";
import type { OperatorHost } from "../../../src/seam/surface/host.ts";
import { bodyOf, jsonOnly } from "../serving/json-body.ts";
import { asks, type ConsoleEnv } from "./env.ts";
import type { FreshTokenShown, PartnerCard, ShownDelivery, ShownEndpoint } from "./people-wire.ts";

/** Messages of a partner that the page shows. */
const LATEST = 20;
/** What counts as spent lately, in milliseconds. */
const LATELY_MS = 30 * 24 * 3_600_000;

const cap = z.int().min(0).max(1_000_000).nullable().optional();
const budget = z.number().refine(isAmount).nullable().optional();
const caps = z
  .object({ day: cap, month: cap, atOnce: cap, dayTokens: budget, monthTokens: budget })
  .optional();
const settings = z.object({
  caps,
  userCaps: caps,
  requestsPerMinute: z.int().min(1).max(100_000).optional(),
  gates: z.enum(GATES).optional(),
});
const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .default([...SCOPES]);
const key = z.string().min(1).max(512);
const added = settings.extend({ name: z.string().min(1).max(80), scopes, key: key.optional() });
const changed = settings.extend({ version: z.string().max(4_000) });

/** What those who run Reelay do with partners: the use cases of `reelay partner` and `reelay webhooks`. */
export function partnerRoutes({
  budgetsOf,
  partners,
  partnerSums,
  webhooks,
}: Pick<OperatorHost, "budgetsOf" | "partners" | "partnerSums" | "webhooks">) {
  const app = new Hono<ConsoleEnv>();

  const spentLately = () =>
    partnerSums(new Date(currentTime() - LATELY_MS).toISOString().slice(0, "YYYY-MM-DD".length));

  async function cardOf(
    entry: PartnerEntry,
    all?: Awaited<ReturnType<typeof spentLately>>,
  ): Promise<PartnerCard> {
    const { id } = entry.partner;
    const { jobs, completed, tokens } = (all ?? (await spentLately())).get(id) ?? {
      jobs: 0,
      completed: 0,
      tokens: 0,
    };
    const user = partnerUser(id);
    // Nothing is done there, only looked at.
    const desk = webhooks(user);
    return {
      ...entry,
      version: partnerVersion(entry.partner),
      budgets: await budgetsOf(id),
      spent: { jobs, completed, tokens },
      endpoints: (await desk.list(user)).map(shownEndpoint),
      deliveries: (await desk.deliveries(user, { limit: LATEST })).map(shownDelivery),
    };
  }

  app.get("/partners", asks("see-partners"), async (c) => {
    const all = await (await partners(c.var.operator.id)).list();
    const spent = await spentLately();
    return c.json(await Promise.all(all.map((entry) => cardOf(entry, spent))));
  });
  app.post("/partners", asks("manage-partners"), jsonOnly, async (c) => {
    const { name, ...more } = await bodyOf(c, added);
    const { fresh } = await (await partners(c.var.operator.id)).add(name, more);
    return c.json({ token: fresh.token } satisfies FreshTokenShown, 201);
  });
  app.post("/partners/:id/settings", asks("manage-partners"), jsonOnly, async (c) => {
    const { version, ...more } = await bodyOf(c, changed);
    const desk = await partners(c.var.operator.id);
    return c.json(await cardOf(await desk.set(c.req.param("id"), more, version)));
  });
  app.post("/partners/:id/key", asks("manage-partners"), jsonOnly, async (c) => {
    const given = await bodyOf(c, z.object({ key }));
    const desk = await partners(c.var.operator.id);
    return c.json(await cardOf(await desk.setKey(c.req.param("id"), given.key)));
  });
  app.post("/partners/:id/tokens", asks("manage-partners"), jsonOnly, async (c) => {
    const terms = await bodyOf(c, z.object({ scopes, test: z.boolean().optional() }));
    const { token } = await (await partners(c.var.operator.id)).addToken(c.req.param("id"), terms);
    return c.json({ token } satisfies FreshTokenShown, 201);
  });
  app.post("/partners/:id/tokens/:token/rotate", asks("manage-partners"), jsonOnly, async (c) => {
    const { id, token: old } = c.req.param();
    const { token } = await (await partners(c.var.operator.id)).rotateToken(id, old);
    return c.json({ token } satisfies FreshTokenShown, 201);
  });
  app.delete("/partners/:id/tokens/:token", asks("manage-partners"), async (c) => {
    const { id, token } = c.req.param();
    await (await partners(c.var.operator.id)).revokeToken(id, token);
    return c.body(null, 204);
  });
  app.post("/partners/:id/deliveries/:delivery/resend", asks("manage-partners"), jsonOnly, async (c) => {
    const { id, delivery } = c.req.param();
    return c.json(shownDelivery(await webhooks(c.var.operator.id).resend(partnerUser(id), delivery)));
  });
  return app;
}

const hostOf = (url: string) => new URL(url).host;

function shownEndpoint({ id, url, events, disabledAt, disabledBecause }: WebhookEndpoint): ShownEndpoint {
  return { id, host: hostOf(url), events, disabledAt, disabledBecause };
}

function shownDelivery(delivery: WebhookDelivery): ShownDelivery {
  const { id, url, type, job, state, createdAt, nextAt, attempts } = delivery;
  const last = attempts.at(-1);
  const came = last?.status === null || last === undefined ? last?.error : String(last.status);
  return {
    id,
    host: hostOf(url),
    type,
    job,
    state,
    createdAt,
    nextAt,
    tries: attempts.length,
    last: came ?? null,
  };
}
