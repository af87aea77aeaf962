import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { type PartnerAdmin, type PartnerEntry, SCOPES } from "../../../../src/seam/access/partners.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

const KEY = "sk-service-key";
const info = { id: "0123abcd", scopes: SCOPES, createdAt: 1 };
const token = `rly_my-shop_0123abcd_${"x".repeat(43)}`;
const entry: PartnerEntry = {
  partner: {
    id: "my-shop",
    name: "My Shop",
    platform: "shop",
    createdAt: 1,
    caps: { day: 1000, atOnce: 5 },
    userCaps: {},
    requestsPerMinute: 600,
  },
  tokens: [{ ...info, lastUsedAt: null }],
  paidBy: "own",
};

const ADDRESS = "https://reelay.example";

interface PartnerCall {
  readonly terminal?: Terminal;
  readonly answers?: Partial<PartnerAdmin>;
  /** Where the server listens. */
  readonly address?: string;
}

/** Calls `reelay partner …`, with what the core was asked for. */
async function partner(
  argv: readonly string[],
  { terminal = new Terminal(), answers = {}, address = ADDRESS }: PartnerCall = {},
) {
  const calls: unknown[][] = [];
  const note = (name: string, answer: unknown) =>
    async function (...args: unknown[]) {
      calls.push([name, ...args]);
      return answer;
    };
  const partners = {
    add: note("add", { ...entry, fresh: { token, info } }),
    list: note("list", [entry]),
    set: note("set", entry),
    setKey: note("setKey", entry),
    addToken: note("addToken", { token, info }),
    revokeToken: note("revokeToken", undefined),
    remove: note("remove", undefined),
    ...answers,
  } as PartnerAdmin;
  const { runtime, state } = scriptedRuntime({ partners, runtime: { address: async () => address } });
  const code = await runCli(["partner", ...argv], runtime, terminal);
  expect(state.stopped).toBe(state.opened);
  return { code, calls, terminal, opened: state.opened };
}

const said = ({ stdout, stderr }: Terminal) => stdout.text + stderr.text;
const noCaps = {
  day: undefined,
  month: undefined,
  dayTokens: undefined,
  monthTokens: undefined,
  atOnce: undefined,
};

/** What is said at a terminal of a partner who was just added. */
async function added(paidBy: PartnerEntry["paidBy"], address: string): Promise<string> {
  const terminal = new Terminal({ tty: true });
  const add = async () => ({ ...entry, paidBy, fresh: { token, info } });
  await partner(["add", "My Shop"], { terminal, address, answers: { add } });
  return terminal.stdout.text;
}

