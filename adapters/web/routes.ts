import { createHash } from "node:crypto";
import { Hono, type Context } from "hono";
import { z } from "zod";
import type { CommandSpec, FieldSpec } from "../../src/seam/fields.ts";
import type { FoundKey } from "../../src/seam/access/keys.ts";
import type { Intake } from "../../src/seam/surface/surface.ts";
import type { Origin } from "../../src/seam/origin.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { type Address, mediaIn, STATEMENT_NAMES, type Values } from "../../src/seam/values.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { nearestLocale, type Locale } from "../../src/common/i18n.ts";
import type { Asides } from "./asides.ts";
import { dataHeaders, type PageAccess, type PageEnv } from "./access.ts";
import type { Conversations } from "./conversations.ts";
import type { Unfinished, Arrived } from "./serving/arrived.ts";
import { eventRoutes } from "./event-routes.ts";
import { bodyOf, jsonOnly } from "./serving/json-body.ts";
import type { Presses } from "./serving/presses.ts";
import { notKept, tellProblem } from "./serving/problems.ts";
import { KEPT, keptFrom, settled } from "./rewriting.ts";
import { setupRoutes } from "./setup-routes.ts";
import { download, MAX_UPLOAD_BYTES, upload, uploadFrom, type UploadParts } from "./media.ts";
import { visitorFiles, visitorRequests } from "./visitor-limits.ts";
import type { Session } from "./wire.ts";

/** More files than any field takes. */
const MAX_FILES = 20;

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
  /** The ways in: all that may be asked by whoever is not in. */
  readonly entrance: Hono;
  readonly conversations: Conversations;
  readonly asides: Asides;
  readonly arrived: Unfinished<Arrived>;
  readonly presses: Presses;
  /** The core, once the surface was started. */
  readonly intake: () => Intake;
  /** Aborted when the surface stops: open event streams end. */
  readonly stopped: AbortSignal;
}

