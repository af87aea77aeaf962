import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder, testPicture, testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { blocksOf, GUIDES, PAGES, ROOT, textOf } from "./pages.ts";

/** What is not run here, and why; what is listed must stand in a guide. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "npm ci": "it would take away the packages that this test runs with",
  "npm test": "it runs this test",
  "npm run test:quick": "its tests run beside this one; test/structure.test.ts holds that they are there",
  "npm run bench": "it measures for an hour",
  "npm run mutants": "it runs the tests hundreds of times",
  "docker compose up -d": "it builds an image, with packages of a distribution",
  "docker compose exec reelay node tools/reelay.js link": "it needs that container",
  "docker compose exec -T reelay node tools/reelay.js backup - > reelay.backup":
    "it needs that container; test/app/backups/output.test.ts does the same without",
  "docker compose stop reelay": "it needs that container",
  "docker compose run --rm -T reelay tar -c -C /data . > data.before.tar": "it needs that container",
  "docker compose run --rm reelay find /data -mindepth 1 -delete": "it needs that container",
  'docker compose run --rm -v "$PWD/reelay.backup:/reelay.backup:ro" reelay node tools/reelay.js restore /reelay.backup':
    "it needs that container; test/app/backups/output.test.ts does the same without",
  "npx reelay move --to postgres://reelay:its-password@db.internal/reelay":
    "it needs that server; test/app/moving/database.test.ts and test/crash/move.test.ts move to one",
  "npx reelay move --files 's3://films/reelay?endpoint=https://store.internal'":
    "it needs that store; test/app/moving/files.test.ts copies to one",
  "npx reelay alerts test": "it needs a place to tell; test/app/alerts/alerts.test.ts tells two",
  "npx reelay start --shards auto":
    "it needs Discord; test/adapters/discord/gateway/sharding.test.ts runs it",
};

/** What serves until it is stopped: all others run beside it. */
const SERVES = "npm start";

/** What its page has run while Reelay is stopped: they come last. */
const WHILE_STOPPED = [
  "mv data data.before",
  "npx reelay restore reelay.backup",
  'sqlite3 data/reelay.db "pragma temp_store = memory; vacuum"',
];

/** What a checkout has of its own, besides packages and what is made. */
const isOurs = (path: string) => !/\/(node_modules|\.git|dist|data)(\/|$)/.test(path.slice(ROOT.length - 1));

/** What the pages leave open: its mark, and where its value is from. */
const OPEN = {
  url: "http://127.0.0.1:8787",
  token: "rly_my-shop_...",
  anyToken: "REELAY_TOKEN=...",
  job: "/ID/",
  webhook: "/WEBHOOK/",
} as const;

const folder = join(temporaryFolder(), "reelay");
/** A folder with an `npx` that runs Reelay at once: npm's own takes several times as long to start as Reelay does. */
const shortcuts = join(folder, "..", "shortcuts");
const known = new Map<string, string>();

/** Remembers what a command said that later ones need. */
function learn(said: string): void {
  const url = /"event":"started","url":"([^"]+)"/.exec(said)?.[1];
  const token = /rly_my-shop_[\w-]+/.exec(said)?.[0];
  const job = /"object":"job","id":"([^"]+)"/.exec(said)?.[1];
  const webhook = /"object":"webhook","id":"([^"]+)"/.exec(said)?.[1];
  if (url !== undefined) known.set(OPEN.url, url);
  // The first: later ones may do less.
  if (token !== undefined && !known.has(OPEN.token))
    known.set(OPEN.token, token).set(OPEN.anyToken, `REELAY_TOKEN=${token}`);
  if (job !== undefined) known.set(OPEN.job, `/${job}/`);
  if (webhook !== undefined) known.set(OPEN.webhook, `/${webhook}/`);
}

/** A command with what its page leaves open. */
const filled = (command: string) =>
  [...known].reduce((written, [mark, value]) => written.replaceAll(mark, value), command);

/** The environment of somebody who followed the pages so far, with a service whose keys are known and whose time is fast. */
function environment(sandbox: TestSandbox, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(REELAY|TELEGRAM|DISCORD)_/.test(name));
  const token = known.get(OPEN.token);
  return {
    ...Object.fromEntries(others),
    REELAY_API_URL: sandbox.url,
    REELAY_API_KEY: sandbox.keys.ultra,
    REELAY_OPERATOR_KEY_FOR: "all",
    REELAY_PORT: "0",
    // With the built-in sandbox, webhooks may lead to this machine anyway.
    REELAY_PRIVATE_HOSTS: "127.0.0.1",
    REELAY_POLL_MS: "100",
    REELAY_RATE_WINDOW_MS: "1200",
    ...(token !== undefined && { REELAY_TOKEN: token }),
    ...more,
  };
}

