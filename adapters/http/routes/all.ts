import type { GatewayParts } from "../jobs/gateway-parts.ts";
import type { Route } from "../route/route.ts";
import type { Submissions } from "../jobs/submissions.ts";
import { aboutRoutes } from "./about.ts";
import { catalogueRoutes } from "./catalogues.ts";
import { documentationRoutes } from "./documentation.ts";
import { jobRoutes } from "./jobs.ts";
import { mediaRoutes } from "./media.ts";
import { operationRoutes } from "./operations.ts";
import { usageRoutes } from "./usage.ts";
import { userRoutes } from "./users.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Every route, in the order of the documentation. */
export function allRoutes(parts: GatewayParts, submissions: Submissions): readonly Route[] {
  const routes: readonly Route[] = [
    ...jobRoutes(parts, submissions),
    ...mediaRoutes(parts),
    ...operationRoutes(parts),
    ...catalogueRoutes(parts),
    ...userRoutes(parts),
    ...usageRoutes(parts),
    ...webhookRoutes(parts),
    ...aboutRoutes(parts),
    ...documentationRoutes(parts, () => routes),
  ];
  return routes;
}
