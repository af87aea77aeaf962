import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import en from "../../../locales/en.json" with { type: "json" };
import { ELSEWHERE } from "../../../adapters/web/page/elsewhere.ts";
import { withoutBrowser } from "../../support/browser.ts";
import { forEachTest } from "./support/page.ts";

/** What answers the console and the command line alone. */
const CONSOLES = ["console/key-routes.ts"];

/** What names errors that the page's script need not say: where all are listed, and who never answers it. */
const NOT_REACHED = new Set([
  "common/errors.ts",
  // What partners do with jobs.
  "domain/dispatch/job-access.ts",
  // The page's script calls nothing by another method.
  "app/server.ts",
  "domain/operators/key-desk.ts",
  // Partners are made and changed by operators, and known by the tokens of their scripts.
  "domain/partners/authenticator.ts",
  "domain/partners/partner-admin.ts",
  "domain/partners/partner-book.ts",
  "app/partner-admin.ts",
  "domain/webhooks/partner-webhooks.ts",
  // What is capped is what partners ask for; the caps of a person and of a group have other names.
  "domain/policy/caps.ts",
  "app/test-mode/test-mode.ts",
  // It ends a start, and is the doctor's: no page is there then.
  "app/sandbox/folder.ts",
  ...CONSOLES,
]);

const ASSETS = new URL("../../../dist/page/assets/", import.meta.url);

describe.skipIf(withoutBrowser())("the page's languages", () => {
  const on = forEachTest();

  it("come one at a time, when they are read", async () => {
    const scripts = new Set<string>();
    on.page.on("request", (request) => {
      const language = /\/assets\/(\w\w)-[^/]*\.js$/.exec(request.url())?.[1];
      if (language) scripts.add(language);
    });
    await on.page.reload();
    await on.page.getByRole("form", { name: "New request" }).waitFor();
    expect([...scripts]).toEqual(["en"]);
    await on.page.getByRole("combobox", { name: "Language" }).selectOption("pl");
    await on.page.getByRole("form", { name: "Nowe zlecenie" }).waitFor();
    expect(await on.page.evaluate<string>("document.documentElement.lang")).toBe("pl");
    expect([...scripts]).toEqual(["en", "pl"]);
  });

  it("stays in the one that is there where another cannot be had", async () => {
    await on.page.route(/\/assets\/de-/, (route) => route.abort());
    await on.page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await expect.poll(() => on.complaints.join()).toContain("ERR_FAILED");
    await on.page.getByRole("form", { name: "New request" }).waitFor();
    expect(await on.page.evaluate<string>("document.documentElement.lang")).toBe("en");
    on.forgive(/ERR_FAILED/);
  });

  it("leave what somebody writes in the direction of its own letters", async () => {
    const directionOf = (selector: string) =>
      on.page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).direction`);
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("أمواج بطيئة");
    expect(await directionOf("textarea")).toBe("rtl");
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    await on.page.getByText("أمواج بطيئة").waitFor();
    expect(await directionOf("p.text[dir]")).toBe("rtl");
    // The form is emptied by the answer to the press, which may come after what the conversation says of it.
    await expect.poll(() => directionOf("textarea")).toBe("ltr");
  });

  it("hold whatever the core and the page may say, and nothing of the chats and the command line", async () => {
    const files = await readdir(ASSETS);
    const english = files.find((name) => name.startsWith("en-")) ?? "";
    const built = (await import(new URL(english, ASSETS).href)) as { default: Record<string, string> };
    expect(Object.keys(built.default)).toEqual(Object.keys(en).filter((key) => !ELSEWHERE.test(key)));
    const [core, web] = await Promise.all([sourcesIn("src"), sourcesIn("adapters/web")]);
    const http = await sourcesIn("adapters/http");
    const said = [...core, ...web, ...http].flatMap(
      ([, text]) => text.match(/"(?:chat|cli|discord|draft|offers|telegram|whatsapp)\.[a-z_.]+"/g) ?? [],
    );
    expect(said).toEqual([]);
    const codes = Object.keys(en).filter((key) => ELSEWHERE.test(key) && key.startsWith("error."));
    const thrown = [...core, ...web].filter(
      ([name, text]) =>
        !NOT_REACHED.has(name) &&
        codes.some((key) => text.includes(`"${key.replace(/^error\.|_(?:one|few|many|other)$/g, "")}"`)),
    );
    expect(thrown.map(([name]) => name)).toEqual([]);
    expect(
      [...web, ...http].filter(([, text]) => /\bKeyDesk\b/.test(text)).map(([name]) => name),
      "the desk of keys",
    ).toEqual(CONSOLES);
  });
});

/** The sources of a folder, by their paths in it. */
async function sourcesIn(folder: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const root = new URL(`../../../${folder}/`, import.meta.url);
  const names = (await readdir(root, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  return Promise.all(names.map(async (name) => [name, await readFile(new URL(name, root), "utf8")] as const));
}
