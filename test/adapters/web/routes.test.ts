import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_UPLOAD_BYTES } from "../../../adapters/web/media.ts";
import {
  codeOf,
  history,
  PHOTO,
  post,
  statusWith,
  untilMessage,
  uploadFile,
  uploadPhoto,
} from "./support/client.ts";
import { CLIP } from "./support/fakeCore.ts";
import { startSite, type Site } from "./support/site.ts";

let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

const generate = async (values: Record<string, unknown> = {}) =>
  post(site.url, "/web/command/video", {
    values: { image: await uploadPhoto(site.url), prompt: "slow zoom", ...values },
  });

describe("a press", () => {
  it("is one however often its draft is sent, and another for another draft or other words", async () => {
    const image = await uploadPhoto(site.url);
    const send = async (draft: string, prompt = "slow zoom") => {
      await post(site.url, "/web/command/video", { values: { image, prompt }, draft });
      return site.core.heard.at(-1)?.origin.press;
    };
    const [first, again, anew, changed] = [
      await send("a"),
      await send("a"),
      await send("b"),
      await send("a", "waves"),
    ];
    expect(again).toBe(first);
    expect(new Set([first, anew, changed]).size).toBe(3);
  });

  it("on a draft that is refused is answered with what is wrong, and shown nowhere", async () => {
    const image = await uploadPhoto(site.url);
    site.core.refusesJobs = "not_connected";
    const body = { values: { image, prompt: "slow zoom" }, draft: "a" };
    const refused = await post(site.url, "/web/command/video", body);
    expect([refused.status, await codeOf(refused)]).toEqual([400, "not_connected"]);
    expect(await history(site.url)).toEqual([]);
    site.core.refusesJobs = undefined;
    expect((await post(site.url, "/web/command/video", body)).status).toBe(202);
  });

  it("on a draft that has begun begins nothing more, and is no failure", async () => {
    const body = { values: { image: await uploadPhoto(site.url), prompt: "slow zoom" }, draft: "a" };
    await post(site.url, "/web/command/video", body);
    site.core.refusesJobs = "already_begun";
    expect((await post(site.url, "/web/command/video", body)).status).toBe(202);
    expect((await history(site.url)).filter(({ body: { kind } }) => kind === "request")).toHaveLength(1);
  });

  it("is shown once for a draft, and each time by those who give none", async () => {
    const image = await uploadPhoto(site.url);
    const shown = async () => (await history(site.url)).filter(({ body }) => body.kind === "request").length;
    const send = (draft?: string) =>
      post(site.url, "/web/command/video", { values: { image, prompt: "slow zoom" }, draft });
    await Promise.all([send("a"), send("a")]);
    await send("a");
    expect(await shown()).toBe(1);
    await send("b");
    expect(await shown()).toBe(2);
    await send();
    await send();
    expect(await shown()).toBe(4);
  });
});

