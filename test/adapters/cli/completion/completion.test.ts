import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { testFolder } from "../support/folder.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

/** What `reelay completion` prints for a shell. */
async function scriptFor(shell: string): Promise<string> {
  const terminal = new Terminal();
  expect(await runCli(["completion", shell], scriptedRuntime({}).runtime, terminal)).toBe(EXIT.ok);
  return terminal.stdout.text;
}

const has = (shell: string) => spawnSync(shell, ["-c", "exit"]).status === 0;

/** How each shell is asked what it offers after some words, a line for each. */
const ASKED: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
  bash: (script, words) => `source ${script}
    complete -p reelay > /dev/null || exit 1
    compopt() { :; }
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}) COMP_CWORD=${words.length - 1}
    _reelay && printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Its completion needs a terminal: what the function hands over to it is printed instead.
  zsh: (script, words) => `compdef() { :; }
    _describe() { local list=\${@[-1]}; print -rl -- \${\${(P)list}%%:*}; }
    compadd() { shift; print -rl -- "$@"; }
    _files() { print -rl -- *; }
    source ${script}
    words=(${words.map((word) => `'${word}'`).join(" ")}) CURRENT=${words.length}
    _reelay`,
  fish: (script, words) => `source ${script}
    complete -C '${words.join(" ")}' | string replace -r '\\t.*' ''; true`,
};

describe.each(Object.entries(ASKED))("completion in %s", (shell, ask) => {
  it.runIf(has(shell))("offers commands, flags, choices and files, where it is installed", async () => {
    const folder = await testFolder();
    const script = join(folder, "script");
    writeFileSync(script, await scriptFor(shell));
    const offered = (...words: string[]) => {
      const last = words.at(-1) ?? "";
      const program = ask(script, words);
      const bare = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] }[shell] ?? [];
      const said = execFileSync(shell, [...bare, "-c", program], { cwd: folder, encoding: "utf8" });
      return said.split("\n").filter((word) => word !== "" && word.startsWith(last));
    };
    expect(offered("reelay", "ru")).toEqual(["run"]);
    expect(offered("reelay", "")).toEqual(expect.arrayContaining(["run", "jobs", "doctor", "completion"]));
    expect(offered("reelay", "")).not.toContain("shard");
    expect(offered("reelay", "completion", "")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
    expect(offered("reelay", "run", "vi")).toContain("video");
    expect(offered("reelay", "run", "video", "--pro")).toEqual(["--prompt"]);
    expect(offered("reelay", "run", "video", "--prompt", "a", "--dry")).toEqual(["--dry-run"]);
    expect(offered("reelay", "settings", "--locale", "p")).toEqual(["pl", "pt-BR"]);
    expect(offered("reelay", "audit", "--act", "with")).toEqual(["withdraw", "withhold"]);
    // bash itself completes files where the function offers nothing.
    expect(offered("reelay", "run", "video", "--image", "photo")).toEqual(
      shell === "bash" ? [] : ["photo.jpg"],
    );
    expect(offered("reelay", "run", "video", "--prompt", "photo")).toEqual([]);
  });
});

describe("reelay completion", () => {
  it("knows the shells it is for", async () => {
    const terminal = new Terminal();
    expect(await runCli(["completion", "tcsh"], scriptedRuntime({}).runtime, terminal)).toBe(EXIT.refused);
    expect(terminal.event("problem")).toMatchObject({ params: { mistake: "unknownCommand", what: "tcsh" } });
  });

  it("is in the person's language, as their help is", async () => {
    const terminal = new Terminal({ env: { LANG: "fr_FR.UTF-8" } });
    await runCli(["completion", "fish"], scriptedRuntime({}).runtime, terminal);
    expect(terminal.stdout.text).toContain("compléter les commandes");
  });
});