describe("reelay partner add", () => {
  it("takes everything by flags and tells the token in one event", async () => {
    const flags = [
      "--key",
      KEY,
      "--platform",
      "shop",
      "--scopes",
      "jobs:read,usage:read",
      "--per-day",
      "1000",
    ];
    const more = ["--at-once", "5", "--user-per-month", "30", "--requests-per-minute", "60", "--json"];
    const { code, calls, terminal } = await partner(["add", "My Shop", ...flags, ...more]);
    expect(code).toBe(EXIT.ok);
    expect(calls).toEqual([
      [
        "add",
        "My Shop",
        {
          key: KEY,
          scopes: ["jobs:read", "usage:read"],
          platform: "shop",
          requestsPerMinute: 60,
          caps: { day: 1000, month: undefined, atOnce: 5 },
          userCaps: { ...noCaps, month: 30 },
        },
      ],
    ]);
    expect(terminal.events).toEqual([
      { version: 1, event: "partner", ...entry, token, url: "https://reelay.example/v1" },
    ]);
    expect(said(terminal)).not.toContain(KEY);
  });

  it("says at a terminal that the token is shown once, and how to try it", async () => {
    const { terminal, calls } = await partner(["add", "My Shop"], { terminal: new Terminal({ tty: true }) });
    expect(calls[0]?.[2]).toMatchObject({ key: undefined, scopes: SCOPES });
    expect(terminal.stdout.text.split("\n")).toEqual([
      "My Shop (my-shop)",
      "  paid by               a key of their own",
      "  counts as             shop",
      "  jobs                  1,000 a day (UTC) · 5 at the same time",
      "  per user              no cap",
      "  requests a minute     600",
      "  their users           are vouched for",
      "  templates for adults  no",
      "  access token          0123abcd  jobs:read jobs:write usage:read webhooks  never expires  never used",
      "",
      `  ${token}`,
      "",
      "This access token is shown only once: keep it like a password. Try it while Reelay is running:",
      `  curl -H "Authorization: Bearer ${token}" https://reelay.example/v1/operations`,
      "",
    ]);
  });

  it("names the address that is really listened on, and says in the sandbox that webhooks may lead to this machine", async () => {
    const here = "http://127.0.0.1:9123";
    const hooks = "webhooks may lead to this machine";
    expect(await added("sandbox", here)).toContain(`${here}/v1/operations`);
    expect(await added("sandbox", here)).toContain(hooks);
    expect(await added("operator", here)).not.toContain(hooks);
    expect(await added("sandbox", ADDRESS)).not.toContain(hooks);
  });

  it("reads the key from a pipe", async () => {
    const terminal = new Terminal();
    terminal.stdin.end(`${KEY}\n`);
    const { calls } = await partner(["add", "My Shop", "--key", "-"], { terminal });
    expect(calls[0]?.[2]).toMatchObject({ key: KEY });
    expect(said(terminal)).not.toContain(KEY);
  });

  it("asks for it at a terminal, hidden, before anything is opened; Ctrl-C withholds it", async () => {
    const terminal = new Terminal({ tty: true });
    const call = partner(["add", "My Shop", "--key", "-"], { terminal });
    await expect.poll(() => terminal.stderr.text).toContain("API key");
    terminal.stdin.write("\u0003");
    expect(await call).toMatchObject({ code: EXIT.interrupted, opened: 0 });
  });

  it("says what mends it when nobody pays", async () => {
    const unpaid = { ...entry, paidBy: null, fresh: { token, info } };
    const terminal = new Terminal({ tty: true });
    await partner(["add", "My Shop"], { terminal, answers: { add: async () => unpaid } });
    expect(terminal.stdout.text).toContain("reelay partner key my-shop");
    expect(terminal.stdout.text).toContain("http:my-shop in REELAY_OPERATOR_KEY_FOR");
  });

  it("says whose key cannot be read any more, and what to do", async () => {
    const terminal = new Terminal({ tty: true });
    const listed = { ...entry, paidBy: "unreadable" } as const;
    await partner(["list"], { terminal, answers: { list: async () => [listed] } });
    expect(terminal.stdout.text).toMatch(/paid by +nobody: the key of their own cannot be read any more/);
    expect(terminal.stdout.text).toContain("`reelay doctor` says how");
  });

  it.each([
    ["--per-day", "-1"],
    ["--per-day", "1.5"],
    ["--per-day", "1e3"],
    ["--at-once", "0x10"],
    ["--tokens-per-day", "1e3"],
    ["--requests-per-minute", "0x10"],
    ["--at-once", "many"],
    ["--requests-per-minute", "0"],
    ["--scopes", "jobs:read,everything"],
    ["--platform", "my shop"],
    ["--gates", "open"],
    ["--mature", "yes"],
    ["--tokens-per-day", "-1"],
    ["--tokens-per-month", "0.001"],
    ["--user-tokens-per-day", "1e10"],
    ["--user-tokens-per-month", "many"],
    ["--origins", "*"],
    ["--origins", "https://*.example.com"],
    ["--origins", "https://shop.example,http://localhost:5173,https://*"],
    ["--origins", "shop.example"],
    ["--origins", "https://shop.example/"],
    ["--origins", "https://Shop.example"],
    ["--origins", "https://shop.example,null"],
    ["--origins", "https://shop.example, https://b.example"],
    ["--origins", "ftp://shop.example"],
    ["--origins", ""],
  ])("refuses %s %j", async (flag, value) => {
    const { code, opened, terminal } = await partner(["add", "x", `${flag}=${value}`]);
    expect({ code, opened }).toEqual({ code: EXIT.refused, opened: 0 });
    expect(terminal.stderr.text).toMatch(
      new RegExp(`The value of ${flag} is not valid. Expected: (a|up|jobs|vouched|on|addresses)`),
    );
  });
});

/** What a token is to be good for, as flags say it. */
const termsOf = async (...flags: string[]) =>
  (await partner(["token", "my-shop", ...flags])).calls[0]?.[2] as { expiresAt?: number };

