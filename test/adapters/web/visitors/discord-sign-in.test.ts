import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "../../../../src/app/config.ts";
import { FakeOAuth2 } from "../../../support/discord/oauth2.ts";
import { codeOf, post } from "../support/client.ts";
import { startSite, type Site } from "../support/site.ts";
import { APP, cookieOf, PUBLIC, visit } from "../support/visitor.ts";

const ID = "111111111111111111";
const SECRET = "client-secret-of-tests-0123456789";

let discord: FakeOAuth2;
let site: Site;
beforeEach(async () => {
  const redirect = `${PUBLIC.REELAY_PUBLIC_URL}${APP}`;
  discord = await FakeOAuth2.start({ clientId: ID, clientSecret: SECRET, redirect });
  site = await startSite({ env: envWith(SECRET) });
});
afterEach(async () => {
  await site.close();
  await discord[Symbol.asyncDispose]();
});

const envWith = (secret: string) => ({
  ...PUBLIC,
  DISCORD_API_ROOT: discord.url,
  DISCORD_CLIENT_ID: ID,
  DISCORD_CLIENT_SECRET: secret,
});

/** Presses the button. @returns where Discord asks, and what the browser keeps */
async function begin(at = site) {
  const answer = await post(at.url, `${APP}/web/sign-in/discord/begin`, {});
  expect(answer.status).toBe(200);
  const { address } = z.object({ address: z.string() }).parse(await answer.json());
  return { address, cookie: cookieOf(answer) };
}

/** Comes back with what Discord gave. */
const end = ({ search }: { readonly search: string }, cookie: string, at = site) =>
  post(at.url, `${APP}/web/sign-in/discord`, { query: search }, { cookie });

const ways = async (at: Site) => (await fetch(`${at.url}${APP}/web/sign-in`)).json();

/** Reads settings. */
const reading = (env: Record<string, string>) => () => readConfig({ REELAY_DATA: "data", ...env });

/** The session among an answer's cookies. */
const sessionOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .find((one) => one.startsWith("reelay-app="))
    ?.split(";")[0];

const refusal = async (answer: Response) => [answer.status, await codeOf(answer), sessionOf(answer)];

it("opens the page of whom Discord knows, with the account of their chat", async () => {
  const { address, cookie } = await begin();
  const answer = await end(discord.agree(address, "5"), cookie);
  expect(answer.status).toBe(204);
  const session = await fetch(`${site.url}${APP}/web/session`, {
    headers: { cookie: sessionOf(answer) ?? "" },
  });
  expect(await session.json()).toMatchObject({ person: "discord:5" });
});

it("says that it is there, and only where it was set up", async () => {
  expect(await ways(site)).toEqual({ discord: true });
  const without = await startSite({ env: PUBLIC });
  expect(await ways(without)).toEqual({ discord: false });
  expect((await post(without.url, `${APP}/web/sign-in/discord/begin`, {})).status).toBe(401);
  await without.close();
});

it("ends only in the browser that began it, and once", async () => {
  const ann = await begin();
  const mallory = await begin();
  const led = discord.agree(mallory.address, "666");
  // Somebody is made to open another one's way back.
  expect(await refusal(await end(led, ann.cookie))).toEqual([403, "sign_in_forged", undefined]);
  expect(await refusal(await end(led, ""))).toEqual([403, "sign_in_stale", undefined]);

  const { address, cookie } = await begin();
  const back = discord.agree(address, "5");
  const first = await end(back, cookie);
  expect(first.status).toBe(204);
  expect(first.headers.getSetCookie().join()).toContain("reelay-discord=;");
  expect(await refusal(await end(back, cookie))).toEqual([403, "sign_in_stale", undefined]);
});

it("uses up a way back for whoever is in as somebody else, too", async () => {
  const ben = await visit(site, "telegram:222");
  const { address, cookie } = await begin();
  const answer = await end(discord.agree(address, "5"), `${ben.cookie}; ${cookie}`);
  expect(answer.status).toBe(204);
  const headers = { cookie: ben.cookie };
  expect((await fetch(`${site.url}${APP}/web/session`, { headers })).status).toBe(401);
});

