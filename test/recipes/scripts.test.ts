import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openGateway } from "../support/gateway.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";
import { lossyLine } from "./lossy-line.ts";
import { play, recipe, run } from "./recipe.ts";

const HAS_CURL = spawnSync("curl", ["--version"]).status === 0;
if (!HAS_CURL) process.stderr.write("There is no curl here: its recipe is not run.\n");

const folder = temporaryFolder();
const photo = join(folder, "photo.jpg");

beforeAll(async () => writeFile(photo, Buffer.from(await testPicture(), "base64")));

describe.each([
  { name: "curl.sh", program: "sh", runs: HAS_CURL, resumes: false },
  { name: "node.mjs", program: process.execPath, runs: true, resumes: true },
])("the recipe $name", ({ name, program, runs, resumes }) => {
  it.runIf(runs)("makes a video of a photo once, over a line that breaks", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using line = await lossyLine(gateway.url);
    const { token } = await gateway.join();
    const video = join(folder, `${name}.mp4`);
    const ended = await run(program, [recipe(name), photo, 'a "slow" zoom', video], {
      REELAY_URL: line.url,
      REELAY_TOKEN: token,
    });
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`Saved: ${video}`) });
    play(video);
    const { submissions } = await sandbox.ledger();
    expect(submissions.filter(({ prompt }) => prompt === 'a "slow" zoom')).toHaveLength(1);
    const sent = (kind: string, header: string) =>
      line.passed.filter((request) => request.kind === kind).map(({ headers }) => headers[header]);
    const [key, ...others] = sent("submission", "idempotency-key");
    expect(others).toEqual([key]);
    const [, last] = sent("events", "last-event-id");
    expect(Number(last) > 0).toBe(resumes);
  });

  it.runIf(runs)("says what was refused, and why a job came to nothing", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const environment = { REELAY_URL: gateway.url, REELAY_TOKEN: token };
    const refused = await run(program, [recipe(name), photo, "x".repeat(20_001)], environment);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("at most 20,000 characters") });
    const stranger = await run(program, [recipe(name), photo, "zoom"], {
      ...environment,
      REELAY_TOKEN: "none",
    });
    expect(stranger).toMatchObject({ code: 1, err: expect.stringContaining("This token is not valid.") });
    const failed = await run(program, [recipe(name), photo, "zoom"], environment);
    expect(failed).toMatchObject({
      code: 1,
      err: expect.stringContaining("The service could not make this"),
    });
  });
});

/** What fits on a screen: lines, and letters in each. */
const SCREEN = { lines: 66, letters: 120 };

describe("a recipe", () => {
  it("is one screen at most, those in the clients' READMEs, too", async () => {
    const folder = recipe("");
    const names = (await readdir(folder)).filter((name) => /^[a-z].*\.(sh|mjs|md)$/.test(name));
    expect(names.length).toBeGreaterThan(7);
    const programs = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    for (const [client, language] of [
      ["typescript", "ts"],
      ["python", "python"],
    ]) {
      const readme = await readFile(recipe(`../clients/${client}/README.md`), "utf8");
      const [, program] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(readme) ?? [];
      expect(program).toBeDefined();
      programs.push(program ?? "");
    }
    for (const program of programs) {
      const lines = program.trimEnd().split("\n");
      expect(lines.length, lines[0]).toBeLessThanOrEqual(SCREEN.lines);
      expect(Math.max(...lines.map(({ length }) => length)), lines[0]).toBeLessThanOrEqual(SCREEN.letters);
    }
  });
});
