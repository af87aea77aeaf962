import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { makeProgram } from "../../adapters/cli/program.ts";
import scripts from "../../package.json" with { type: "json" };
import { translator } from "../../src/common/i18n.ts";
import { scriptedRuntime } from "../adapters/cli/support/runtime.ts";
import { GUIDES, inlineCodeOf } from "./pages.ts";

/** The commands as the command line knows them; none is run. */
const program = await makeProgram(
  {
    runtime: scriptedRuntime({}).runtime,
    translate: translator("en"),
    locale: "en",
  } as Parameters<typeof makeProgram>[0],
  () => {},
).whole();

/** What is wrong with a call of `reelay`; undefined where its command and its flags are known. */
function mistakeIn(call: string): string | undefined {
  const words =
    call
      .replace(/^(npx )?reelay ?/, "")
      .replace(/ [<>].*$/, "")
      .match(/"[^"]*"|\S+/g) ?? [];
  let command: Command = program;
  for (const word of words) {
    if (word.startsWith("--")) {
      if (!command.options.some(({ long }) => long === word) && word !== "--help")
        return `${call}: no flag ${word}`;
      continue;
    }
    const next = command.commands.find((child) => child.name() === word);
    // A word in capitals stands for one that people choose.
    if (!next && command.commands.length > 0 && !/^[A-Z]+$/.test(word)) return `${call}: no command ${word}`;
    command = next ?? command;
  }
  return undefined;
}

const calls = (page: string, begin: RegExp) => inlineCodeOf(page).filter((code) => begin.test(code));

describe("commands within sentences", () => {
  it.each(GUIDES)("are known where %s names them", (page) => {
    const wrong = calls(page, /^(npx )?reelay( |$)/).map(mistakeIn);
    expect(wrong.filter((mistake) => mistake !== undefined)).toEqual([]);
    const unknown = calls(page, /^npm run /).filter(
      (code) => !Object.hasOwn(scripts.scripts, code.split(" ")[2] ?? ""),
    );
    expect(unknown).toEqual([]);
  });

  it("are noticed where they are wrong", () => {
    expect(mistakeIn("npx reelay doctr")).toContain("no command doctr");
    expect(mistakeIn("reelay partner remov NAME")).toContain("no command remov");
    expect(mistakeIn("reelay usage --buy day")).toContain("no flag --buy");
    expect(mistakeIn("reelay run OPERATION")).toBeUndefined();
  });
});
