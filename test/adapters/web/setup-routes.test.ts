import { afterEach, describe, expect, it } from "vitest";
import type { Entered, Setup, SetupOutcome, SetupState } from "../../../src/seam/surface/setup.ts";
import { loginLink } from "../../../adapters/web/login.ts";
import { TERMINAL_OWNER } from "../../../src/seam/access/operators.ts";
import { startSite, type Site } from "./support/site.ts";
import { cookieOf, PUBLIC, visit } from "./support/visitor.ts";

const STATE: SetupState = {
  revision: 3,
  inForce: "all",
  steps: { service: [], telegram: [], discord: [], whatsapp: [], people: [], public: [] },
  env: "",
  unused: [],
};

/** Notes what is entered, and says what it is told to say. */
class FakeSetup implements Setup {
  readonly entered: Entered[] = [];
  outcome: SetupOutcome["outcome"] = "saved";

  state = async () => STATE;
  look = async () => [];
  tryOut = async () => ({ key: "setup.discord.posted" }) as const;
  echo = (question: string) => (question === "asked" ? "answered" : undefined);

  async save(_step: string, entered: Entered): Promise<SetupOutcome> {
    this.entered.push(entered);
    return { outcome: this.outcome, wrong: {}, findings: [], mayAnyway: false };
  }
}

const BODY = { revision: 3, values: { REELAY_DAILY_CAP: "3" } };

describe("the routes of the page that sets Reelay up", () => {
  let site: Site;
  afterEach(() => site.close());

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(site.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: site.url, ...headers },
      body: JSON.stringify(body),
    });

  it("say what came of it in the status, too", async () => {
    const setup = new FakeSetup();
    site = await startSite({ setup });
    expect(await (await fetch(`${site.url}/web/setup`)).json()).toEqual(STATE);
    for (const [outcome, status] of [
      ["saved", 200],
      ["refused", 422],
      ["stale", 409],
    ] as const) {
      setup.outcome = outcome;
      const answer = await post("/web/setup/people", BODY);
      expect([answer.status, await answer.json()]).toMatchObject([status, { outcome }]);
    }
    const entered = { ...BODY, anyway: false };
    expect(setup.entered).toEqual([entered, entered, entered]);
    expect((await fetch(`${site.url}/web/session`).then((answer) => answer.json())) as object).toMatchObject({
      setup: true,
    });
  });

  it("take nothing that is no such form, and nothing from another site", async () => {
    const setup = new FakeSetup();
    site = await startSite({ setup });
    for (const body of [{}, { ...BODY, revision: -1 }, { ...BODY, values: { REELAY_DAILY_CAP: 3 } }])
      expect((await post("/web/setup/people", body)).status).toBe(400);
    expect((await post("/web/setup/elsewhere", BODY)).status).toBe(400);
    expect((await post("/web/setup/people", BODY, { origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await post("/web/setup/discord/hello", { channel: "general" })).status).toBe(400);
    expect(setup.entered).toEqual([]);
  });

  it("are for whoever has the login of the terminal, once there is one, and for nobody of everybody's page", async () => {
    const setup = new FakeSetup();
    const publicUrl = "https://reelay.example";
    site = await startSite({ setup, env: { REELAY_PUBLIC_URL: publicUrl } });
    expect((await fetch(`${site.url}/web/setup`)).status).toBe(401);
    expect((await post("/web/setup/people", BODY)).status).toBe(401);
    expect((await fetch(`${site.url}/app/web/setup`)).status).not.toBe(200);
    expect(setup.entered).toEqual([]);
    const link = await loginLink(site.config, "/setup");
    expect(link.startsWith(`${publicUrl}/setup#login=`)).toBe(true);
    const token = new URL(link).hash.replace("#login=", "");
    const cookie = (await post("/web/login", { token })).headers.get("set-cookie")?.split(";")[0] ?? "";
    const state = await fetch(`${site.url}/web/setup`, { headers: { cookie } });
    expect(await state.json()).toEqual(STATE);
    // Whoever asks from outside to see whether this is the one has no login.
    expect(await (await fetch(`${site.url}/setup/echo/asked`)).text()).toBe("answered");
    expect((await fetch(`${site.url}/setup/echo/other`)).status).toBe(404);
  });

  it.each([
    ["owner", 200],
    ["operator", 403],
    ["moderator", 403],
    ["viewer", 403],
  ] as const)("answer an %s with %i", async (role, status) => {
    const setup = new FakeSetup();
    site = await startSite({ setup, env: PUBLIC });
    const origin = PUBLIC.REELAY_PUBLIC_URL;
    const { token } = await site.operators.invite(role, TERMINAL_OWNER);
    const cookie = cookieOf(await post("/web/enter", { token, name: "Ann" }, { origin }));
    for (const path of ["/web/setup", "/web/setup/service/findings"])
      expect((await fetch(site.url + path, { headers: { cookie } })).status).toBe(status);
    expect((await post("/web/setup/people", BODY, { origin, cookie })).status).toBe(status);
    expect(setup.entered).toHaveLength(status === 200 ? 1 : 0);
  });

  it("are for nobody of the chats", async () => {
    const setup = new FakeSetup();
    site = await startSite({ setup, env: PUBLIC });
    const { cookie } = await visit(site, "telegram:1");
    expect((await fetch(`${site.url}/app/web/setup`, { headers: { cookie } })).status).toBe(403);
    const session = await fetch(`${site.url}/app/web/session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ setup: false });
  });

  it("are not there where nothing is set up", async () => {
    site = await startSite();
    for (const path of ["/web/setup", "/setup", "/setup/echo/asked"])
      expect((await fetch(site.url + path)).status).toBe(404);
  });
});
