import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../adapters/cli/output/exit-codes.ts";
import { PROGRAM } from "../support/modules.ts";
import { temporaryFolder } from "../support/sandbox.ts";

/** Runs the program in a folder with a `.env`; undefined: with a folder of that name. One that serves is ended, which is no exit code. */
async function reelay(dotEnv: string | Buffer | undefined, ...args: readonly string[]) {
  const cwd = temporaryFolder();
  if (dotEnv === undefined) mkdirSync(join(cwd, ".env"));
  else writeFileSync(join(cwd, ".env"), dotEnv);
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: temporaryFolder() };
  return promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd, env, timeout: 60_000 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout: String(stdout), stderr: String(stderr) }),
  );
}

const start = (dotEnv: string | Buffer) => reelay(dotEnv, "start", "--json");

/** The port that a `.env` sets, as `reelay link` has it. */
async function portOf(dotEnv: string | Buffer): Promise<string> {
  const { stdout, stderr } = await reelay(dotEnv, "link", "--json");
  const { url } = JSON.parse(stdout.split("\n")[0] ?? "") as { url?: string };
  return url === undefined ? stdout + stderr : new URL(url).port;
}

const mistakesOf = ({ stdout }: { stdout: string }) =>
  (JSON.parse(stdout.split("\n")[0] ?? "") as { mistakes: { setting: string; wanted: string }[] }).mistakes;

const bigEndian = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16();

describe.concurrent("a .env is read", () => {
  it.each([
    ["as any editor writes it", "REELAY_PORT=8882\nREELAY_HOST=127.0.0.1\n"],
    ["with a mark of its encoding before the first line", "\uFEFFREELAY_PORT=8882\n"],
    ["in UTF-16, as a shell of Windows writes it", Buffer.from("\uFEFFREELAY_PORT=8882\r\n", "utf16le")],
    ["in UTF-16 the other way round", bigEndian("REELAY_PORT=8882\r\n")],
    ["with another setting before it that has blanks alone", "REELAY_API_KEY= \nREELAY_PORT=8882\n"],
    [
      "beside comments, blank lines, and what other programs have there",
      "# a: comment\n\n \t\n  # another\nexport REELAY_PORT = '8882' # why\r\nOTHER_KEY=\"-----BEGIN\nreelay port\n-----END\"\nIT='tis\n",
    ],
  ])("%s", async (_what, dotEnv) => {
    expect(await portOf(dotEnv)).toBe("8882");
  });

  it("and the environment wins", async () => {
    const { stdout } = await reelay("REELAY_DATA=/elsewhere\n", "mcp", "--config");
    expect(stdout).not.toContain("elsewhere");
  });

  it("as the example has it", async () => {
    const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
    expect(await portOf(`${example}\nREELAY_PORT=8882`)).toBe("8882");
  });
});

describe.concurrent("what a .env says in vain stops the start, by its line, and is not repeated", () => {
  it.each([
    ["a colon for the equals sign", "REELAY_PORT: hush", "NAME=VALUE"],
    ["an equals sign somewhere behind", "REELAY_API_URL: http://hush.test/api?a=b", "NAME=VALUE"],
    ["a command of a shell", "$env:REELAY_PORT=hush", "NAME=VALUE"],
    ["a word alone", "hush", "NAME=VALUE"],
    ["no name", "=hush", "NAME=VALUE"],
    ["a name in small letters", "reelay_port=8882", "REELAY_PORT"],
    ["a name in some small letters", "Telegram_Bot_Token=hush", "TELEGRAM_BOT_TOKEN"],
    ["a quote without its end", 'REELAY_DATA="hush', "quote"],
    ["a quote that the next setting ends", 'A="hush\nREELAY_PORT="8882"', "quote"],
    ["text after a quote", "REELAY_DATA='a'hush", "quote"],
  ])("%s", async (_what, line, wanted) => {
    const stopped = await start(`\n# fine\nREELAY_LOG_LEVEL=info\n${line}\n`);
    expect(stopped.code).toBe(EXIT.settings);
    expect(mistakesOf(stopped)).toMatchObject([
      { setting: ".env, line 4", wanted: expect.stringContaining(wanted) },
    ]);
    expect(stopped.stdout + stopped.stderr).not.toContain("hush");
  });

  it("all of them at once", async () => {
    const stopped = await start("one\nREELAY_PORT=1\ntwo\n");
    expect(mistakesOf(stopped).map(({ setting }) => setting)).toEqual([".env, line 1", ".env, line 3"]);
  });

  it("UTF-16 without its mark, which cannot be told from others", async () => {
    const stopped = await start(Buffer.from("REELAY_PORT=8882\n", "utf16le"));
    expect(stopped.code).toBe(EXIT.settings);
    expect(mistakesOf(stopped)).toMatchObject([
      { setting: ".env", wanted: expect.stringContaining("UTF-8") },
    ]);
  });
});

it.concurrent.each([["start"], ["doctor"], ["backup"]])(
  "%s says of a folder of that name what made it",
  async (command) => {
    const { code, stdout } = await reelay(undefined, command, "--json");
    expect(code).toBe(command === "doctor" ? EXIT.failed : EXIT.settings);
    expect(stdout).toMatch(/\.env.*a folder.*Docker/);
  },
);

it.concurrent("the doctor tells of the lines as of wrong settings", async () => {
  const { code, stdout } = await reelay("reelay_port=8882\n", "doctor", "--json");
  expect(code).toBe(EXIT.failed);
  const { checks } = JSON.parse(stdout.split("\n")[0] ?? "") as { checks: object[] };
  expect(checks).toMatchObject([
    { name: "settings", ok: false, found: expect.stringContaining(".env, line 1") },
  ]);
});
