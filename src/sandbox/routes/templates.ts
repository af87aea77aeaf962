import { Hono, type Context } from "hono";
import { curated } from "../catalogues/curation.ts";
import { guard } from "../service/guard.ts";
import { Refusal } from "../records/refusal.ts";
import type { Env, Service } from "../service/service.ts";
import { publicTemplate, rawTemplate } from "../templates/index.ts";
import type { VideoTemplate } from "../templates/template.ts";

/**
 * `GET /templates` and its alias (section 4.2).
 * @param full whether this is the full-catalogue host
 */
export function templateRoutes(service: Service, full: boolean): Hono<Env> {
  const limited = guard(service, "user");
  const list = (c: Context<Env>) => {
    const templates = curated(service.catalogues.templates(), full);
    const uses = service.jobs.templateUses("video", "video_audio");
    const shownBy = (show: (template: VideoTemplate, used: number) => object) =>
      Object.fromEntries(templates.map((entry) => [entry.id, show(entry, uses.get(entry.id) ?? 0)]));
    const count = templates.length;
    if (c.req.query("full") !== "1") return c.json({ templates: shownBy(publicTemplate), count });
    if (c.var.account.tier !== "boss") throw new Refusal(403, "full=1 is for boss accounts only.");
    const categories = Object.groupBy(templates, ({ category }) => category);
    return c.json({
      templates: shownBy(rawTemplate),
      count,
      categories: Object.fromEntries(
        Object.entries(categories).map(([name, entries = []]) => [name, entries.length]),
      ),
    });
  };
  return new Hono<Env>().on("GET", ["/templates", "/lora-templates"], limited, list);
}