describe("files", () => {
  it("come back as they were given", async () => {
    const { id, name, bytes } = await uploadPhoto(site.url);
    const response = await fetch(`${site.url}/web/media/${id}`);
    const photo = await readFile(PHOTO);
    expect(Buffer.from(await response.arrayBuffer()).equals(photo)).toBe(true);
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect({ name, bytes }).toEqual({ name: "lake.jpg", bytes: photo.length });
  });

  it("keep a name of any characters", async () => {
    const name = "Fjörd & 50 % “night” 🌙?#.jpg";
    expect(await uploadFile(site.url, name, "image/jpeg", await readFile(PHOTO))).toMatchObject({ name });
  });

  it("keep as much of a long name as there is room for, in whole characters", async () => {
    const kept = await uploadFile(site.url, `${"a".repeat(199)}👻.jpg`, "image/jpeg", await readFile(PHOTO));
    expect(kept).toMatchObject({ name: "a".repeat(199) });
  });

  it("have no name where nobody can read it", async () => {
    const response = await fetch(`${site.url}/web/media`, {
      method: "POST",
      headers: { "content-type": "image/jpeg", "x-file-name": "50%.jpg", origin: site.url },
      body: await readFile(PHOTO),
    });
    expect([response.status, await response.text()]).toEqual([201, expect.not.stringContaining("name")]);
  });

  it.each([
    ["", "image/jpeg"],
    ["application/octet-stream", "image/jpeg"],
    ["image/pjpeg", "image/jpeg"],
  ])("are shown as what they are where a browser calls them %j", async (type, shown) => {
    const { id } = await uploadFile(site.url, "photo.jfif", type, await readFile(PHOTO));
    const { headers } = await fetch(`${site.url}/web/media/${id}`);
    expect(headers.get("content-type")).toBe(shown);
  });

  it("are told apart by what is in them where nothing is said of them", async () => {
    const response = await fetch(`${site.url}/web/media`, {
      method: "POST",
      headers: { "content-type": "", origin: site.url },
      body: "%PDF-1.7",
    });
    expect(await response.json()).toMatchObject({ code: "media_type", params: { found: "PDF" } });
  });

  it.each(["text/html", "image/svg+xml", "application/javascript"])("are never %s", async (type) => {
    const response = await fetch(`${site.url}/web/media`, {
      method: "POST",
      headers: { "content-type": type, origin: site.url },
      body: "<script>",
    });
    expect(await codeOf(response)).toBe("media_type");
  });

  it.each([
    ["image/png", MAX_UPLOAD_BYTES.image],
    ["audio/mpeg", MAX_UPLOAD_BYTES.audio],
  ])("are refused before they are sent when they are too large: %s", async (type, max) => {
    const headers = { "content-type": type, "content-length": String(max + 1), origin: site.url };
    expect(await statusWith(site.url, "/web/media", headers, "POST")).toBe(413);
  });

  it("of HEIC are kept as JPEG, which every browser shows", async () => {
    const heic = await readFile(new URL("../../fixtures/turned.heic", import.meta.url));
    const { id, bytes } = await uploadFile(site.url, "photo.heic", "image/heic", heic);
    const response = await fetch(`${site.url}/web/media/${id}`);
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    const kept = Buffer.from(await response.arrayBuffer());
    expect(kept).toHaveLength(bytes ?? 0);
    expect(kept.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(await readdir(join(site.data, "media"))).toEqual([id]);
    expect(await readdir(join(site.data, "scratch"))).toEqual([]);
  });

  it("that can never be sent are refused when they come, and not kept", async () => {
    site.core.wrong = [{ code: "media_dimensions", params: { width: 1, height: 9 }, field: "image" }];
    const response = await fetch(`${site.url}/web/media`, {
      method: "POST",
      headers: { "content-type": "image/png", origin: site.url },
      body: "anything",
    });
    expect(await codeOf(response)).toBe("media_dimensions");
    expect(await readdir(join(site.data, "media"))).toEqual([]);
  });

  it("that break off are refused, and are no mistake of ours", async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
    });
    const headers = { "content-type": "image/png", origin: "http://localhost" };
    const sent: RequestInit = { method: "POST", headers, body, duplex: "half" };
    const response = await site.routes.request("http://localhost/web/media", sent);
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe("media_unreadable");
    expect(site.logged).toEqual([]);
    expect(await readdir(join(site.data, "media"))).toEqual([]);
  });

  it("may be sounds", async () => {
    const sound = await uploadFile(site.url, "hum.wav", "audio/wav", Buffer.from("RIFF....WAVE"));
    const response = await fetch(`${site.url}/web/media/${sound.id}`);
    expect(await response.text()).toBe("RIFF....WAVE");
    expect(response.headers.get("content-type")).toBe("audio/wav");
  });

  it("of somebody else cannot be read or used", async () => {
    const { id } = await site.files.put(Readable.from([Buffer.from("secret")]), 100);
    expect((await fetch(`${site.url}/web/media/${id}`)).status).toBe(404);
    const response = await generate({ image: { surface: "web", id } });
    expect(await codeOf(response)).toBe("media_gone");
    const among = await post(site.url, "/web/command/image-edit", {
      values: { images: [await uploadPhoto(site.url), { surface: "web", id }], prompt: "blend" },
    });
    expect(await codeOf(among)).toBe("media_gone");
    expect(site.core.heard).toEqual([]);
  });

  it.each(["..%2F..%2Flogin-token", "__proto__", "constructor"])("are not found at %s", async (id) => {
    expect(await statusWith(site.url, `/web/media/${id}`, {})).toBe(404);
  });
});

