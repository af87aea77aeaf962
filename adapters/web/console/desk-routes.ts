import { Hono } from "hono";
import type { OperatorHost, SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { tellProblem } from "../serving/problems.ts";
import type { ConsoleEnv } from "./env.ts";
import { keyRoutes } from "./key-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { partnerRoutes } from "./partner-routes.ts";
import { peopleRoutes } from "./people-routes.ts";
import { ruleRoutes } from "./rule-routes.ts";

/** What the desks of the console stand on. */
interface DeskParts {
  readonly host: Pick<SurfaceHost, "config" | "log" | "rules">;
  readonly forOperators: OperatorHost;
  /** The core, once the surface was started. */
  readonly intake: () => Intake;
  /** Logs every device of somebody's out. */
  readonly endSessions: (user: UserId) => Promise<void>;
}

/** Partners, keys, people, who runs Reelay, and by which rules: mounted behind `consoleRoutes`, which say who asks. */
export function deskRoutes({ host, forOperators, intake, endSessions }: DeskParts): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.onError(tellProblem(host.log));
  app.route("/", partnerRoutes(forOperators));
  app.route("/", keyRoutes(forOperators));
  app.route("/", peopleRoutes(forOperators, intake));
  app.route("/", operatorRoutes(forOperators.operators, host.config, endSessions));
  if (host.rules) app.route("/", ruleRoutes(host.rules));
  return app;
}
