import { Readable } from "node:stream";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { JOB_ACTS } from "../../../src/seam/access/console.ts";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { prepareImage } from "../../../src/infrastructure/media/pictures/image.ts";
import { bodyOf, jsonOnly } from "../serving/json-body.ts";
import { asks, type ConsoleEnv } from "./env.ts";
import { sought } from "./sought.ts";

/** What was seen of the job when a button was pressed. */
const pressed = z.object({
  seen: z.object({ state: z.string().max(40), delivery: z.string().max(40) }),
  note: z.string().trim().min(1).max(2_000).exactOptional(),
});

/** Jobs: found, shown with all that is known of them, and what can be done with one. */
export function jobRoutes({ scratch }: Pick<SurfaceHost, "scratch">): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();

  app.post("/jobs", asks("see-job"), jsonOnly, async (c) =>
    c.json(await c.var.desk.find((await bodyOf(c, sought)).of)),
  );
  app.get("/jobs/:id", asks("see-job"), async (c) =>
    c.json(await c.var.desk.job(c.var.operator, c.req.param("id"))),
  );
  app.post("/jobs/:id/uncover", asks("uncover"), jsonOnly, async (c) => {
    // Another site's form could send this, too, if it were no JSON.
    await bodyOf(c, z.object({}));
    return c.json(await c.var.desk.uncover(c.var.operator, c.req.param("id")));
  });
  app.get("/jobs/:id/:from{given|made}/:index{[0-9]+}", asks("uncover"), async (c) => {
    const { id, from, index } = c.req.param();
    const which = { from: from === "given" ? "given" : "made", index: Number(index) } as const;
    const media = await c.var.desk.media(c.var.operator, id, which);
    if (media.from === "made") {
      const { type, stream } = await media.open();
      return sent(c, stream, type);
    }
    // Whatever was given: as a picture that every browser shows, without what else was in the file.
    const photo = await prepareImage(() => media.open(), { dir: scratch });
    const stream = photo.open();
    stream.once("close", () => void photo.dispose().catch(() => undefined));
    return sent(c, stream, photo.type);
  });

  for (const act of JOB_ACTS)
    app.post(`/jobs/:id/${act}`, asks("act-on-job"), jsonOnly, async (c) => {
      const { seen, note } = await bodyOf(c, pressed);
      if ((act === "note") !== (note !== undefined)) throw new ReelayError("bad_request", { reason: "note" });
      await c.var.desk.act(c.var.operator, c.req.param("id"), act, seen, note);
      return c.body(null, 204);
    });
  return app;
}

/** What is not whole is cut off by its stream. */
const sent = (c: Context, stream: Readable, type: string) =>
  c.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>, 200, { "Content-Type": type });
