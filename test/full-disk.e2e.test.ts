import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { translator, withoutSent } from "../src/common/i18n.ts";
import { temporaryFolder } from "./support/sandbox.ts";

const PROGRAM = fileURLToPath(new URL("../tools/reelay.js", import.meta.url));

/** What every command says of a place that takes nothing. */
const STORAGE_DOWN = translator("en")("error.storage_down");

/** What is said of an output that takes nothing. */
const LOST = translator("en")("cli.output_lost", { reason: "" }).split(":")[0] ?? "";

/** What is said of a service that takes its time, as on a busy machine. */
const PATIENT = `${translator("en")("cli.silent", { minutes: 3 })}\n`;

/**
 * Calls the program in a shell.
 * @param call what the shell does; `reelay` is the program
 */
function shell(call: string, data: string, cwd = temporaryFolder()) {
  const { PATH } = process.env;
  const env = { PATH, REELAY_DATA: data, REELAY_LOCALE: "en" };
  const script = `reelay() { "${process.execPath}" "${PROGRAM}" "$@"; }; ${call}`;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile("sh", ["-c", script], { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** A data folder in which something is kept. */
async function aFolder(call = "partner list"): Promise<string> {
  const data = join(temporaryFolder(), "data");
  expect(await shell(`reelay ${call}`, data)).toMatchObject({ code: 0 });
  return data;
}

/** No file grows beyond this, in units of 512 bytes, as on a disk that has no more room. Nothing compiled is kept of such a call. */
const within = (size: number, call: string) =>
  `ulimit -f ${size}; export NODE_DISABLE_COMPILE_CACHE=1; ${call}`;

describe.concurrent("a disk without room", () => {
  /** Nobody opens it who has room: what SQLite shares beside it would be there then. */
  let data: string;
  beforeAll(async () => void (data = await aFolder()));

  it.each([
    "jobs",
    "run image --prompt x --agree terms",
    "usage",
    "backup here.backup",
    "link",
    "mcp",
    "start",
  ])("reelay %s says what to do, with its exit code and nothing of a program", async (call) => {
    const { code, stderr } = await shell(within(16, `reelay ${call}`), data);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${STORAGE_DOWN}\n` });
  });

  it.each(["jobs", "sandbox"])("reelay %s says so, too, where nothing is kept yet", async (call) => {
    const empty = join(temporaryFolder(), "data");
    const { code, stderr } = await shell(within(16, `reelay ${call}`), empty);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${STORAGE_DOWN}\n` });
  });

  it("reelay jobs says so where its first tables fill the disk half way", async () => {
    const empty = join(temporaryFolder(), "data");
    // Enough for what SQLite shares beside the database, too little for the tables.
    const { code, stderr } = await shell(within(200, "reelay jobs"), empty);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${STORAGE_DOWN}\n` });
  });

  it("reelay doctor advises to make room, and not to go back to a backup", async () => {
    const { code, stdout } = await shell(within(16, "reelay doctor"), data);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; found: string; advice: string }[] };
    const storage = checks.find(({ name }) => name === "storage");
    expect(storage).toMatchObject({ found: expect.stringMatching(/the disk is full$/) });
    expect(storage?.advice).toContain("Make room");
    expect(checks.find(({ name }) => name === "service")).toMatchObject({
      found: "sandbox: the disk is full",
      advice: expect.stringContaining("Make room"),
    });
    expect(code).toBe(1);
  });

  it("reelay doctor says the same of a server that runs, and not to put anything back", async ({
    onTestFinished,
  }) => {
    const server = createServer((_, answer) =>
      answer.writeHead(503).end(JSON.stringify({ status: "unready", waiting: ["storage"] })),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { stdout } = await shell(within(16, `REELAY_PORT=${port} reelay doctor`), data);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; found: string; advice: string }[] };
    expect(checks.find(({ name }) => name === "server")).toMatchObject({
      found: "running, not ready: storage",
      advice: "Make room on its disk: Reelay goes on by itself.",
    });
  });

  it("a backup that its own place does not take says so, and leaves nothing", async () => {
    const cwd = temporaryFolder();
    // Enough for what SQLite shares beside the database, too little for a copy of it.
    const { code, stderr } = await shell(within(200, "reelay backup here.backup"), await aFolder(), cwd);
    expect(code).toBe(1);
    expect(stderr).toContain(`could not be saved as ${join(cwd, "here.backup")}`);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("a data folder that may only be read is told by its name where it is backed up", async (context) => {
    const asNobody = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    const isRoot = process.getuid?.() === 0;
    if (isRoot && (await shell(`${asNobody} true`, "")).code !== 0) context.skip("setpriv is of Linux");
    const own = await aFolder();
    const cwd = temporaryFolder();
    // What is around them lets nobody else in either.
    const open = `chmod a+rx "${cwd}" "${join(own, "..")}"; chmod a+x "${join(cwd, "..")}"; chmod -R a+rX "${own}"; chmod 555 "${own}"; chmod 777 "${cwd}"`;
    const backup = `"${process.execPath}" "${PROGRAM}" backup here.backup`;
    const as = isRoot ? `${asNobody} env HOME="${cwd}" NODE_DISABLE_COMPILE_CACHE=1` : "";
    const { code, stderr } = await shell(`${open}; ${as} ${backup}`, own, cwd);
    expect(stderr).toContain(`REELAY_DATA: found "${own}", wanted a folder that can be written to (EACCES)`);
    expect(code).toBe(78);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("what is another user's in the data folder is no mistake of the program's", async (context) => {
    if (process.getuid?.() === 0) context.skip("root may write every file");
    const own = await aFolder();
    const { code, stderr } = await shell(`mkdir -m 500 "${join(own, "scratch")}"; reelay jobs`, own);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${STORAGE_DOWN}\n` });
  });
});

