import type { Context } from "hono";
import { z } from "zod";
import { saveAs } from "../../../src/infrastructure/media/files/serve.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import type { Shared } from "../jobs/result-links.ts";
import { serveResult } from "../jobs/serve-result.ts";
import { mediaAt } from "../resources/job.ts";
import { SHOWN_BY } from "../access/access.ts";
import { idOf, openRoute, type Route, route } from "../route/route.ts";

const FILE = {
  200: { description: "The file.", schema: z.string(), type: "video/mp4, image/*" },
  206: { description: "The part that `Range` asks for.", schema: z.string(), type: "video/mp4, image/*" },
  416: { description: "The file has no such part." },
} as const;

const RANGE = { Range: "A part of the file, such as `bytes=0-1023`." };

/** Results. */
export function mediaRoutes({ forPartners, links, intake }: GatewayParts): readonly Route[] {
  const serve = (c: Context, shared: Shared, more: Readonly<Record<string, string>> = {}) =>
    serveResult(c, forPartners.held, shared.file, { ...headersOf(shared), ...more });

  return [
    route(
      {
        name: "readMedia",
        method: "get",
        path: "/jobs/:id/media",
        group: "Jobs",
        summary: "Download a result",
        scope: "jobs:read",
        params: { id: "The job's id." },
        headers: RANGE,
        query: z.strictObject({
          index: z.int().min(0).max(99).default(0).meta({ description: "Which of several.", example: 0 }),
        }),
        answers: FILE,
        problems: ["not_found", "result_expired", "result_missing", "result_gone"],
      },
      async (call) => {
        const file = mediaAt(await intake().jobs.find(call.user, idOf(call)), call.query.index);
        return serve(call.c, file);
      },
    ),
    openRoute(
      {
        name: "readLink",
        method: "get",
        path: "/media/:link",
        group: "Jobs",
        summary: "Download a result by its link",
        description:
          "Takes no token: the link itself says who may, and until when. Pages anywhere may show it, as the `src` of a film or picture.",
        params: { link: "As a job's `media` gives it." },
        headers: RANGE,
        answers: FILE,
        problems: ["not_found", "result_expired", "result_missing"],
      },
      async ({ c }) => {
        // It is made to be handed on, cannot be guessed, and tells nothing by who asks.
        return serve(c, await links.open(c.req.param("link") ?? ""), { [SHOWN_BY]: "cross-origin" });
      },
    ),
  ];
}

/** Saved, never shown: it would stand on the page's own origin. */
function headersOf({ type, name }: { readonly type: string; readonly name: string }) {
  return { "Content-Type": type, "Content-Disposition": saveAs(name), "Cache-Control": "private, no-store" };
}
