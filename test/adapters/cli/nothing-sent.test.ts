import { expect, it } from "vitest";
import { runCli } from "../../../adapters/cli/cli.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { testFolder } from "./support/folder.ts";
import { scriptedRuntime } from "./support/runtime.ts";
import { Terminal } from "./support/terminal.ts";

const refuse = () => {
  throw new ReelayError("field_out_of_range", { field: "duration", min: 3, max: 8 });
};

async function said(...argv: readonly string[]): Promise<string> {
  const terminal = new Terminal({ cwd: await testFolder() });
  await runCli(argv, scriptedRuntime({ command: refuse, quote: refuse }).runtime, terminal);
  return terminal.stderr.text;
}

it("of what only reads nobody is told that nothing was sent", async () => {
  expect(await said("audit", "--since", "2026-01-01", "--since", "2026-01-02")).not.toContain("sent");
  expect(await said("run", "image", "--prompt", "waves", "--dry-run")).not.toContain("sent");
  expect(await said("run", "image", "--prompt", "waves")).toContain("Nothing was sent.");
});
