import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import en from "../../../../locales/en.json" with { type: "json" };
import { hasMessage } from "../../../../src/common/i18n.ts";
import { SAID } from "../../../../adapters/web/page/console/said.ts";

const DIST = new URL("../../../../dist/", import.meta.url);

const textsIn = async (folder: string) => {
  const names = await readdir(new URL(folder, DIST));
  return Promise.all(
    names
      .filter((name) => /^index-.*\.js$/.test(name))
      .map((name) => readFile(new URL(folder + name, DIST), "utf8")),
  );
};

/** Whether a sentence is there, or a family of them, whose name is said alone. */
const isThere = (key: string) => key in en || Object.keys(en).some((known) => known.startsWith(`${key}.`));

describe("the console as it is built", () => {
  it("is nothing that anybody else's page loads", async () => {
    const others = [
      await readFile(new URL("page/index.html", DIST), "utf8"),
      ...(await textsIn("page/assets/")),
    ];
    expect(others.filter((text) => /console\.(?:section|health|settlement)|\/console/.test(text))).toEqual(
      [],
    );
  });

  it("has every sentence that it says", async () => {
    const [...scripts] = await textsIn("console/console/assets/");
    const said = scripts.flatMap((text) =>
      [...text.matchAll(/["'`]((?:console|page|fact|error|state)\.[a-z_.]+)["'`]/g)].map(
        ([, key = ""]) => key,
      ),
    );
    expect(said.length).toBeGreaterThan(50);
    expect(said.filter((key) => !isThere(key) && !hasMessage(key))).toEqual([]);
    const unsaid = said.filter((key) => key in en && !SAID.test(key));
    // The login of everybody's page is in it, with buttons that the console never shows.
    expect(unsaid.filter((key) => !/^page\.(?:sign_in|console\.open)/.test(key))).toEqual([]);
  });
});
