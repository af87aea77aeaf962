import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { PageMessage } from "../../../../adapters/web/wire.ts";
import type { UserId } from "../../../../src/seam/values.ts";
import { history, PHOTO, post } from "../support/client.ts";
import { APP, PUBLIC, visit } from "../support/visitor.ts";
import { startWhole, type WholeSite } from "../support/whole.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

/** Words that nobody but Ann ever gave or was told. */
const SECRET = "heron at dawn";

interface Visitor {
  readonly user: UserId;
  readonly headers: { readonly cookie: string };
  get(path: string): Promise<Response>;
  send(path: string, body: unknown): Promise<Response>;
  says(): Promise<readonly PageMessage[]>;
}

let site: WholeSite;
let ann: Visitor;
let ben: Visitor;
/** What Ann has: a photo, and a job with its result. */
let photo: string;
let job: string;
let made: string;

async function come(user: UserId): Promise<Visitor> {
  const headers = await visit(site, user);
  return {
    user,
    headers,
    get: (path) => fetch(`${site.url}${APP}/web${path}`, { headers }),
    send: (path, body) => post(site.url, `${APP}/web${path}`, body, headers),
    says: () => history(site.url, headers, APP),
  };
}

beforeAll(async () => {
  site = await startWhole({ ...PUBLIC, ...WITH_DISCORD });
  [ann, ben] = [await come("telegram:111"), await come("telegram:222")];
  const uploaded = await fetch(`${site.url}${APP}/web/media`, {
    method: "POST",
    headers: { ...ann.headers, origin: site.url, "content-type": "image/jpeg", "x-file-name": "heron.jpg" },
    body: new Uint8Array(await readFile(PHOTO)),
  });
  photo = ((await uploaded.json()) as { media: { id: string } }).media.id;
  const values = { prompt: SECRET };
  const asked = await ann.send("/command/image", { values, agreed: ["terms", "consent"] });
  if (asked.status !== 202) throw new Error(await asked.text());
  const done = await vi.waitFor(
    async () => {
      const found = (await ann.says()).flatMap(({ body }) => (body.kind === "result" ? [body] : []))[0];
      if (!found) throw new Error("It is not made yet.");
      return found;
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );
  job = done.job.id;
  made = done.media[0]?.id ?? "";
});
afterAll(() => site[Symbol.asyncDispose]());

/** People may sign in by Discord, too: nobody does. */
const WITH_DISCORD = { DISCORD_CLIENT_ID: "1".repeat(18), DISCORD_CLIENT_SECRET: "client-secret-of-tests" };

/** Everything that somebody can be told by an answer of any route. */
const textOf = async (answer: Response) => `${answer.status} ${await answer.text()}`;

describe("what one person has on everybody's page", () => {
  it("is read by them", async () => {
    expect(JSON.stringify(await ann.says())).toContain(SECRET);
    for (const id of [photo, made]) expect((await ann.get(`/media/${id}`)).status).toBe(200);
    expect(await textOf(await ann.send("/aside/command/jobs", { values: {} }))).toContain(SECRET);
  });

  it("is kept by no browser for whoever comes next", async () => {
    expect((await ann.get(`/media/${made}`)).headers.get("cache-control")).toBe("private, no-cache");
  });

  it("is told to nobody else by any route", async () => {
    const given = { photo: { surface: "web", id: photo }, prompt: "a swan" };
    const stated = ["terms", "consent", "faces"];
    const answers: Record<string, () => Promise<Response>> = {
      "GET /session": () => ben.get("/session"),
      "GET /balance": () => ben.get("/balance"),
      "GET /devices": () => ben.get("/devices"),
      "DELETE /devices/:id": async () => {
        const [device] = (await (await ann.get("/devices")).json()) as { id: string }[];
        return fetch(`${site.url}${APP}/web/devices/${device?.id}`, {
          method: "DELETE",
          headers: { ...ben.headers, origin: site.url },
        });
      },
      "POST /media": () => ben.send("/media", {}),
      "POST /media/from": () => ben.send("/media/from", { address: `${site.url}${APP}/web/media/${made}` }),
      "GET /media/:id": () => ben.get(`/media/${made}`),
      "POST /command/:name": () => ben.send("/command/video", { values: given, agreed: stated }),
      "POST /answer/:message": () => ben.send(`/answer/${job}`, { values: {} }),
      "POST /act": () => ben.send("/act", { token: `show:${job}` }),
      "POST /aside/command/:name": () => ben.send("/aside/command/jobs", { values: {} }),
      "POST /aside/act": () => ben.send("/aside/act", { token: `details:${job}` }),
      "POST /quote/:name": () => ben.send("/quote/video", { values: given }),
      "POST /suggest/:name/:field": () => ben.send("/suggest/video/template", { partial: "", values: given }),
      "POST /sign-in/telegram": () => ben.send("/sign-in/telegram", { initData: ann.user }),
      "POST /sign-in/link": () => ben.send("/sign-in/link", { ticket: ann.user }),
      "GET /sign-in": () => ben.get("/sign-in"),
      "POST /sign-in/discord/begin": () => ben.send("/sign-in/discord/begin", {}),
      "POST /sign-in/discord": () =>
        ben.send("/sign-in/discord", { query: `?code=${ann.user}&state=${job}` }),
      "GET /events": async () => new Response(JSON.stringify(await ben.says())),
      // Last: then he is out.
      "POST /logout": () => ben.send("/logout", {}),
    };
    expect(Object.keys(answers).toSorted()).toEqual(everyRoute());
    for (const [route, ask] of Object.entries(answers)) {
      const said = await textOf(await ask());
      for (const hers of [SECRET, photo, made, job, ann.user]) expect(said, route).not.toContain(hers);
    }
    ben = await come("telegram:222");
    expect(await textOf(await ben.send("/command/video", { values: given }))).toContain("media_gone");
    expect((await ben.get(`/media/${photo}`)).status).toBe(404);
  });

  it.each(["show", "again", "new-seed", "change", "details", "cancel", "ask-delete", "delete"])(
    "is theirs alone to press: %s",
    async (button) => {
      const before = await ann.says();
      const answer = await ben.send("/aside/act", { token: `${button}:${job}` });
      expect(await textOf(answer)).not.toContain(SECRET);
      await ben.send("/act", { token: `${button}:${job}` });
      expect(JSON.stringify(await ben.says())).not.toContain(SECRET);
      expect(await ann.says()).toEqual(before);
      expect((await ann.get(`/media/${made}`)).status).toBe(200);
    },
  );

  it("stays when somebody else gave the same file and takes it back", async () => {
    const upload = () =>
      readFile(PHOTO).then((bytes) =>
        fetch(`${site.url}${APP}/web/media`, {
          method: "POST",
          headers: { ...ben.headers, origin: site.url, "content-type": "image/jpeg" },
          body: new Uint8Array(bytes),
        }),
      );
    expect((await upload()).status).toBe(201);
    expect((await ben.get(`/media/${photo}`)).status).toBe(200);
    await ben.send("/act", { token: "forget-all:" });
    await site.surface.forget(ben.user);
    expect((await ann.get(`/media/${photo}`)).status).toBe(200);
    ben = await come("telegram:222");
    expect((await ben.get(`/media/${photo}`)).status).toBe(404);
  });

  it("is not the operator's either, and theirs is nobody's", async () => {
    const { commands } = (await (await ann.get("/session")).json()) as { commands: { name: string }[] };
    expect(commands.map(({ name }) => name)).not.toContain("reports");
    expect(await textOf(await ann.send("/command/reports", { values: {} }))).toContain("unknown_command");
    expect(await textOf(await ann.send("/aside/act", { token: "review:" }))).not.toContain(SECRET);
    const sought = await ann.send("/suggest/block/of", { partial: "", values: {} });
    expect(await textOf(sought)).toContain("field_unknown");
    expect((await fetch(`${site.url}/web/events`, { headers: ann.headers })).status).toBe(401);
  });
});

describe("somebody on everybody's page", () => {
  it("is who they are in their chat: jobs made on either are listed on both", async () => {
    const origin = {
      platform: "telegram",
      user: ann.user,
      address: { to: "ann" },
      locale: "en",
      audience: "private",
    } as const;
    await site.chat.intake.command(origin, "jobs", {});
    expect(JSON.stringify(site.chat.showing("menu"))).toContain(SECRET);
    await site.chat.intake.command({ ...origin, agreed: ["terms"] }, "image", { prompt: "an owl" });
    await site.chat.results(1);
    expect(await textOf(await ann.send("/aside/command/jobs", { values: {} }))).toContain("an owl");
  });

  it("reads the language that they chose in the chat", async () => {
    const origin = {
      platform: "telegram",
      user: ann.user,
      address: { to: "ann" },
      locale: "en",
      audience: "private",
    } as const;
    await site.chat.intake.command(origin, "language", { locale: "pl" });
    expect(await (await ann.get("/session")).json()).toMatchObject({ locale: "pl", person: ann.user });
    expect(await (await ben.get("/session")).json()).toMatchObject({ locale: "en" });
  });

  it("leaves nothing here when they have themselves forgotten in the chat", async () => {
    const carl = await come("telegram:333");
    await carl.send("/command/balance", { values: {} });
    expect(await carl.says()).not.toEqual([]);
    const origin = {
      platform: "telegram",
      user: carl.user,
      address: { to: "carl" },
      locale: "en",
      audience: "private",
    } as const;
    await site.chat.intake.act(origin, `forget-now:${Date.now() + 60_000}`);
    await expect.poll(async () => (await carl.get("/session")).status).toBe(401);
    const back = await come("telegram:333");
    expect(await back.says()).toEqual([]);
  });
});

it("keeps the rules of the platform that somebody is from", async () => {
  await using ruled = await startWhole({ ...PUBLIC, REELAY_OPERATIONS_OFF: "telegram:image" });
  const [eva, dan] = [await visit(ruled, "telegram:1"), await visit(ruled, "discord:2")];
  const offered = async (headers: { readonly cookie: string }) => {
    const answer = await fetch(`${ruled.url}${APP}/web/session`, { headers });
    const { commands } = (await answer.json()) as { commands: { name: string }[] };
    return commands.map(({ name }) => name).includes("image");
  };
  expect([await offered(eva), await offered(dan)]).toEqual([false, true]);
  const quote = await post(ruled.url, `${APP}/web/quote/image`, { values: { prompt: "an owl" } }, eva);
  expect(await quote.text()).toContain("operation_off");
});

/** Every route of everybody's page, so that none is left out above. */
function everyRoute(): readonly string[] {
  const base = `${APP}/web`;
  const named = site.routes.routes.filter(
    ({ method, path }) => method !== "ALL" && path.startsWith(`${base}/`),
  );
  return [...new Set(named.map(({ method, path }) => `${method} ${path.slice(base.length)}`))].toSorted();
}