describe("results", () => {
  it("can be read in parts, so that a player can seek", async () => {
    await generate();
    const { body } = await untilMessage(site.url, "result");
    const [video] = body.kind === "result" ? body.media : [];
    const clip = await readFile(CLIP);
    const url = `${site.url}/web/media/${video?.id}`;

    const part = await fetch(url, { headers: { range: "bytes=100-199" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 100-199/${clip.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(clip.subarray(100, 200))).toBe(true);

    const beyond = await fetch(url, { headers: { range: `bytes=${clip.length}-` } });
    expect(beyond.status).toBe(416);

    const whole = await fetch(`${url}?save=my%20clip.mp4`);
    expect(whole.headers.get("content-type")).toBe("video/mp4");
    expect(whole.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''my%20clip.mp4");
    expect(Number(whole.headers.get("content-length"))).toBe(clip.length);
    await whole.arrayBuffer();
  });

  it("that are gone are not kept as missing by the browser", async () => {
    await generate();
    const { body } = await untilMessage(site.url, "result");
    const [video] = body.kind === "result" ? body.media : [];
    await site.files.remove(video?.id ?? "");
    const missing = await fetch(`${site.url}/web/media/${video?.id}`);
    expect(missing.status).toBe(404);
    expect(missing.headers.get("cache-control")).toBe("no-store");
  });
});

it("serves what is no picture, video or sound only to be saved, and lets nobody keep it", async () => {
  const file = { name: "reelay-export.json", type: "application/json", content: '{"a":"ä"}' };
  await site.surface.deliver({}, { kind: "file", text: { key: "privacy.text" }, file });
  const { body } = await untilMessage(site.url, "file");
  if (body.kind !== "file") throw new Error("It is no file.");
  expect(body.file).toMatchObject({ name: file.name, bytes: 10 });
  const answer = await fetch(`${site.url}/web/media/${body.file.id}`);
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; /);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({ a: "ä" });
  await site.surface.forget("web:me");
  expect((await fetch(`${site.url}/web/media/${body.file.id}`)).status).toBe(404);
});

it("says with the session what was stated, and where the host's own terms are", async () => {
  const session = async () => (await fetch(`${site.url}/web/session`)).json();
  expect(await session()).toMatchObject({ stated: ["terms", "consent"] });
  expect(await session()).not.toHaveProperty("termsUrl");
  await site.close();
  site = await startSite({ env: { REELAY_TERMS_URL: "https://host.example/terms" } });
  expect(await session()).toMatchObject({ termsUrl: "https://host.example/terms" });
});

it("refuses a body beyond its cap", async () => {
  const response = await post(site.url, "/web/act", { token: "x".repeat(300_000) });
  expect(await codeOf(response)).toBe("bad_request");
});

describe("requests", () => {
  it("reach the core with their values, the person and their language", async () => {
    const image = await uploadPhoto(site.url);
    const values = { image, prompt: "slow zoom", duration: 4, auto_upscale: true };
    const body = { values, agreed: ["terms"] };
    const response = await post(site.url, "/web/command/video", body, { "accept-language": "pl-PL" });
    expect(response.status).toBe(202);
    expect(site.core.heard).toEqual([
      {
        name: "video",
        values,
        origin: {
          platform: "web",
          user: "web:me",
          address: { conversation: "me" },
          audience: "private",
          locale: "pl",
          agreed: ["terms"],
          press: expect.any(String),
        },
      },
    ]);
  });

  it("carry what was pressed and what it said it costs: the same for the same, another for another", async () => {
    for (const prompt of ["a lighthouse", "a lighthouse", "a castle"])
      await post(site.url, "/web/command/image", { values: { prompt }, price: 1.5 });
    const [first, second, other] = site.core.heard.map(({ origin }) => origin);
    expect(first).toMatchObject({ price: 1.5, press: expect.any(String) });
    expect(second).toEqual(first);
    expect(other?.press).not.toBe(first?.press);
  });

  it("stand in the conversation, without their secrets", async () => {
    await post(site.url, "/web/command/connect", { values: { key: "sk-secret-secret" } });
    expect(site.core.heard[0]?.values).toEqual({ key: "sk-secret-secret" });
    const messages = await history(site.url);
    expect(messages[0]).toMatchObject({ from: "person", body: { command: "connect", values: {} } });
    expect(JSON.stringify(messages)).not.toContain("sk-secret");
  });

  it("answer a form once", async () => {
    await generate();
    const result = await untilMessage(site.url, "result");
    await post(site.url, "/web/act", { token: `change:${result.id}` });
    const form = await untilMessage(site.url, "form");
    const values = { image: await uploadPhoto(site.url), prompt: "faster" };
    const answer = { values, agreed: ["faces"] };
    expect((await post(site.url, `/web/answer/${form.id}`, answer)).status).toBe(202);
    expect(site.core.heard.at(-1)).toMatchObject({ name: "video", values: { prompt: "faster" } });
    expect(site.core.heard.at(-1)?.origin.agreed).toEqual(["faces"]);
    const again = await post(site.url, `/web/answer/${form.id}`, { values });
    expect(await codeOf(again)).toBe("stale_button");
  });

  it.each([
    ["/web/command/nothing", { values: {} }, 404],
    ["/web/command/video", { values: { image: { surface: "cli", id: "/etc/passwd" } } }, 400],
    ["/web/command/video", { values: { prompt: ["a"] } }, 400],
    ["/web/command/image-edit", { values: { images: [{ surface: "cli", id: "/etc/passwd" }] } }, 400],
    [
      "/web/command/image-edit",
      { values: { images: Array.from({ length: 21 }, () => ({ surface: "web", id: "a" })) } },
      400,
    ],
    ["/web/command/video", {}, 400],
    ["/web/command/video", { values: {}, agreed: ["everything"] }, 400],
    ["/web/command/video", { values: {}, agreed: "terms" }, 400],
    ["/web/act", { token: 1 }, 400],
    ["/web/act", { token: "x".repeat(300) }, 400],
    ["/web/answer/none", { values: {} }, 400],
  ])("to %s with a body like %j are refused", async (path, body, status) => {
    expect((await post(site.url, path, body)).status).toBe(status);
    expect(site.core.heard).toEqual([]);
  });

  it("for a price name the field that does not fit", async () => {
    const image = await uploadPhoto(site.url);
    const fits = await post(site.url, "/web/quote/video", { values: { image, prompt: "x" } });
    expect(await fits.json()).toEqual({ tokens: 4.5, basis: "learned", balance: 1000, asks: [] });
    const not = await post(site.url, "/web/quote/video", { values: { image, prompt: "x", duration: 99 } });
    expect(await not.json()).toMatchObject({
      code: "field_out_of_range",
      field: "duration",
      params: { max: 8 },
    });
  });

  it("for a catalogue are answered with its entries", async () => {
    const response = await post(site.url, "/web/suggest/video/template", { partial: "zoom", values: {} });
    expect(await response.json()).toMatchObject([{ value: "slow-zoom", title: "Slow zoom" }]);
  });
});
