import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { lossyLine } from "../recipes/lossy-line.ts";
import { play, run } from "../recipes/recipe.ts";
import { openGateway } from "../support/gateway.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";

const CLIENT = fileURLToPath(new URL("../../clients/python/", import.meta.url));
const CONVERSATION = fileURLToPath(new URL("conversation.py", import.meta.url));

const version = "import sys; sys.exit(sys.version_info < (3, 11))";
const HAS_PYTHON = spawnSync("python3", ["-c", version]).status === 0;
if (!HAS_PYTHON) process.stderr.write("There is no Python 3.11 here: its client is not run.\n");

const AT = new Date("2026-01-31T12:00:00Z");
const SECRET = `whsec_${Buffer.from("a secret for tests only").toString("base64")}`;
const BODY = JSON.stringify({ type: "ping", timestamp: AT.toISOString(), data: { webhook: "ep_1" } });

describe.skipIf(!HAS_PYTHON)("the client for Python", () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    await writeFile(join(folder, "photo.jpg"), Buffer.from(await testPicture(), "base64"));
  });

  /** Runs a program in the folder. */
  const python = (program: readonly string[], environment: Readonly<Record<string, string>>) =>
    run("sh", ["-c", 'cd "$FOLDER" && exec python3 "$@"', "sh", ...program], {
      FOLDER: folder,
      PYTHONPATH: CLIENT,
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONUNBUFFERED: "1",
      LINE: "",
      REELAY_URL: "",
      REELAY_TOKEN: "",
      ...environment,
    });

  it("brings a video of a photo, once, over a line that breaks; refusals by class; the same for asyncio", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using line = await lossyLine(gateway.url);
    const { token } = await gateway.join();
    const parts = ["conversation", "refusals", "asynchronously"];
    const environment = { LINE: line.url, REELAY_URL: gateway.url, REELAY_TOKEN: token };
    const { out, err } = await python([CONVERSATION, ...parts], environment);
    expect({ out, err }).toEqual({ out: parts.map((part) => `done: ${part}\n`).join(""), err: "" });
    play(join(folder, "video.mp4"));
    const { submissions } = await sandbox.ledger();
    // Its words went with it when it was deleted there; that of the other film, and those of the pictures, stay.
    expect(submissions.filter(({ prompt }) => prompt === null)).toHaveLength(1);
    expect(submissions.filter(({ prompt }) => prompt === "fast zoom")).toHaveLength(1);
    const sent = line.passed.filter(({ kind }) => kind === "submission");
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it("raises the job that came to nothing", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const environment = { REELAY_URL: gateway.url, REELAY_TOKEN: token };
    expect(await python([CONVERSATION, "failure"], environment)).toMatchObject({
      out: "done: failure\n",
      err: "",
    });
  });

  it("sends again what is safe to be, as soon as it was told to", async () => {
    expect(await python([CONVERSATION, "repetitions"], {})).toMatchObject({
      out: "done: repetitions\n",
      err: "",
    });
  });

  it("reads a webhook's message that the reference's implementation signed, and no other", async () => {
    const environment = {
      BODY,
      SECRET,
      ID: "msg_1",
      AT: String(AT.getTime() / 1000),
      SIGNATURE: new Webhook(SECRET).sign("msg_1", AT, BODY),
    };
    const ended = await python([CONVERSATION, "webhooks"], environment);
    expect(ended).toMatchObject({ out: "done: webhooks\n", err: "" });
  });

  it("does what its README shows", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const readme = await readFile(join(CLIENT, "README.md"), "utf8");
    const [, program = ""] = /```python\n(.*?)```/s.exec(readme) ?? [];
    const { out, err } = await python(["-c", program], { REELAY_URL: gateway.url, REELAY_TOKEN: token });
    expect(err).toBe("");
    expect(out).toMatch(/^\w+ \d+%\n.*Saved: .*\.mp4, for [\d.]+ tokens/s);
    play(join(folder, (await readdir(folder)).find((name) => name.endsWith(".mp4")) ?? ""));
  });
});
