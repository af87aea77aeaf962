import { createHash } from "node:crypto";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import type { CommandSpec, FieldSpec } from "../../src/seam/fields.ts";
import type { Intake } from "../../src/seam/surface/surface.ts";
import type { Origin } from "../../src/seam/origin.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { mediaIn, STATEMENT_NAMES, type Values } from "../../src/seam/values.ts";
import { asReelayError, ReelayError, type ErrorCode } from "../../src/common/errors.ts";
import { nearestLocale, type Locale } from "../../src/common/i18n.ts";
import { Backlog } from "../../src/seam/surface/backlog.ts";
import type { Asides } from "./asides.ts";
import { dataHeaders, type PageAccess } from "./access.ts";
import type { Conversation } from "./conversation.ts";
import { download, MAX_UPLOAD_BYTES, upload, uploadFrom } from "./media.ts";
import { PERSON } from "./person.ts";
import type { PageProblem, Session } from "./wire.ts";

/** The largest JSON body, in bytes: two prompts of the longest kind and some. */
const MAX_JSON_BYTES = 256 * 1024;
/** More files than any field takes. */
const MAX_FILES = 20;
/** How many windows may follow the conversation at once. */
const MOST_WINDOWS = 64;
/** Proxies cut a silent connection, often after a minute. */
const HEARTBEAT_MS = 20_000;

/** Status codes that say more than "what you sent was refused". */
const STATUS: Partial<Record<ErrorCode, 403 | 404 | 413 | 500>> = {
  not_yours: 403,
  media_gone: 404,
  unknown_command: 404,
  media_too_large: 413,
  internal: 500,
};

const mediaRef = z.object({
  surface: z.literal("web"),
  id: z.string().max(200),
  name: z.string().max(200).exactOptional(),
  bytes: z.number().exactOptional(),
});
const values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), mediaRef, z.array(mediaRef).max(MAX_FILES)]),
);
/** What is asked for, and what the button that asked for it said. */
const request = z.object({
  values,
  agreed: z.array(z.enum(STATEMENT_NAMES)).default([]),
  price: z.number().nonnegative().exactOptional(),
  draft: z.string().max(64).exactOptional(),
});

/** What the routes need of the surface. */
export interface RouteParts {
  readonly host: SurfaceHost;
  readonly access: PageAccess;
  readonly conversation: Conversation;
  readonly asides: Asides;
  /** The core, once the surface was started. */
  readonly intake: () => Intake;
  /** Aborted when the surface stops: open event streams end. */
  readonly stopped: AbortSignal;
}

