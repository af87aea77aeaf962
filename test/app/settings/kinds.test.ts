import { describe, expect, it } from "vitest";
import { readConfig, settings } from "../../../src/app/config.ts";
import { placeOf } from "../../../src/app/setup/resolve.ts";
import { mistakes } from "../../support/mistakes.ts";

/** Settings that are numbers: what is in force where they are not set is one, or their bounds are told of. */
const NUMBERS = Object.entries(settings.shape)
  .flatMap(([name, schema]) =>
    /number/.test(schema.safeParse("x").error?.issues[0]?.message ?? "") ? [name] : [],
  )
  .filter((name) => !/DISCORD|WHATSAPP/.test(name));

describe("a setting of blanks alone", () => {
  it("is none, whichever it is: nothing becomes 0, a path or a word by it", () => {
    const unset = readConfig({});
    for (const name of Object.keys(settings.shape))
      for (const blanks of ["", "   ", "\t", " \n"])
        expect(readConfig({ [name]: blanks }), `${name} ${JSON.stringify(blanks)}`).toEqual(unset);
  });

  it("leaves open what was set in the browser", () => {
    const env = { WHATSAPP_TOKEN: "EAA-a-token-of-some-system-user", WHATSAPP_APP_SECRET: "  " };
    expect(placeOf(env)).toMatchObject({ whatsapp: undefined });
  });
});

describe("a number", () => {
  it("is of digits, with blanks around it at most", () => {
    expect(NUMBERS.length).toBeGreaterThan(20);
    for (const name of NUMBERS) {
      for (const slip of ["0x10", "1e1", "0b11", "0o17", "+5", "5,", "1_0", "5 0", "Infinity", "NaN", "five"])
        expect(mistakes({ [name]: slip }), `${name}=${slip}`).toMatchObject([
          { setting: name, wanted: expect.stringContaining("number") },
        ]);
    }
    expect(readConfig({ REELAY_PORT: " 80 ", REELAY_DAILY_BUDGET: "2.50" })).toMatchObject({
      port: 80,
      policy: { budgets: { person: { day: 2.5 } } },
    });
    expect(mistakes({ REELAY_PORT: "80.5" })).toMatchObject([{ setting: "REELAY_PORT" }]);
    expect(mistakes({ REELAY_DAILY_BUDGET: "2.505" })).toMatchObject([{ setting: "REELAY_DAILY_BUDGET" }]);
  });
});

describe("an address", () => {
  it("has nothing behind it where paths are put there", () => {
    for (const setting of ["REELAY_PUBLIC_URL", "TELEGRAM_API_ROOT", "DISCORD_API_ROOT", "WHATSAPP_API_ROOT"])
      for (const url of ["https://x.example?y", "https://x.example/#z", "https://x.example/?"])
        expect(mistakes({ [setting]: url }), `${setting}=${url}`).toMatchObject([
          { setting, wanted: expect.stringContaining("without ? and #") },
        ]);
    expect(mistakes({ REELAY_API_URL: "https://x.example?y=/api" })).toMatchObject([
      { setting: "REELAY_API_URL" },
    ]);
    const terms = "https://x.example/terms?lang=en#top";
    expect(readConfig({ REELAY_TERMS_URL: terms }).policy.termsUrl).toBe(terms);
  });

  it("opens nothing, and what would is never repeated", () => {
    for (const setting of [
      "REELAY_API_URL",
      "REELAY_API_URL_FULL_CATALOG",
      "REELAY_PUBLIC_URL",
      "REELAY_TERMS_URL",
      "REELAY_MODERATION_URL",
      "TELEGRAM_API_ROOT",
      "DISCORD_API_ROOT",
      "WHATSAPP_API_ROOT",
    ])
      for (const opens of ["somebody:SECRETPW@", ":SECRETPW@", "SECRETPW@"]) {
        const found = mistakes({ [setting]: `http://${opens}127.0.0.1:1/api` });
        expect(found, `${setting} ${opens}`).toMatchObject([
          { setting, wanted: expect.stringContaining("without a name and a password") },
        ]);
        expect(JSON.stringify(found)).not.toContain("SECRETPW");
        expect(found[0]?.found).toContain("127.0.0.1:1/api");
      }
    // Nor where something else is wrong with it.
    const ftp = mistakes({ REELAY_API_URL: "ftp://somebody:SECRETPW@service.test/api" });
    expect(JSON.stringify(ftp)).not.toContain("SECRETPW");
  });
});

