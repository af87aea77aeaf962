import { type Context, Hono } from "hono";
import { z } from "zod";
import { ReelayError } from "../../../src/common/errors.ts";
import { KEY_TIERS, KEY_WEIGHT, type KeyDesk } from "../../../src/seam/access/key-pool.ts";
import type { OperatorHost } from "../../../src/seam/surface/host.ts";
import { bodyOf, jsonOnly } from "../serving/json-body.ts";
import { asks, type ConsoleEnv } from "./env.ts";
import { seenIn } from "./seen.ts";
import type { KeyRefused } from "./wire.ts";

const settings = z.object({
  weight: z.int().min(KEY_WEIGHT.min).max(KEY_WEIGHT.max).optional(),
  tier: z.enum(KEY_TIERS).nullable().optional(),
});
const changed = settings.refine(({ weight, tier }) => weight !== undefined || tier !== undefined);
const added = settings.extend({ name: z.string().max(80), key: z.string().min(1).max(512) });

/** The keys that pay for those who have connected none: the use cases of `reelay keys`. No answer has a key in it. */
export function keyRoutes({ keys, keyCards }: Pick<OperatorHost, "keys" | "keyCards">): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();

  const cardOf = async (name: string) => (await keyCards()).find((card) => card.name === name);

  /** Does something with the key in the path, as it was seen; says how it is now where it is another. */
  async function change(
    c: Context<ConsoleEnv>,
    work: (desk: KeyDesk, name: string, seen: string) => unknown,
  ) {
    const name = c.req.param("name") ?? "";
    const seen = seenIn(c, /^[\w ]{1,60}$/);
    try {
      await work(await keys(c.var.operator.id), name, seen);
    } catch (error) {
      if (!(error instanceof ReelayError && error.code === "changed_meanwhile")) throw error;
      const card = await cardOf(name);
      if (!card) throw new ReelayError("key_unknown", { name });
      return c.json({ code: "changed_meanwhile", params: {}, card } satisfies KeyRefused, 412);
    }
    return c.json((await cardOf(name)) ?? null);
  }

  app.get("/keys", asks("see-keys"), async (c) => c.json(await keyCards()));
  app.post("/keys", asks("manage-keys"), jsonOnly, async (c) => {
    const { name, key, ...said } = await bodyOf(c, added);
    await (await keys(c.var.operator.id)).add(name, key, said);
    return c.json(await cardOf(name), 201);
  });
  app.put("/keys/:name", asks("manage-keys"), jsonOnly, async (c) => {
    const said = await bodyOf(c, changed);
    return change(c, (desk, name, seen) => desk.set(name, said, seen));
  });
  app.post("/keys/:name/pause", asks("manage-keys"), jsonOnly, (c) =>
    change(c, (desk, name, seen) => desk.pause(name, seen)),
  );
  app.post("/keys/:name/resume", asks("manage-keys"), jsonOnly, (c) =>
    change(c, (desk, name, seen) => desk.resume(name, seen)),
  );
  app.delete("/keys/:name", asks("manage-keys"), (c) =>
    change(c, (desk, name, seen) => desk.remove(name, seen)),
  );
  return app;
}