/** The JSON routes of the page, to be mounted under `/web`. */
export function webRoutes({ host, access, conversation, asides, intake, stopped }: RouteParts): Hono {
  const app = new Hono();
  app.use(dataHeaders, access.sameSite);
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
  });
  app.onError((thrown, c) => {
    const error = asReelayError(thrown);
    c.set("refused", error.code);
    const request = c.get("request");
    if (error.code === "internal") host.log.error({ err: thrown, request }, "a request of the page failed");
    const { code, params } = error;
    const field = typeof params["field"] === "string" ? { field: params["field"] } : {};
    return c.json({ code, params, ...field } satisfies PageProblem, STATUS[code] ?? 400);
  });

  const json = bodyLimit({
    maxSize: MAX_JSON_BYTES,
    onError: () => {
      throw new ReelayError("bad_request", { reason: "JSON" });
    },
  });
  app.post("/login", json, async (c) =>
    access.logIn(c, (await body(c, z.object({ token: z.string() }))).token),
  );
  app.use(access.loggedIn);

  app.get("/session", async (c) => {
    const { termsUrl } = host.config.policy;
    return c.json({
      locale: localeOf(c),
      sandbox: host.sandbox,
      commands: intake().commands,
      buttons: Object.fromEntries(intake().buttons),
      stated: (await intake().preferences(origin(c))).stated,
      ...(termsUrl !== undefined && { termsUrl }),
      maxPhotoBytes: MAX_UPLOAD_BYTES.image,
      login: access.hasLogin,
    } satisfies Session);
  });

  app.post("/logout", (c) => access.logOut(c));
  app.get("/devices", async (c) => c.json(await access.devices(c)));
  app.delete("/devices/:id", async (c) => {
    if (!(await access.logOutDevice(c.req.param("id")))) throw new ReelayError("stale_button");
    return c.body(null, 204);
  });

  app.post("/media", (c) => upload(c, { host, conversation, intake: intake(), origin: origin(c) }));
  app.post("/media/from", json, async (c) => {
    const { address } = await body(c, z.object({ address: z.url().max(2000) }));
    return uploadFrom(c, address, { host, conversation, intake: intake(), origin: origin(c) });
  });
  app.get("/media/:id", (c) => download(c, c.req.param("id"), host.files, conversation));

  app.post("/command/:name", json, async (c) => {
    const { name, fields } = commandOf(c.req.param("name"));
    const { values: given, draft, ...said } = await ownRequest(c);
    await connectInstead(c, fields, given);
    const press = pressOf(name, given, draft);
    const pressed = { ...origin(c), ...said, press };
    await asked(bubbleOf(press, draft), name, fields, given, () => intake().command(pressed, name, given));
    return c.body(null, 202);
  });

  app.post("/answer/:message", json, async (c) => {
    const message = c.req.param("message");
    const question = (await conversation.get(message))?.body;
    if (question?.kind !== "form") throw new ReelayError("stale_button");
    const { id, fields } = question.form;
    const { values: given, draft, ...said } = await ownRequest(c);
    await connectInstead(c, fields, given);
    const press = pressOf(message, given, draft);
    const pressed = { ...origin(c), ...said, press };
    await asked(bubbleOf(press, draft), id, fields, given, () => intake().answer(pressed, id, given));
    await conversation.remove(message);
    return c.body(null, 202);
  });

  app.post("/act", json, async (c) => {
    await intake().act(origin(c), await tokenOf(c));
    return c.body(null, 202);
  });

  app.post("/aside/command/:name", json, async (c) => {
    const { name, fields } = commandOf(c.req.param("name"));
    const { values: given } = await ownRequest(c);
    await connectInstead(c, fields, given);
    return c.json(
      await asides.answersTo((address) => intake().command({ ...origin(c), address }, name, given)),
    );
  });

  app.post("/aside/act", json, async (c) => {
    const token = await tokenOf(c);
    return c.json(await asides.answersTo((address) => intake().act({ ...origin(c), address }, token)));
  });

  app.post("/quote/:name", json, async (c) =>
    c.json(await intake().quote(origin(c), c.req.param("name"), (await ownRequest(c)).values)),
  );

  app.post("/suggest/:name/:field", json, async (c) => {
    const { name, field } = c.req.param();
    const sought = await body(c, z.object({ partial: z.string().max(200), values }));
    return c.json(await intake().suggest(origin(c), name, field, sought.partial, sought.values));
  });

  /** Ends each open window's events, the one that was opened first at the front. */
  const windows = new Set<() => void>();
  app.get("/events", (c) =>
    streamSSE(c, async (stream) => {
      const backlog = new Backlog(() => stream.abort());
      const unfollow = await conversation.follow((event, data) => {
        const message = { event, data: JSON.stringify(data) };
        backlog.add(message.data.length, () => stream.writeSSE(message));
      });
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      windows.add(end);
      // One more than may be takes the place of the first.
      if (windows.size > MOST_WINDOWS) [...windows][0]?.();
      const still = ": still here\n\n";
      // A device that was logged out meanwhile hears no more.
      const beat = async () =>
        (await access.isIn(c)) ? backlog.add(still.length, () => stream.write(still)) : end();
      const heartbeat = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_MS);
      stream.onAbort(end);
      if (stopped.aborted) end();
      stopped.addEventListener("abort", end, { once: true });
      await over;
      windows.delete(end);
      clearInterval(heartbeat);
      unfollow();
    }),
  );

  function commandOf(name: string): CommandSpec {
    const command = intake().commands.find((candidate) => candidate.name === name);
    if (!command) throw new ReelayError("unknown_command", { name });
    return command;
  }

  /**
   * Keeps a key that was given among words out of them, and connects it where nobody pays yet, before any are shown or kept.
   * @throws ReelayError `key_in_words` when there was one
   */
  async function connectInstead(c: Context, fields: readonly FieldSpec[], given: Values): Promise<void> {
    const found = await intake().keys.findIn(origin(c), fields, given);
    if (!found) return;
    const { field, key, of } = found;
    const connects = of === "service" && (await intake().wantsKey(origin(c)));
    const text = { key: of === "ours" ? "keys.ours" : connects ? "keys.taken" : "keys.left_out" } as const;
    await conversation.put(crypto.randomUUID(), "reelay", { kind: "notice", text });
    if (connects) await intake().command(origin(c), "connect", { key });
    throw new ReelayError("key_in_words", { field });
  }

  /**
   * Shows what the person asks for, without its secrets, and takes it back if the core would not hear it.
   * @param bubble the message that shows it; of a draft that comes again, because somebody pressed twice or heard no answer,
   * it is there already, and stays
   */
  async function asked(
    bubble: string,
    command: string,
    fields: readonly FieldSpec[],
    given: Values,
    ask: () => Promise<unknown>,
  ) {
    const shown = fields.flatMap(({ name, control }) =>
      control === "secret" || given[name] === undefined ? [] : [[name, given[name]]],
    );
    const body = { kind: "request", command, values: Object.fromEntries(shown) } as const;
    const isNew = await conversation.putNew(bubble, "person", body);
    try {
      await ask();
    } catch (error) {
      if (isNew) await conversation.remove(bubble);
      throw error;
    }
  }

  /** What is asked for; its files must be this conversation's. */
  async function ownRequest(c: Context): Promise<z.output<typeof request>> {
    const given = await body(c, request);
    for (const { id } of Object.values(given.values).flatMap(mediaIn)) {
      if (!(await conversation.media(id))) throw new ReelayError("media_gone");
    }
    return given;
  }

  function origin(c: Context): Origin {
    return { ...PERSON, locale: localeOf(c) };
  }

  function localeOf(c: Context): Locale {
    return nearestLocale(c.req.header("accept-language"), host.config.locale);
  }

  return app;
}

/**
 * What a press is known by: asked for the same within seconds, somebody pressed twice, unless it is a draft of its own.
 * @param draft the composer's name for what it held; other clients give none
 */
function pressOf(what: string, given: Values, draft: string | undefined): string {
  const values = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([what, values, draft ?? null]))
    .digest("base64url");
}

/** The message that shows what was asked for: a draft has one, however often it is sent. */
const bubbleOf = (press: string, draft: string | undefined) =>
  draft === undefined ? crypto.randomUUID() : press;

/** The button that a request presses. */
const tokenOf = async (c: Context) => (await body(c, z.object({ token: z.string().max(200) }))).token;

/** A request's JSON body; other content types are refused, since browsers let any site send those. */
async function body<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim();
  const parsed =
    type === "application/json" ? schema.safeParse(await c.req.json().catch(() => undefined)) : undefined;
  if (!parsed?.success) throw new ReelayError("bad_request", { reason: "JSON" });
  return parsed.data;
}