/** The JSON routes of a page, to be mounted under `/web`. */
export function webRoutes(parts: RouteParts): Hono<PageEnv> {
  const { host, access, entrance, conversations, arrived, presses, asides, intake } = parts;
  const app = new Hono<PageEnv>();
  const { setup } = host;
  app.use(dataHeaders, access.sameSite);
  app.use(notKept);
  app.onError(tellProblem(host.log));

  app.route("/", entrance);
  app.use(access.loggedIn);
  if (access.hasVisitors) {
    app.use(visitorRequests());
    app.use("/media/*", visitorFiles());
  }

  app.post("/logout", (c) => access.logOut(c));
  app.get("/devices", async (c) => c.json(await access.devices(c)));
  app.delete("/devices/:id", async (c) => {
    if (!(await access.logOutDevice(c, c.req.param("id")))) throw new ReelayError("stale_button");
    return c.body(null, 204);
  });

  // Whatever follows makes something, or belongs to those who do.
  app.use(access.mayMake);
  app.get("/session", async (c) => {
    const { termsUrl } = host.config.policy;
    const preferred = await intake().preferences(origin(c));
    return c.json({
      person: c.var.person.user,
      locale: access.hasVisitors ? preferred.locale : localeOf(c),
      sandbox: host.sandbox,
      commands: intake().commandsFor(c.var.person.user),
      buttons: Object.fromEntries(intake().buttons),
      stated: preferred.stated,
      ...(termsUrl !== undefined && { termsUrl }),
      maxPhotoBytes: MAX_UPLOAD_BYTES.image,
      login: access.hasLogin,
      setup: setup !== undefined && access.maySetUp(c),
    } satisfies Session);
  });

  app.get("/balance", async (c) => c.json(await intake().tokensLeft(origin(c))));

  app.post("/media", async (c) => upload(c, await uploadBy(c)));
  app.post("/media/from", jsonOnly, async (c) => {
    const { address } = await bodyOf(c, z.object({ address: z.url().max(2000) }));
    return uploadFrom(c, address, await uploadBy(c));
  });
  app.get("/media/:id", async (c) =>
    download(c, c.req.param("id"), host.files, await conversationOf(c), access),
  );

  app.post("/command/:name", jsonOnly, async (c) => {
    const { name, fields } = commandOf(c, c.req.param("name"));
    const { values: given, draft, ...said } = await ownRequest(c);
    await connectInstead(c, fields, given);
    const press = pressOf(name, given, draft);
    const bubble = bubbleOf(press, draft);
    const pressed = { ...origin(c, draft && bubble), ...said, press, ...requestOf(c, name, draft && bubble) };
    await asked(pressed, { bubble, draft }, name, fields, given);
    return c.body(null, 202);
  });

  app.post("/answer/:message", jsonOnly, async (c) => {
    const message = c.req.param("message");
    const conversation = await conversationOf(c);
    const question = (await conversation.get(message))?.body;
    if (question?.kind !== "form") throw new ReelayError("stale_button");
    const { id, fields } = question.form;
    const { values: given, draft, ...said } = await ownRequest(c);
    await connectInstead(c, fields, given);
    const press = pressOf(message, given, draft);
    const bubble = bubbleOf(press, draft);
    const pressed = { ...origin(c, draft && bubble), ...said, press, ...requestOf(c, id, draft && bubble) };
    await asked(pressed, { bubble, draft }, id, fields, given);
    await conversation.remove(message);
    return c.body(null, 202);
  });

  app.post("/act", jsonOnly, async (c) => {
    const token = await tokenOf(c);
    const kept = keptFrom(token);
    if (kept === undefined) await presses.begin(origin(c), token);
    else await (await conversationOf(c)).rewrite(settled(kept, KEPT));
    return c.body(null, 202);
  });

  app.post("/aside/command/:name", jsonOnly, async (c) => {
    const { name, fields } = commandOf(c, c.req.param("name"));
    const { values: given } = await ownRequest(c);
    await connectInstead(c, fields, given);
    return c.json(
      await asides.answersTo(c.var.person, (address) =>
        intake().command({ ...origin(c), address }, name, given),
      ),
    );
  });

  app.post("/aside/act", jsonOnly, async (c) => {
    const token = await tokenOf(c);
    if (keptFrom(token) !== undefined) return c.json([KEPT]);
    const act = (address: Address) => presses.press({ ...origin(c), address }, token);
    return c.json(await asides.answersTo(c.var.person, act));
  });

  app.post("/quote/:name", jsonOnly, async (c) => {
    const name = c.req.param("name");
    const { values: given } = await ownRequest(c);
    // Somebody fills in a form that holds them.
    await (await conversationOf(c)).inForm(filesOf(given));
    try {
      return c.json(await intake().quote(origin(c), name, given));
    } catch (error) {
      if (!(error instanceof ReelayError) || error.code !== "key_in_words") throw error;
      // While it is typed, it is said what becomes of it once it is sent.
      const found = await intake().keys.findIn(origin(c), commandOf(c, name).fields, given);
      const connects = found && (await isToConnect(c, found));
      throw connects ? new ReelayError("key_in_words", { ...error.params, connects: 1 }) : error;
    }
  });

  app.post("/suggest/:name/:field", jsonOnly, async (c) => {
    const { name, field } = c.req.param();
    const sought = await bodyOf(c, z.object({ partial: z.string().max(200), values }));
    return c.json(await intake().suggest(origin(c), name, field, sought.partial, sought.values));
  });

  app.route("/", eventRoutes(parts));
  if (setup) app.route("/setup", setupRoutes(setup, access));

  function commandOf(c: Context<PageEnv>, name: string): CommandSpec {
    const offered = intake().commandsFor(c.var.person.user);
    const command = offered.find((candidate) => candidate.name === name);
    if (!command) throw new ReelayError("unknown_command", { name });
    return command;
  }

  /**
   * Keeps a key that was given among words out of them, and connects it where nobody pays yet, before any are shown or kept.
   * @throws ReelayError `key_in_words` when there was one
   */
  async function connectInstead(
    c: Context<PageEnv>,
    fields: readonly FieldSpec[],
    given: Values,
  ): Promise<void> {
    const found = await intake().keys.findIn(origin(c), fields, given);
    if (!found) return;
    const { field, key, of } = found;
    const connects = await isToConnect(c, found);
    const left = connects ? "keys.taken" : "keys.left_out.page";
    const text = { key: of === "ours" ? "keys.ours" : left } as const;
    await (await conversationOf(c)).put(crypto.randomUUID(), "reelay", { kind: "notice", text });
    if (connects) await intake().command(origin(c), "connect", { key });
    throw new ReelayError("key_in_words", { field });
  }

  /** Whether a key that was found is connected once it is sent. */
  const isToConnect = async (c: Context<PageEnv>, { of }: FoundKey) =>
    of === "service" && (await intake().wantsKey(origin(c)));

  /**
   * Shows what the person asks for, without its secrets, and takes it back if nothing came of it. One that is told
   * apart by its request goes on where the process ends meanwhile.
   * @param bubble the message that shows it; of a draft that comes again, because somebody pressed twice or heard no answer,
   * it is there already, and stays
   */
  async function asked(
    pressed: Origin,
    { bubble, draft }: { readonly bubble: string; readonly draft: string | undefined },
    command: string,
    fields: readonly FieldSpec[],
    given: Values,
  ) {
    const shown = fields.flatMap(({ name, control }) =>
      control === "secret" || given[name] === undefined ? [] : [[name, given[name]]],
    );
    const named = draft !== undefined && { draft };
    const body = { kind: "request", command, values: Object.fromEntries(shown), ...named } as const;
    const conversation = await conversations.of(pressed.user);
    const { request: name } = pressed;
    const one = name !== undefined && {
      origin: { ...pressed, request: name },
      command,
      values: given,
      bubble,
      ...named,
    };
    if (one) await arrived.keep(one);
    const isNew = await conversation.putNew(bubble, "person", body);
    try {
      // A draft is refused where it stands, and stays there: what is wrong with everything else is said in the conversation.
      if (draft === undefined) await intake().command(pressed, command, given);
      else await intake().run(pressed, command, given);
    } catch (error) {
      // It is on its way: whoever pressed twice sees that.
      if (error instanceof ReelayError && error.code === "already_begun") return;
      if (isNew) await conversation.remove(bubble);
      throw error;
    } finally {
      if (one) await arrived.done(one);
    }
  }

  /** What a draft of something that is to be made is called wherever it is handed on; nothing holds a secret among those. */
  function requestOf(c: Context<PageEnv>, command: string, bubble: string | undefined) {
    const isMade = intake().commands.some(({ name, kind }) => name === command && kind === "operation");
    return isMade && bubble ? { request: `web:${c.var.person.user}:${bubble}` } : {};
  }

  /** What is asked for; its files must be this conversation's. */
  async function ownRequest(c: Context<PageEnv>): Promise<z.output<typeof request>> {
    const given = await bodyOf(c, request);
    const conversation = await conversationOf(c);
    for (const id of filesOf(given.values)) {
      if (!(await conversation.media(id))) throw new ReelayError("media_gone");
    }
    return given;
  }

  /** @param asked the message that asks, where it is a draft's: it goes with what it asks for */
  function origin(c: Context<PageEnv>, asked?: string): Origin {
    const { person } = c.var;
    const address = { ...person.address, ...(asked && { asked }) };
    return { ...person, address, locale: localeOf(c) };
  }

  /** Of the one that asks: what is said and given in others is nowhere within reach. */
  const conversationOf = (c: Context<PageEnv>) => conversations.of(c.var.person.user);

  async function uploadBy(c: Context<PageEnv>): Promise<UploadParts> {
    return { host, conversation: await conversationOf(c), intake: intake(), origin: origin(c) };
  }

  function localeOf(c: Context<PageEnv>): Locale {
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

const filesOf = (given: Values) =>
  Object.values(given)
    .flatMap(mediaIn)
    .map(({ id }) => id);

/** The button that a request presses. */
const tokenOf = async (c: Context<PageEnv>) =>
  (await bodyOf(c, z.object({ token: z.string().max(200) }))).token;