describe.concurrent("an output that takes nothing", () => {
  let data: string;
  beforeAll(async () => void (data = await aFolder("partner add shop")));

  const CALLS = ["jobs --json", "--help", "schema", "usage --csv"];

  it.for(CALLS)("reelay %s says so in one line", async (call, context) => {
    if (!existsSync("/dev/full")) context.skip("/dev/full is Linux's");
    const { code, stderr } = await shell(`reelay ${call} > /dev/full`, data);
    expect(stderr).toMatch(new RegExp(`^${LOST}: no space left on device\\. .*\\n$`));
    expect(code).toBe(1);
  });

  const PUBLIC = "export REELAY_PUBLIC_URL=https://reelay.example;";
  const ONCE: readonly (readonly [call: string, again: RegExp])[] = [
    ["partner add 'One shop'", /`(reelay partner token one-shop)`/],
    ["partner token shop --scopes jobs:read", /`(reelay partner token shop --scopes jobs:read)`/],
    ["operators invite --role viewer", /`(reelay operators link \S+)`/],
    ["webhooks secret shop --renew --json", /`(reelay webhooks secret shop)`/],
  ];

  it.for(ONCE)("reelay %s says how to get what is shown only once", async ([call, again], context) => {
    if (!existsSync("/dev/full")) context.skip("/dev/full is Linux's");
    const { code, stderr } = await shell(`${PUBLIC} reelay ${call} > /dev/full`, data);
    expect(stderr).toContain(LOST);
    expect(code).toBe(1);
    const [, way = ""] = again.exec(stderr) ?? [];
    expect({ way, stderr }).toMatchObject({ way: expect.stringContaining("reelay") });
    expect(await shell(`${PUBLIC} ${way}`, data)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"(token|url|secret)":"/),
    });
  });

  it("that nobody reads any more is no small thing where it is shown only once", async () => {
    const cwd = temporaryFolder();
    const call = "(reelay partner token shop; echo $? > code) | true";
    const { stderr } = await shell(call, data, cwd);
    expect(stderr).toContain("`reelay partner token shop`");
    expect(readFileSync(join(cwd, "code"), "utf8")).toBe("1\n");
  });

  it.for(ONCE)("reelay %s says so where it is closed", async ([call, again], context) => {
    if (!existsSync("/proc/self/fdinfo")) context.skip("/proc is Linux's");
    const { code, stderr } = await shell(`${PUBLIC} reelay ${call.replace("One", "Another")} >&-`, data);
    expect(stderr).toMatch(new RegExp(again.source.replace("one-", "another-")));
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("bad file descriptor"),
    });
  });

  it("is no loss where nobody wanted it", async () => {
    expect(await shell("reelay partner token shop > /dev/null", data)).toMatchObject({ code: 0, stderr: "" });
    expect(await shell("reelay partner list >&-", data)).toMatchObject({ code: 0, stderr: "" });
  });

  it("keeps the exit code of what was refused", async (context) => {
    if (!existsSync("/dev/full")) context.skip("/dev/full is Linux's");
    const { code, stderr } = await shell("reelay image > /dev/full", temporaryFolder());
    expect(stderr).toContain("There is no command “image”.");
    expect(stderr).toContain(LOST);
    expect(code).toBe(2);
    expect((await shell("reelay image 2> /dev/full", temporaryFolder())).code).toBe(2);
  });

  it("that takes a part is told from one that took all", async () => {
    const cwd = temporaryFolder();
    const { code, stderr } = await shell(within(16, "reelay schema > schema.json"), temporaryFolder(), cwd);
    expect(statSync(join(cwd, "schema.json")).size).toBe(8 * 1024);
    expect(stderr).toContain(LOST);
    expect(code).toBe(1);
    expect((await shell("reelay schema > whole.json", temporaryFolder(), cwd)).code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, "whole.json"), "utf8"))).toBeTypeOf("object");
  });

  it.each(CALLS)("reelay %s | true ends quietly", async (call) => {
    const { stderr } = await shell(`reelay ${call} | true; exit 0`, data);
    expect(["", PATIENT]).toContain(stderr);
  });

  it("and complaints that nobody reads change no exit code", async () => {
    const call = "(reelay image 2>&1; echo $? > code) | true";
    const cwd = temporaryFolder();
    await shell(call, temporaryFolder(), cwd);
    expect(readFileSync(join(cwd, "code"), "utf8")).toBe("2\n");
  });
});

describe.concurrent("a folder that is gone", () => {
  it.each(["balance", "partner list", "jobs", "schema"])(
    "reelay %s says so in a sentence, or does without",
    async (call) => {
      const { code, stderr } = await shell(`rmdir "$PWD"; reelay ${call}`, join(temporaryFolder(), "data"));
      expect(stderr).not.toMatch(/uv_cwd|"fatal"|at process/);
      expect({ code, stderr }).toMatchObject({ code: expect.toBeOneOf([0, 2]) });
      expect(stderr).toBe(code === 2 ? `${withoutSent(translator("en"))("cli.problem.folder_gone")}\n` : "");
    },
  );
});
