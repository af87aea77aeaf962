import { Hono, type MiddlewareHandler } from "hono";
import { parseFields, readJson } from "../records/body.ts";
import { h3TemplateFields, templateFields } from "../catalogues/registration.ts";
import { guard } from "../service/guard.ts";
import { Refusal } from "../records/refusal.ts";
import type { Env, Service } from "../service/service.ts";

/** Template registration, for boss accounts on the full-catalogue host (section 4.2). */
export function registrationRoutes(service: Service): Hono<Env> {
  const { catalogues } = service;
  const limited = guard(service, "registration");
  return new Hono<Env>()
    .post("/templates", limited, bossOnly, async (c) => {
      const fields = parseFields(templateFields, await readJson(c.req));
      catalogues.register(fields);
      return c.json(done(fields.id));
    })
    .post("/h3-r2v-templates", limited, bossOnly, async (c) => {
      const fields = parseFields(h3TemplateFields, await readJson(c.req));
      catalogues.registerH3(fields);
      return c.json(done(fields.id));
    });
}

function done(template_id: string) {
  return { success: true, template_id, message: `Template ${template_id} saved.` };
}

const bossOnly: MiddlewareHandler<Env> = async (c, next) => {
  if (c.var.account.tier !== "boss")
    throw new Refusal(403, "Template registration is for boss accounts only.");
  await next();
};
