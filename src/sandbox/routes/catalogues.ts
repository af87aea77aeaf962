import { Hono } from "hono";
import { z } from "zod";
import { H3_TEMPLATE_SORTS } from "../../common/contract.ts";
import { parseFields } from "../records/body.ts";
import { curated } from "../catalogues/curation.ts";
import { publicH3Template, type H3Template } from "../catalogues/h3-templates.ts";
import { IMAGE_EDIT_TEMPLATES, publicImageEditTemplate } from "../catalogues/image-edit-templates.ts";
import { IMAGE_MODELS, publicImageModel } from "../catalogues/image-models.ts";
import { guard } from "../service/guard.ts";
import { Refusal } from "../records/refusal.ts";
import type { Env, Service } from "../service/service.ts";

/** Prompts are always shown to keys (section 4.2), so nothing is locked for them. */
const PROMPT_LOCK = { pro_prompt_lock_enabled: false };

/** Query of `GET /h3-r2v-templates`; what else a query carries is ignored. */
const h3Query = z.object({
  sort: z
    .enum(H3_TEMPLATE_SORTS, { error: `must be one of ${H3_TEMPLATE_SORTS.join(", ")}` })
    .default("latest"),
  id: z.string().optional(),
});

/**
 * The catalogues beside the video templates (section 4.2).
 * @param full whether this is the full-catalogue host
 */
export function catalogueRoutes(service: Service, full: boolean): Hono<Env> {
  const { jobs, catalogues } = service;
  const limited = guard(service, "user");
  return new Hono<Env>()
    .get("/image-models", limited, (c) =>
      c.json({ success: true, models: byId(IMAGE_MODELS, publicImageModel) }),
    )
    .get("/image-edit-templates", limited, (c) => {
      const uses = jobs.templateUses("image_edit", "imgpro");
      const templates = byId(curated(IMAGE_EDIT_TEMPLATES, full), (template) =>
        publicImageEditTemplate(template, uses.get(template.id) ?? 0),
      );
      return c.json({ success: true, templates });
    })
    .get("/h3-r2v-templates", limited, (c) => {
      const { sort, id } = parseFields(h3Query, c.req.query());
      const uses = jobs.templateUses("vendor_h3");
      const used = (template: H3Template) => uses.get(template.id) ?? 0;
      const show = (template: H3Template) => publicH3Template(template, used(template));
      if (id !== undefined) {
        const template = catalogues.h3Template(id);
        if (!template) throw new Refusal(404, `No H3 template ${JSON.stringify(id)}.`);
        return c.json({ template: show(template), ...PROMPT_LOCK });
      }
      const templates = catalogues.h3Templates().toSorted(ORDERS[sort](used));
      const categories = [...new Set(templates.map(({ category }) => category))].sort();
      return c.json({ templates: byId(templates, show), categories, sort, ...PROMPT_LOCK });
    });
}

type Order = (used: (template: H3Template) => number) => (a: H3Template, b: H3Template) => number;

const mostUsed: Order = (used) => (a, b) => b.uses + used(b) - (a.uses + used(a));

const ORDERS: Readonly<Record<(typeof H3_TEMPLATE_SORTS)[number], Order>> = {
  latest: () => (a, b) => a.age - b.age,
  "most-used": mostUsed,
  "free-first": (used) => (a, b) =>
    Number(a.premium ?? false) - Number(b.premium ?? false) || mostUsed(used)(a, b),
  name: () => (a, b) => a.name.localeCompare(b.name, "en"),
};

function byId<T extends { readonly id: string }>(entries: readonly T[], show: (entry: T) => object) {
  return Object.fromEntries(entries.map((entry) => [entry.id, show(entry)]));
}
