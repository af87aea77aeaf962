import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { nearestLocale, translator } from "../../src/common/i18n.ts";
import { needsLogin } from "../../src/seam/config.ts";
import type { Operator } from "../../src/seam/access/operators.ts";
import { partnerUser } from "../../src/seam/access/partners.ts";
import type { OperatorHost, SurfaceHost } from "../../src/seam/surface/host.ts";
import { ECHO_PATH } from "../../src/seam/surface/setup.ts";
import type { UserId } from "../../src/seam/values.ts";
import { STUDIO_PATH } from "../../src/seam/surface/sign-in.ts";
import { isBuilt, PAGES_FOLDER } from "../../src/seam/version.ts";
import { dataHeaders, headersFor, OperatorAccess, refuse } from "./access.ts";
import { deskRoutes } from "./console/desk-routes.ts";
import { consoleRoutes } from "./console/routes.ts";
import { bodyOf, strangersJson } from "./serving/json-body.ts";
import { Login, tokenIn } from "./login.ts";
import { type RouteParts, webRoutes } from "./routes.ts";
import { Sessions } from "./sessions.ts";
import { VisitorAccess } from "./visitor-access.ts";
import { signInRoutes } from "./sign-in-routes.ts";

/** Where Mini Apps are shown inside of a site. */
const TELEGRAM_SITE = "https://web.telegram.org";

/**
 * Mounts the pages: the operators' own, and where people have a way to it, everybody's, each with an API that knows only who
 * came in by its own way.
 * @returns ends every session of somebody's
 */
export function mountPages(
  host: SurfaceHost,
  forOperators: OperatorHost,
  parts: Omit<RouteParts, "host" | "access" | "entrance">,
) {
  const { config, routes } = host;
  const page = pageOf("page");
  const login = needsLogin(config) ? new Login(host.loginToken ?? tokenIn(config.data)) : undefined;
  // Before anybody is in, who could write it down where others read it; who logs in hears of a failure.
  login?.token.then((token) => host.hold(token)).catch(() => undefined);
  const sessions = new Sessions(host.memory("web"), async () => login?.token ?? "");

  const operator = new OperatorAccess(host, login, sessions, forOperators.operators);
  const entrance = new Hono();
  entrance.post("/login", strangersJson, async (c) =>
    operator.logIn(c, (await bodyOf(c, z.object({ token: z.string() }))).token),
  );
  entrance.post("/enter", strangersJson, async (c) => {
    const { token, name } = await bodyOf(c, z.object({ token: z.string(), name: z.string().optional() }));
    return operator.enter(c, token, name);
  });
  routes.route("/web", webRoutes({ ...parts, host, access: operator, entrance }));
  routes.get("/", headersFor(), operator.sameSite, page);
  mountSetup(host, operator);

  if (host.console) mountConsole(host, host.console, operator, { ...parts, forOperators });

  if (config.publicUrl !== undefined) {
    const visitors = new VisitorAccess(host, sessions);
    const signIn = signInRoutes(host, visitors);
    routes.route(`${STUDIO_PATH}/web`, webRoutes({ ...parts, host, access: visitors, entrance: signIn }));
    routes.get(STUDIO_PATH, headersFor(TELEGRAM_SITE), page);
  }
  if (isBuilt("page")) routes.get("/assets/*", headersFor(), operator.sameSite, assetsOf("page"));
  return { endSessions: (...[user]: Parameters<Sessions["endAll"]>) => sessions.endAll(user) };
}

/** Mounts the page that sets Reelay up, and the answer that only this process can give to whoever asks by its public address. */
function mountSetup({ routes, setup }: SurfaceHost, operator: OperatorAccess): void {
  if (!setup) return;
  routes.get(`${ECHO_PATH}/:question`, dataHeaders, (c) => {
    const answer = setup.echo(c.req.param("question"));
    return answer === undefined ? c.notFound() : c.text(answer);
  });
  routes.get("/setup", headersFor(), operator.sameSite, pageOf("setup"));
  if (isBuilt("setup")) routes.get("/setup/*", headersFor(), operator.sameSite, assetsOf("setup"));
}

const pageOf = (page: "console" | "page" | "setup") =>
  isBuilt(page)
    ? serveStatic({ path: join(PAGES_FOLDER, page, "index.html"), precompressed: true })
    : (c: Context) => c.text(sayUnbuilt(c), 503);

const assetsOf = (page: "console" | "page" | "setup") =>
  serveStatic({ root: join(PAGES_FOLDER, page), precompressed: true, onFound: keepForGood });

const turnAway = (c: Context) => refuse(c, 401, "login_required");

/** Mounts what those who run Reelay look at and do, with a script of its own. */
function mountConsole(
  host: SurfaceHost,
  console: NonNullable<SurfaceHost["console"]>,
  operator: OperatorAccess,
  { forOperators, intake, stopped }: Pick<RouteParts, "intake" | "stopped"> & { forOperators: OperatorHost },
): void {
  const { routes } = host;
  const entrance = [dataHeaders, operator.sameSite];
  const operatorOf = (c: Context) => operator.operatorOf(c);
  const onChange = (hear: () => void) => operator.onChange(hear);
  const endSessions = (user: UserId) => operator.endSessions(user);
  const namesOf = async () => {
    const all = await forOperators.operators.list();
    return Object.fromEntries(all.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
  };
  const partnersOf = async ({ id: by }: Operator) => {
    const all = await (await forOperators.partners(by)).list();
    return Object.fromEntries(all.map(({ partner: { id, name } }) => [partnerUser(id), name]));
  };
  const parts = { host, console, entrance, operatorOf, namesOf, partnersOf, onChange, turnAway, stopped };
  routes.route("/console/web", consoleRoutes(parts));
  routes.route("/console/web", deskRoutes({ host, forOperators, intake, endSessions }));
  routes.get("/console", headersFor(), operator.sameSite, pageOf("console"));
  if (isBuilt("console"))
    routes.get("/console/assets/*", headersFor(), operator.sameSite, assetsOf("console"));
}

/** Whoever opens it may be anybody: the browser says which language they read. */
function sayUnbuilt(c: Context): string {
  return translator(nearestLocale(c.req.header("accept-language")))("error.page_unbuilt");
}

/** Built files carry a digest in their names. */
function keepForGood(_path: string, c: Context): void {
  c.header("Cache-Control", "public, max-age=31536000, immutable");
}