it.each([
  ["a code that was made up", "?code=aaaa&state=STATE", "sign_in_stale"],
  ["another state", "?code=aaaa&state=other", "sign_in_forged"],
  ["no state", "?code=aaaa", "sign_in_forged"],
  ["no code", "?state=STATE", "sign_in_forged"],
  ["two states", "?code=aaaa&state=STATE&state=other", "sign_in_forged"],
  ["a token", "?access_token=aaaa&state=STATE", "sign_in_forged"],
  ["nothing", "", "sign_in_forged"],
])("refuses %s", async (_, query, code) => {
  const { address, cookie } = await begin();
  const search = query.replace("STATE", new URL(address).searchParams.get("state") ?? "");
  expect(await refusal(await end({ search }, cookie))).toEqual([403, code, undefined]);
});

it("refuses a code that another sign-in was given: its verifier does not fit", async () => {
  const [one, other] = [await begin(), await begin()];
  const stolen = discord.agree(one.address, "5").searchParams.get("code") ?? "";
  const state = new URL(other.address).searchParams.get("state") ?? "";
  const search = `?${new URLSearchParams({ code: stolen, state }).toString()}`;
  expect(await refusal(await end({ search }, other.cookie))).toEqual([403, "sign_in_stale", undefined]);
});

it("tells whoever declined from what is out of order", async () => {
  const { address, cookie } = await begin();
  expect(await refusal(await end(discord.decline(address), cookie))).toEqual([
    403,
    "sign_in_declined",
    undefined,
  ]);
  const other = await startSite({ env: envWith("another-secret-0123456789") });
  const wrong = await begin(other);
  expect(await refusal(await end(discord.agree(wrong.address, "5"), wrong.cookie, other))).toEqual([
    502,
    "sign_in_unavailable",
    undefined,
  ]);
  expect(other.logged.join("")).toContain("DISCORD_CLIENT_ID");
  await other.close();
  for (const trouble of ["down", "nonsense"] as const) {
    const begun = await begin();
    const back = discord.agree(begun.address, "5");
    discord.trouble = trouble;
    expect(await refusal(await end(back, begun.cookie))).toEqual([502, "sign_in_unavailable", undefined]);
    discord.trouble = undefined;
  }
});

it("is the page's alone, and its cookie is no script's", async () => {
  const evil = { origin: "https://evil.example" };
  const answer = await post(site.url, `${APP}/web/sign-in/discord/begin`, {}, evil);
  expect(await codeOf(answer)).toBe("foreign_origin");
  const begun = await post(site.url, `${APP}/web/sign-in/discord/begin`, {});
  const cookie = begun.headers.get("set-cookie")?.split("; ") ?? [];
  for (const part of ["HttpOnly", "Secure", "Max-Age=600", "Path=/app"]) expect(cookie).toContain(part);
});

it("asks Discord no more often than some hundred times a minute", async () => {
  const { address, cookie } = await begin();
  const search = `?code=a&state=${new URL(address).searchParams.get("state")}`;
  const answers: number[] = [];
  for (let time = 0; time < 130; time++) answers.push((await end({ search }, cookie)).status);
  expect(answers.filter((status) => status === 429)).toHaveLength(10);
});

it("leaves neither code nor token nor secret in the log", async () => {
  const { address, cookie } = await begin();
  const back = discord.agree(address, "5");
  await end(back, cookie);
  await end(back, cookie);
  const [token = ""] = discord.tokens.keys();
  expect(token).not.toBe("");
  const log = site.logged.join("");
  for (const secret of [token, SECRET, back.searchParams.get("code") ?? "?", cookie.split(".")[1] ?? "?"])
    expect(log).not.toContain(secret);
});

it("needs all of its settings", () => {
  expect(reading({ DISCORD_CLIENT_ID: ID, ...PUBLIC })).toThrow(/DISCORD_CLIENT_SECRET/);
  expect(reading({ DISCORD_CLIENT_SECRET: SECRET, ...PUBLIC })).toThrow(/DISCORD_CLIENT_ID/);
  const both = { DISCORD_CLIENT_ID: ID, DISCORD_CLIENT_SECRET: SECRET };
  expect(reading(both)).toThrow(/REELAY_PUBLIC_URL/);
  expect(reading({ ...both, DISCORD_CLIENT_SECRET: "a b" })).not.toThrow(/a b/);
});
