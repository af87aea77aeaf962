import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context } from "hono";
import { z } from "zod";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { isAlreadyBegun } from "../../src/seam/text/refusal.ts";
import type { Intake, Surface } from "../../src/seam/surface/surface.ts";
import type { View } from "../../src/seam/views.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { fileName } from "../../src/infrastructure/media/files/file-name.ts";
import { Asides } from "./asides.ts";
import { PageAccess, pageHeaders } from "./access.ts";
import { Conversation } from "./conversation.ts";
import { shownType } from "./media.ts";
import { PERSON } from "./person.ts";
import { webRoutes } from "./routes.ts";
import type { UploadedFile, StoredMedia, StoredView } from "./wire.ts";

/** The largest result that is kept in the data folder, in bytes. */
const MAX_RESULT_BYTES = 2 ** 30;

const receiptSchema = z.object({ id: z.string() });

/** The page: a chat in the browser, on the one HTTP server of the process. */
export function createWebSurface(host: SurfaceHost): Surface {
  const conversation = new Conversation(host.memory("web"), (id) => host.files.remove(id));
  const asides = new Asides();
  const access = new PageAccess(host);
  const stop = new AbortController();
  let started: Intake | undefined;

  const intake = () => {
    if (!started) throw new Error("The page was used before it was started.");
    return started;
  };
  host.routes.route("/web", webRoutes({ host, access, conversation, asides, intake, stopped: stop.signal }));
  const page = join(packageRoot(), "dist", "page");
  host.routes.get("/", pageHeaders, access.sameSite, serveStatic({ path: join(page, "index.html") }));
  host.routes.get(
    "/assets/*",
    pageHeaders,
    access.sameSite,
    serveStatic({ root: page, onFound: keepForGood }),
  );

  /** Shows a view as the message with this id; its files are stored first, so that none is ever missing. */
  async function post(id: string, view: View): Promise<{ id: string }> {
    await conversation.put(id, "reelay", await store(view));
    return { id };
  }

  async function store(view: View): Promise<StoredView> {
    if (view.kind === "file") {
      const { name, type, content } = view.file;
      return { ...view, file: await storeFile(name, type, Readable.from([Buffer.from(content)])) };
    }
    if (view.kind !== "result") return view;
    const media: StoredMedia[] = [];
    for (const made of view.media) {
      const { type, stream } = await made.open(stop.signal);
      media.push({ kind: made.kind, ...(await storeFile(fileName(made, type), type, stream)) });
    }
    return { ...view, media };
  }

  async function storeFile(name: string, type: string, content: Readable): Promise<UploadedFile> {
    const { id, bytes } = await host.files.put(content, MAX_RESULT_BYTES);
    await conversation.addMedia(id, shownType(type));
    return { id, name, bytes };
  }

  return {
    name: "web",
    limits: { maxUploadBytes: MAX_RESULT_BYTES, editIntervalMs: 250 },

    async start(core) {
      await conversation.load();
      started = core;
    },

    async deliver(to, view) {
      if (view.kind !== "result" && asides.take(to, await store(view))) return { id: crypto.randomUUID() };
      if (isAlreadyBegun(view))
        return { id: await conversation.putOnce(crypto.randomUUID(), "reelay", await store(view)) };
      const job = "job" in view ? view.job?.id : undefined;
      const finished = job !== undefined && (await conversation.get(job))?.body.kind === "result";
      // What is said of a finished job later, such as a deletion that failed, does not take its result away.
      const repeated = view.kind === "result" || !finished;
      return post(job !== undefined && repeated ? job : crypto.randomUUID(), view);
    },

    async revise(receipt, view) {
      return post(receiptSchema.parse(receipt).id, view);
    },

    async collect(to, form) {
      if (asides.take(to, { kind: "form", form })) return;
      await conversation.put(crypto.randomUUID(), "reelay", { kind: "form", form });
    },

    openMedia: (ref) => host.files.open(ref.id),

    keepPicture: async (_whose, { name, type, content }) => ({
      surface: "web",
      ...(await storeFile(name, type, content)),
    }),

    forget: () => conversation.clear(),
    expire: (before) => conversation.expire(before),

    async reach(recipient) {
      if (recipient !== PERSON.user) throw new ReelayError("undeliverable");
      return PERSON.address;
    },

    ready: () => started !== undefined,

    async stop() {
      started = undefined;
      stop.abort();
    },
  };
}

/** Built files carry a digest in their names. */
function keepForGood(_path: string, c: Context): void {
  c.header("Cache-Control", "public, max-age=31536000, immutable");
}

/** The folder of package.json: two levels up in the sources, three in `dist`. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
