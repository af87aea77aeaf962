import type { Context } from "hono";
import { ReelayError } from "../../../src/common/errors.ts";
import { partnerUser, type Scope } from "../../../src/seam/access/partners.ts";
import { baseOf, type Access } from "../access/access.ts";
import { crossOrigin } from "../access/cross-origin.ts";
import type { OpenRequests, RequestKind } from "../access/open-requests.ts";
import { mostInMemory } from "../body/bounds.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import type { Submissions } from "../jobs/submissions.ts";
import { operationsIn } from "../route/operations.ts";
import type { OwnCall } from "../route/route.ts";
import type { Endpoint } from "./endpoints.ts";
import { imageAnswer } from "./images.ts";
import { readOpenAi } from "./read.ts";
import { inTheirWords, refuseAsOpenAi } from "./refusal.ts";
import { keyOf } from "./repeats.ts";
import type { Translation } from "./translation.ts";
import { Videos } from "./videos.ts";

/** Where programs for OpenAI's API call, below the server's address. */
const BASE = "/openai/v1";

type Handle = (call: OwnCall) => Promise<Response>;

/**
 * Mounts OpenAI's images and videos: for programs that speak its shapes, behind the same tokens, limits, rules and prices as
 * `/v1`, through the same {@link Submissions}.
 */
export function mountOpenAi(
  parts: GatewayParts,
  access: Access,
  open: OpenRequests,
  submissions: Submissions,
): void {
  const { host, forPartners, intake } = parts;
  const memory = host.memory("http");
  const videos = new Videos(parts);
  const app = access.open((c, thrown) => refuseAsOpenAi(access, c, thrown));
  // A page's client sends headers of its own with each request.
  app.use(crossOrigin(forPartners.partners, []));

  function on(method: "get" | "post" | "delete", path: string, face: Face, handle: Handle): void {
    app[method](path, async (c) => {
      const caller = await access.admit(c, face.scope);
      const length = c.req.header("content-length");
      const place = open.enter(c, caller, face.kind, method === "post" ? mostInMemory(length) : 0);
      const ended = AbortSignal.any([place.revoked, parts.stopped]);
      const user = partnerUser(caller.partner.id);
      const locale = access.localeOf(c);
      return handle({ c, caller, user, locale, ended, query: undefined, body: undefined });
    });
  }

  /** Asks for a job. */
  async function submit(call: OwnCall, endpoint: Endpoint): Promise<Translation & { readonly job: string }> {
    const { c, user } = call;
    const route = `POST ${c.req.path}`;
    const once = { key: keyOf(c, memory, `${user} ${route}`), route };
    const asker = { ...call, base: baseOf(c, host.config) };
    let understood: Translation | undefined;
    try {
      const { body } = await submissions.create(asker, once, async (hold) => {
        const { read, translation } = await readOpenAi(parts, endpoint, c.req.raw, hold);
        understood = translation;
        return read;
      });
      if (!understood) throw new Error("A job was accepted of which nothing was read.");
      // What was kept is what `jobBody` made.
      return { ...understood, job: (body as { readonly id: string }).id };
    } catch (error) {
      throw inTheirWords(error, understood?.names);
    }
  }

  const image = (endpoint: Endpoint) => async (call: OwnCall) =>
    imageAnswer(parts, call, await submit(call, endpoint));
  // A picture is waited for, for as long as it takes.
  on("post", "/images/generations", { scope: "jobs:write", kind: "stream" }, image("generations"));
  on("post", "/images/edits", { scope: "jobs:write", kind: "stream" }, image("edits"));
  on("post", "/videos", { scope: "jobs:write", kind: "request" }, async (call) =>
    videos.read(call, (await submit(call, "videos")).job),
  );
  on("get", "/videos", READS, (call) => videos.list(call));
  on("get", "/videos/:id", READS, (call) => videos.read(call, call.c.req.param("id") ?? ""));
  on("delete", "/videos/:id", { scope: "jobs:write", kind: "request" }, (call) => videos.remove(call));
  on("get", "/videos/:id/content", READS, (call) => videos.content(call));
  on("get", "/models", { kind: "request" }, async ({ c }) => {
    const data = operationsIn(intake().commands).map(({ name }) => modelBody(name));
    return c.json({ object: "list", data });
  });
  on("get", "/models/:id", { kind: "request" }, async ({ c }) =>
    c.json(modelBody(intake().jobs.operation(c.req.param("id") ?? "").name)),
  );
  app.all("*", (c: Context) => refuseAsOpenAi(access, c, new ReelayError("route_unknown")));
  host.routes.route(BASE, app);
}

/** Who may call a route, and what its place is counted as. */
interface Face {
  readonly scope?: Scope;
  readonly kind: RequestKind;
}

const READS: Face = { scope: "jobs:read", kind: "request" };

/** What can be made, as a model. It has no date. */
const modelBody = (id: string) => ({ id, object: "model", created: 0, owned_by: "reelay" });
