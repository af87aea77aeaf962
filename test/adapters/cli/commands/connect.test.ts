import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { drawn, KEY_SHAPES } from "../../../support/keys.ts";
import { contentsOf, holding } from "../../../support/leaks.ts";
import { temporaryFolder, testSandbox } from "../../../support/sandbox.ts";

const PROGRAM = fileURLToPath(new URL("../../../../tools/reelay.js", import.meta.url));

it("a key that was never seen is no word of somebody who has connected none", async () => {
  const cwd = temporaryFolder();
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: cwd };
  const key = KEY_SHAPES["base62, 40"]?.(drawn("terminal")) ?? "";
  const call = [PROGRAM, "run", "image", "--prompt", `a cat ${key}`, "--json"];
  const child = spawn(process.execPath, call, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(child.exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ event: "problem", code: "key_in_words" });
  expect(holding(key, [...(await contentsOf(cwd)), stdout, stderr])).toEqual([]);
});

it("a key that can be none is refused with what is wrong with it, and not shown", async () => {
  const key = KEY_SHAPES["base62, 40"]?.(drawn("terminal")) ?? "";
  const cwd = temporaryFolder();
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: cwd };
  const child = spawn(process.execPath, [PROGRAM, "connect"], { cwd, env });
  child.stdin.end(`"${key}"\n`);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(child.exitCode).toBe(2);
  expect(stderr).toContain("the key without the quotes around it");
  expect(holding(key, [...(await contentsOf(cwd)), stdout, stderr])).toEqual([]);
});

it("a key is connected by a process that ends at once, and has nothing to complain of", async () => {
  await using sandbox = await testSandbox();
  const cwd = temporaryFolder();
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: cwd, REELAY_API_URL: sandbox.url };
  const child = spawn(process.execPath, [PROGRAM, "connect", "--json"], { cwd, env });
  child.stdin.end(`${sandbox.keys.pro}\n`);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect({ code: child.exitCode, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ event: "notice" });
});
