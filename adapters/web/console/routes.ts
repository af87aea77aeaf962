import { type Context, Hono, type MiddlewareHandler } from "hono";
import { nearestLocale } from "../../../src/common/i18n.ts";
import { OPERATOR_ACTS, type Operator } from "../../../src/seam/access/operators.ts";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import { EventStreams } from "../serving/event-stream.ts";
import { notKept, tellProblem } from "../serving/problems.ts";
import { asks, type ConsoleEnv, mayDo } from "./env.ts";
import { jobRoutes } from "./job-routes.ts";
import { logRoutes } from "./log-routes.ts";
import { moneyRoutes } from "./money-routes.ts";
import type { ConsoleSession } from "./wire.ts";

/** What the console's routes work with. */
export interface ConsoleRouteParts {
  readonly host: Pick<SurfaceHost, "config" | "log" | "sandbox" | "scratch">;
  readonly console: NonNullable<SurfaceHost["console"]>;
  /** What every request passes. */
  readonly entrance: readonly MiddlewareHandler[];
  /** Who it is that asks; undefined for whoever is not in, or not any more. */
  readonly operatorOf: (c: Context) => Promise<Operator | undefined>;
  /** What those who run Reelay are called, by their ids. */
  readonly namesOf: () => Promise<ConsoleSession["names"]>;
  /** The same of partners, for somebody who may look at them. */
  readonly partnersOf: (by: Operator) => Promise<ConsoleSession["names"]>;
  /** Calls back when somebody may do less than before. @returns the way to stop it */
  readonly onChange: (listener: () => void) => () => void;
  /** Answers those. */
  readonly turnAway: (c: Context) => Response;
  /** Aborted when the surface stops. */
  readonly stopped: AbortSignal;
}

/** The JSON routes of the console, to be mounted under `/console/web`. Each asks for what it takes a role to do. */
export function consoleRoutes(parts: ConsoleRouteParts): Hono<ConsoleEnv> {
  const { host, entrance, operatorOf, onChange, turnAway, stopped } = parts;
  const streams = new EventStreams(stopped, onChange);
  const app = new Hono<ConsoleEnv>();
  app.use(...entrance, notKept);
  app.onError(tellProblem(host.log));
  app.use(async (c, next) => {
    const operator = await operatorOf(c);
    if (!operator) return turnAway(c);
    c.set("operator", operator);
    c.set("desk", await parts.console());
    return next();
  });

  app.get("/session", asks("see-now"), async (c) => {
    const { id, role } = c.var.operator;
    return c.json({
      operator: id,
      names: {
        ...(await parts.namesOf()),
        ...(mayDo(c, "see-partners") && (await parts.partnersOf(c.var.operator))),
      },
      role,
      acts: OPERATOR_ACTS.filter((act) => mayDo(c, act)),
      locale: nearestLocale(c.req.header("accept-language"), host.config.locale),
      sandbox: host.sandbox,
    } satisfies ConsoleSession);
  });

  app.get("/now", asks("see-now"), async (c) => c.json(await c.var.desk.now()));
  app.get("/now/events", asks("see-now"), (c) => {
    const { desk, operator } = c.var;
    // Whose role was taken meanwhile hears no more.
    const mayHear = async () => {
      const still = await operatorOf(c);
      return still !== undefined && desk.may(still, "see-now");
    };
    return streams.open(c, operator.id, mayHear, (send) => desk.follow((json) => send("now", json, true)));
  });

  app.route("/", jobRoutes(host));
  app.route("/", logRoutes());
  app.route("/", moneyRoutes());
  return app;
}
