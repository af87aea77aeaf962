import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "../../src/app/config.ts";
import { temporaryFolder } from "../support/sandbox.ts";
import { blocksOf, GUIDES } from "./pages.ts";

const blocks = GUIDES.flatMap(blocksOf);
const inLanguage = (wanted: string) => blocks.filter(({ language }) => language === wanted);

/** What everybody writes their own of, and one that fits. */
const OWN: Readonly<Record<string, string>> = {
  "the-token-from-the-developer-portal":
    "MTIzNDU2Nzg5MDEyMzQ1Njc4.GAbcde.abcdefghijklmnopqrstuvwxyz0123456789AB",
  "the-public-key-from-the-developer-portal": "0123456789abcdef".repeat(4),
  "the-token-of-the-system-user": "EAAG".padEnd(180, "x"),
  "the-app-secret": "0123456789abcdef".repeat(2),
};

it("blocks are in languages that are checked", () => {
  const languages = new Set(blocks.map(({ language }) => language));
  // TypeScript is compared in test/domain/operations/described.test.ts.
  expect([...languages].toSorted()).toEqual(["ini", "js", "json", "sh", "text", "ts"]);
});

it.each(inLanguage("json"))("JSON of $page, $number, is whole", ({ text }) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow();
});

it.each(inLanguage("ini"))("settings of $page, $number, are taken", async ({ text }) => {
  const words = join(temporaryFolder(), "words.txt");
  await writeFile(words, inLanguage("text")[0]?.text ?? "");
  const lines = text.replace("words.txt", words).trim().split("\n");
  const settings = lines.map((line) => {
    const [, name = line, value = ""] = /^(\w+)=(.+)$/.exec(line) ?? [];
    return [name, OWN[value] ?? value] as const;
  });
  expect(() => readConfig(Object.fromEntries(settings))).not.toThrow();
});
