import { expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { readConfig } from "../../../../src/app/config.ts";
import { drawn, KEY_SHAPES } from "../../../support/keys.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

const key = KEY_SHAPES["base62, 40"]?.(drawn("flag")) ?? "";

it.each([
  ["a command", [key]],
  ["a command of several", ["partner", key]],
  ["an operation", ["run", key]],
  ["a flag", ["run", "image", `--${key}`, "1"]],
  ["a flag with its value", ["run", "image", `--prompt=a cat`, `--${key}=1`]],
  ["a number", ["run", "video", "--image", "photo.jpg", "--duration", key]],
  ["a file", ["run", "video", "--image", key, "--prompt", "zoom"]],
  ["a file in a folder", ["run", "video", "--image", `./${key}`, "--prompt", "zoom"]],
  ["a folder to save in", ["run", "image", "--prompt", "a cat", "--out", `./${key}/cat.png`]],
  ["a day", ["partner", "token", "shop", "--expires", key]],
])("says a key to nobody again that was given as %s", async (_, argv) => {
  for (const more of [[], ["--json"]]) {
    const terminal = new Terminal();
    const code = await runCli([...argv, ...more], scriptedRuntime({}).runtime, terminal);
    expect(code).toBe(EXIT.refused);
    expect(terminal.stdout.text + terminal.stderr.text).not.toContain(key);
  }
});

it("nor one that stands in a setting", () => {
  expect(() => readConfig({ REELAY_PORT: key })).toThrow(/REELAY_PORT: found .*…/);
  expect(() => readConfig({ REELAY_PORT: key })).not.toThrow(key);
});