describe("reelay partner", () => {
  it("lists partners, or says that there are none", async () => {
    const { terminal } = await partner(["list"]);
    expect(terminal.events).toEqual([{ version: 1, event: "partners", partners: [entry] }]);
    const none = { terminal: new Terminal({ tty: true }), answers: { list: async () => [] } };
    expect((await partner(["list"], none)).terminal.stdout.text).toContain("reelay partner add NAME");
  });

  it("set changes what is given; none takes a cap away", async () => {
    const { calls } = await partner(["set", "my-shop", "--per-day", "none", "--user-at-once", "0"]);
    expect(calls).toEqual([
      [
        "set",
        "my-shop",
        {
          platform: undefined,
          requestsPerMinute: undefined,
          caps: { ...noCaps, day: null },
          userCaps: { ...noCaps, atOnce: 0 },
        },
      ],
    ]);
  });

  it("sets budgets in tokens, and shows them", async () => {
    const flags = ["--tokens-per-month", "5000", "--user-tokens-per-day", "25.5", "--tokens-per-day", "none"];
    const { calls } = await partner(["set", "my-shop", ...flags]);
    expect(calls[0]?.[2]).toMatchObject({
      caps: { monthTokens: 5000, dayTokens: null },
      userCaps: { dayTokens: 25.5 },
    });
    const caps = { day: 1000, dayTokens: 50.25, monthTokens: 500 };
    const withBudgets: PartnerEntry = { ...entry, partner: { ...entry.partner, caps } };
    const { terminal } = await partner(["list"], {
      terminal: new Terminal({ tty: true }),
      answers: { list: async () => [withBudgets] },
    });
    expect(terminal.stdout.text).toContain(
      "1,000 a day (UTC) · 50.25 tokens a day (UTC) · 500 tokens a month (UTC)",
    );
  });

  it("set says whether their people are asked, and what is mature allowed; list shows it", async () => {
    const { calls } = await partner(["set", "my-shop", "--gates", "asked", "--mature", "on"]);
    expect(calls[0]?.[2]).toMatchObject({ gates: "asked", mature: true });
    const back = await partner(["set", "my-shop", "--gates", "vouched", "--mature", "off"]);
    expect(back.calls[0]?.[2]).toMatchObject({ gates: "vouched", mature: false });
    const asked = { ...entry, partner: { ...entry.partner, asksPeople: true, mature: true } } as const;
    const { terminal } = await partner(["list"], {
      terminal: new Terminal({ tty: true }),
      answers: { list: async () => [asked] },
    });
    expect(terminal.stdout.text).toMatch(/their users +are asked themselves\n +templates for adults +yes/);
  });

  it("set says whose pages may call, or that none may; list shows them", async () => {
    const origins = ["https://shop.example", "http://localhost:5173"];
    const { calls } = await partner(["set", "my-shop", "--origins", origins.join(",")]);
    expect(calls[0]?.[2]).toMatchObject({ origins });
    const none = await partner(["set", "my-shop", "--origins", "none"]);
    expect(none.calls[0]?.[2]).toMatchObject({ origins: [] });
    const { terminal } = await partner(["list"], {
      terminal: new Terminal({ tty: true }),
      answers: { list: async () => [{ ...entry, partner: { ...entry.partner, origins } }] },
    });
    expect(terminal.stdout.text).toMatch(
      /pages that may call +https:\/\/shop\.example http:\/\/localhost:5173\n/,
    );
  });

  it("key reads another key", async () => {
    const terminal = new Terminal();
    terminal.stdin.end(KEY);
    const { calls } = await partner(["key", "my-shop"], { terminal });
    expect(calls).toEqual([["setKey", "my-shop", KEY]]);
    expect(said(terminal)).not.toContain(KEY);
  });

  it("makes a token that expires, after a time or with a day", async () => {
    const before = Date.now();
    const { expiresAt = 0 } = await termsOf("--expires", "90d");
    expect(expiresAt).toBeGreaterThanOrEqual(before + 90 * 24 * 3_600_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 90 * 24 * 3_600_000);
    expect(await termsOf("--expires", "2098-12-31")).toMatchObject({ expiresAt: Date.UTC(2099, 0, 1) });
    expect((await termsOf()).expiresAt).toBeUndefined();
  });

  it.each(["", "90", "d", "-1d", "2026-13-01", "soon", "99999y"])(
    "takes %j for no time at which a token could expire",
    async (given) => {
      const { calls, code } = await partner(["token", "my-shop", "--expires", given]);
      expect(calls).toEqual([]);
      expect(code).toBe(2);
    },
  );

  it.each(["0d", "2001-01-01"])(
    "says that %j is over, and makes no token that is dead from the start",
    async (given) => {
      const { calls, code, terminal } = await partner(["token", "my-shop", "--expires", given]);
      expect(calls).toEqual([]);
      expect(code).toBe(EXIT.refused);
      expect(terminal.event("problem").code).toBe("over_already");
      expect(terminal.stderr.text).toBe(
        `--expires ${given} has already passed, so the token would never work. Give a time such as 90d, or a future day, as YYYY-MM-DD (UTC).\n`,
      );
    },
  );

  it("token makes one more, and revoke takes one away", async () => {
    const made = await partner(["token", "my-shop", "--scopes", "webhooks"]);
    expect(made.calls).toEqual([["addToken", "my-shop", { scopes: ["webhooks"] }]]);
    expect(made.terminal.event("token")).toMatchObject({ partner: "my-shop", token, info });
    const revoked = await partner(["revoke", "my-shop", "0123abcd"]);
    expect(revoked.calls).toEqual([["revokeToken", "my-shop", "0123abcd"]]);
    expect(revoked.terminal.event("revoked")).toMatchObject({ partner: "my-shop", token: "0123abcd" });
  });

  it("remove asks at a terminal", async () => {
    for (const [pressed, code, calls] of [
      ["y", EXIT.ok, [["remove", "my-shop"]]],
      ["n", EXIT.interrupted, []],
    ] as const) {
      const terminal = new Terminal({ tty: true });
      const call = partner(["remove", "my-shop"], { terminal });
      await expect.poll(() => terminal.stderr.text).toContain("Remove “my-shop” with");
      terminal.stdin.write(pressed);
      expect(await call).toMatchObject({ code, calls });
    }
  });

  it("remove needs --yes where nobody can be asked", async () => {
    const refused = await partner(["remove", "my-shop"]);
    expect(refused).toMatchObject({ code: EXIT.refused, calls: [["list"]] });
    expect(refused.terminal.stderr.text).toContain("--yes");
    const { calls, terminal } = await partner(["remove", "my-shop", "--yes"]);
    expect(calls).toEqual([["remove", "my-shop"]]);
    expect(terminal.event("removed")).toEqual({ version: 1, event: "removed", partner: "my-shop" });
  });

  it("remove says that there is no such partner before it says that nobody can be asked", async () => {
    const refused = await partner(["remove", "nope"]);
    expect(refused.code).toBe(EXIT.refused);
    expect(refused.terminal.event("problem")).toMatchObject({ code: "partner_unknown" });
    expect((await partner(["remove", "My Shop"])).terminal.event("problem").code).toBe("not_confirmed");
  });

  it("add says that a key in the call is in the shell's history, and repeats it nowhere", async () => {
    const terminal = new Terminal({ tty: true });
    const { code } = await partner(["add", "My Shop", "--key", KEY], { terminal });
    expect(code).toBe(EXIT.ok);
    expect(terminal.stderr.text).toContain("history");
    const program = await partner(["add", "My Shop", "--key", KEY]);
    expect(program.terminal.stderr.text).toBe("");
    expect(terminal.stdout.text + terminal.stderr.text).not.toContain(KEY);
    const piped = new Terminal();
    piped.stdin.end(KEY);
    await partner(["add", "My Shop", "--key", "-"], { terminal: piped });
    expect(piped.stderr.text).not.toContain("history");
  });

  it("says what the core refuses", async () => {
    const unknown = new ReelayError("partner_unknown", { name: "x" });
    const answers = { set: () => Promise.reject(unknown) };
    const { code, terminal } = await partner(["set", "x"], { answers });
    expect(code).toBe(EXIT.refused);
    expect(terminal.event("problem")).toMatchObject({ code: "partner_unknown" });
    expect(terminal.stderr.text).toBe("There is no partner “x”. `reelay partner list` shows them all.\n");
  });
});