/** The commands of a block, without comments; a line that ends with a backslash goes on in the next. */
const commandsIn = (block: string) =>
  block
    .replaceAll(/(^| )#.*$/gm, "")
    .split(/(?<!\\)\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const blocks = GUIDES.flatMap(blocksOf);
const commands = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ page, text: block }) => commandsIn(block).map((command) => ({ page, command })));
const written = new Set(commands.map(({ command }) => command));
const isRun = ({ command }: { readonly command: string }) =>
  command !== SERVES && !Object.hasOwn(NOT_RUN, command) && !WHILE_STOPPED.includes(command);

describe("the commands of the guides", { timeout: 600_000 }, () => {
  let sandbox: TestSandbox;
  let server: ChildProcess | undefined;

  async function run(command: string, more: NodeJS.ProcessEnv = {}) {
    const env = environment(sandbox, more);
    // A key that is asked for is what somebody types; here it comes from a file.
    const typed = /--key -( |$)/.test(command) ? `${command} < key.txt` : command;
    const child = spawn("bash", ["-euc", typed], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    learn(out);
    return { command, code: child.exitCode, out, err };
  }

  async function stop(): Promise<void> {
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    process.kill(-server.pid, "SIGTERM");
    await ended;
  }

  beforeAll(async () => {
    await mkdir(folder);
    await cp(ROOT, folder, { recursive: true, filter: isOurs });
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "photo.jpg"), Buffer.from(await testPicture(), "base64"));
    await mkdir(shortcuts);
    const npx = '#!/bin/sh\n[ "$1" = reelay ] && shift && exec node tools/reelay.js "$@"\n';
    await writeFile(join(shortcuts, "npx"), npx, { mode: 0o700 });
    sandbox = await testSandbox();
    await writeFile(join(folder, "key.txt"), sandbox.keys.pro);
  }, 600_000);

  afterAll(async () => {
    await stop();
    await sandbox.stop();
  });

  it("leave out none but those with a reason, which are all written somewhere", () => {
    expect(written).toContain(SERVES);
    const special = [...Object.keys(NOT_RUN), ...WHILE_STOPPED];
    expect(special.filter((command) => !written.has(command))).toEqual([]);
  });

  it("keep keys out of the shell's history: none is a flag's value", () => {
    const shown = PAGES.flatMap((page) => [...textOf(page).matchAll(/--key[ =](?!-[`\s])\S+/g)].map(String));
    expect(shown).toEqual([]);
  });

  it("begin with one that serves the page", async () => {
    server = spawn("bash", ["-euc", SERVES], {
      cwd: folder,
      env: environment(sandbox),
      stdio: ["ignore", "pipe", "inherit"],
      // Its own group, so that what npm started is stopped with it.
      detached: true,
    });
    // Read to its end: what a server says later must not stop it.
    server.stdout?.on("data", (chunk: Buffer) => learn(String(chunk)));
    await expect.poll(() => known.get(OPEN.url)).toBeDefined();
    // The pages' commands ask whoever sits at a terminal; this is what that person says once.
    const confirmed = await run("npx reelay run image --prompt hello --agree terms,consent");
    expect(confirmed).toMatchObject({ code: 0 });
  });

  it.each(commands.filter(isRun))("of $page: $command", async ({ command }) => {
    const ready = filled(command);
    expect(ready, "something is left open").not.toMatch(/\.\.\.|\b(?:ID|WEBHOOK)\b/);
    const ended = await run(ready, { PATH: `${shortcuts}:${process.env["PATH"]}` });
    expect(ended.code, `${ended.out}\n${ended.err}`).toBe(0);
    // curl ends well whatever it was answered.
    expect(ended.out).not.toMatch(/"status":[45]\d\d/);
  });

  it("make files where they say", () => {
    const made = ["clip.mp4", "lake.mp4", "video.mp4", "january.csv", "me.json"];
    expect(made.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });

  it("of a program in docs/partner.md bring a video from Node.js too", async () => {
    const program = blocks.find(({ language }) => language === "js");
    await writeFile(
      join(folder, "partner.mjs"),
      filled(program?.text ?? "").replace("video.mp4", "node.mp4"),
    );
    expect(await run("node partner.mjs")).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, "node.mp4"))).toBe(true);
    // What is refused is said, and not followed.
    const refused = await run("node partner.mjs", { REELAY_TOKEN: "rly_nobody" });
    expect(refused.err).toContain("Error: This token is not valid");
  });

  it.each(WHILE_STOPPED)("while Reelay is stopped: %s", async (command) => {
    await stop();
    expect(await run(command)).toMatchObject({ code: 0 });
  });
});