describe("the host to listen on", () => {
  it("is an address or a name", () => {
    const hosts = ["0.0.0.0", "::", "::1", "fe80::1%eth0", "localhost", "my-box.lan", "a_b", " 127.0.0.1 "];
    for (const host of hosts) expect(readConfig({ REELAY_HOST: host }).host).toBe(host.trim());
    const none = [
      "999.1.1.1",
      "1.2.3",
      "0",
      "0x7f.1",
      "127.0.0.1:80",
      "*",
      "[::1]",
      "http://x",
      "a b",
      "x/y",
      "a@b",
    ];
    for (const host of none)
      expect(mistakes({ REELAY_HOST: host }), host).toMatchObject([
        { setting: "REELAY_HOST", wanted: "an IP address or the name of a host, without a port" },
      ]);
  });
});

describe("hosts of the operator's own network", () => {
  it("are such as requests lead to, each as their addresses have it", () => {
    const hosts = "NAS.local, 10.0.0.5:8080,[FD00:0::1]:81,[::1],bücher.lan:080";
    expect(readConfig({ REELAY_PRIVATE_HOSTS: hosts }).privateHosts).toEqual([
      "nas.local",
      "10.0.0.5:8080",
      "[fd00::1]:81",
      "[::1]",
      "xn--bcher-kva.lan:80",
    ]);
    for (const none of [
      "*",
      "*.local",
      "x:99999",
      "x:0",
      "x:",
      "x:http",
      "10.0.0.0/8",
      "999.1.1.1",
      "::1",
      "a b",
      "http://x",
      "u@x",
      "x?y",
      "[x]",
    ])
      expect(mistakes({ REELAY_PRIVATE_HOSTS: `nas.local,${none}` }), none).toMatchObject([
        { setting: "REELAY_PRIVATE_HOSTS", wanted: expect.stringContaining("a list of hosts") },
      ]);
  });
});

describe("a place of files", () => {
  it("is a folder, never everything that there is", () => {
    expect(readConfig({ REELAY_FILES: "file:/srv/reelay" }).files).toEqual({ folder: "/srv/reelay" });
    for (const none of ["file:", "file:/", "file://", "file:///", "file:/.", "file:/x/..", "file:x"])
      expect(mistakes({ REELAY_FILES: none }), none).toMatchObject([{ setting: "REELAY_FILES" }]);
  });
});

describe("a key", () => {
  it("is taken without the blanks around it, and refused with what is wrong with it", () => {
    expect(readConfig({ REELAY_API_KEY: "  a-key-of-mine\n" }).apiKey).toBe("a-key-of-mine");
    for (const [key, wanted] of [
      ['"a-key-of-mine"', "without the quotes"],
      ["'a-key-of-mine'", "without the quotes"],
      ["“a-key-of-mine”", "without the quotes"],
      ["Bearer a-key-of-mine", "Bearer"],
      ["a-key-of-mine # the new one", "Bearer"],
      ["a-kéy-of-mine", "letter with an accent"],
      ["a-key\u200b-of-mine", "letter with an accent"],
    ] as const)
      for (const setting of ["REELAY_API_KEY", "REELAY_MODERATION_KEY"]) {
        const found = mistakes({ [setting]: key });
        expect(found, key).toMatchObject([{ setting, wanted: expect.stringContaining(wanted) }]);
        expect(JSON.stringify(found)).not.toContain("of-mine");
      }
  });
});
