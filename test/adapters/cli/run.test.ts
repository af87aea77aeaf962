import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../adapters/cli/cli.ts";
import { EXIT, EXIT_OF } from "../../../adapters/cli/output/exit-codes.ts";
import type { ResultMedia } from "../../../src/infrastructure/media/files/result-media.ts";
import { sayProblem } from "../../../src/seam/text/say.ts";
import type { View } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { type ErrorCode, ReelayError } from "../../../src/common/errors.ts";
import { testFolder } from "./support/folder.ts";
import { JOB, media, problem, progress, result, scriptedRuntime, tellAll } from "./support/runtime.ts";
import { Terminal } from "./support/terminal.ts";

const CALL = ["run", "video", "--image", "photo.jpg", "--prompt", "slow zoom"];

/** Runs a call in a folder; the core tells these views. */
async function run(views: readonly View[], flags: readonly string[] = [], cwd?: string) {
  const folder = cwd ?? (await testFolder());
  const terminal = new Terminal({ cwd: folder });
  const script = scriptedRuntime({
    command: (cli, origin) => tellAll(cli, origin, views).catch(ignoreUndeliverable),
  });
  const code = await runCli([...CALL, ...flags], script.runtime, terminal);
  return { ...script, code, terminal, folder };
}

/** The core keeps the job then, and says nothing more. */
function ignoreUndeliverable(error: unknown): void {
  if (!(error instanceof ReelayError && error.code === "undeliverable")) throw error;
}

const filesOf = async (folder: string) => (await readdir(folder)).toSorted();

describe("reelay run", () => {
  it("ends with 2 before it says a price where a file can never be sent", async () => {
    const folder = await testFolder();
    const terminal = new Terminal({ cwd: folder });
    const params = { width: 1, height: 1_000_000, megapixels: 120, aspect: 20 };
    const { runtime, asked } = scriptedRuntime({
      wrong: [{ code: "media_dimensions", params, field: "image" }],
    });
    expect(await runCli(CALL, runtime, terminal)).toBe(EXIT.refused);
    expect(terminal.events).toMatchObject([{ event: "problem", code: "media_dimensions", exitCode: 2 }]);
    expect(asked).toEqual([]);
  });

  it.each([
    ["run", [...CALL, "--out", "a-key.mp4"]],
    ["press", ["press", "show:j1", "--out", "a-key.mp4"]],
  ])("%s takes no key for the name that a result is saved under", async (_, argv) => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const { runtime, asked } = scriptedRuntime({
      keys: {
        refuseKnown: async (given) => {
          if (JSON.stringify(given).includes("a-key"))
            throw new ReelayError("key_in_words", { field: "--out" });
        },
      },
    });
    expect(await runCli(argv, runtime, terminal)).toBe(EXIT.refused);
    expect(terminal.event("problem")).toMatchObject({ code: "key_in_words", params: { field: "--out" } });
    expect(asked).toEqual([]);
  });

  it("says the cost first, then each step, saves the file and says what it cost", async () => {
    const { code, terminal, folder, state, asked } = await run(
      [
        progress({ phase: "queued", ahead: 1 }),
        progress({ phase: "running", percent: 40, expectedAt: 99, cost: 6.5 }),
        result([media("a film")]),
      ],
      ["--out", "clip.mp4"],
    );
    const path = join(folder, "clip.mp4");
    const job = { job: "j1", operation: "video" };
    expect(terminal.events).toEqual([
      {
        version: 1,
        event: "quote",
        operation: "video",
        tokens: 6.5,
        basis: "learned",
        balance: 100,
        sandbox: true,
      },
      {
        version: 1,
        event: "progress",
        ...job,
        phase: "queued",
        ahead: 1,
        actions: [],
      },
      {
        version: 1,
        event: "progress",
        ...job,
        phase: "running",
        percent: 40,
        expectedAt: 99,
        cost: 6.5,
        actions: [],
      },
      {
        version: 1,
        event: "result",
        ...job,
        files: [path],
        cost: 6.5,
        balance: 93.5,
        tookMs: 12_000,
        actions: ["again:j1"],
      },
    ]);
    expect(await readFile(path, "utf8")).toBe("a film");
    expect(await filesOf(folder)).toEqual(["clip.mp4", "photo.jpg"]);
    expect(code).toBe(EXIT.ok);
    expect(state).toEqual({ opened: 1, stopped: 1 });
    expect(asked[0]?.origin).toMatchObject({
      platform: "cli",
      user: "cli:me",
      audience: "private",
      locale: "en",
    });
  });

  it("stops after the cost with --dry-run", async () => {
    const { code, terminal, asked } = await run([], ["--dry-run"]);
    expect(code).toBe(EXIT.ok);
    expect(terminal.events.map(({ event }) => event)).toEqual(["quote"]);
    expect(asked).toEqual([]);
  });

  it.each(Object.entries(EXIT_OF) as [ErrorCode, number][])(
    "ends with its exit code after %s",
    async (error, exit) => {
      const { code, terminal } = await run([problem(error)]);
      expect(code).toBe(exit);
      expect(terminal.event("problem")).toMatchObject({ code: error, exitCode: exit });
      expect(terminal.stderr.text).toContain(sayProblem(translator("en"), { code: error, params: {} }));
    },
  );

  it("has an exit code for each class of failure", () => {
    expect(EXIT_OF).toMatchObject({
      internal: 1,
      field_required: 2,
      media_type: 2,
      tokens_missing: 2,
      not_connected: 2,
    });
    expect(EXIT_OF).toMatchObject({
      unauthorized: 3,
      insufficient_tokens: 3,
      maintenance: 3,
      job_failed: 4,
      undeliverable: 5,
    });
  });

  it("sends nothing when a value is refused with the quote", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const { runtime, asked, state } = scriptedRuntime({
      quote: () => {
        throw new ReelayError("field_out_of_range", { field: "duration", min: 3, max: 8 });
      },
    });
    expect(await runCli(CALL, runtime, terminal)).toBe(EXIT.refused);
    expect(terminal.event("problem")).toMatchObject({
      code: "field_out_of_range",
      params: { min: 3, max: 8 },
    });
    expect(terminal.stderr.text).toBe("“Length in seconds” must be from 3 to 8. Nothing was sent.\n");
    expect(asked).toEqual([]);
    expect(state.stopped).toBe(1);
  });
});

describe("--out", () => {
  it("is the current folder and the job's own name unless said otherwise", async () => {
    const { terminal, folder } = await run([result([media("1"), media("2", "video-j1-2")])]);
    expect(terminal.event("result").files).toEqual([
      join(folder, "video-j1.mp4"),
      join(folder, "video-j1-2.mp4"),
    ]);
  });

  it("gives a name the extension of what came", async () => {
    const picture = media("1", "image-j1", "image/jpeg");
    const { terminal, folder } = await run([result([picture])]);
    expect(terminal.event("result").files).toEqual([join(folder, "image-j1.jpg")]);
  });

  it("is kept as it was given, whatever came", async () => {
    const picture = media("1", "image-j1", "image/jpeg");
    const { terminal, folder } = await run([result([picture])], ["--out", "mine.webp"]);
    expect(terminal.event("result").files).toEqual([join(folder, "mine.webp")]);
    expect(terminal.stderr.text).toContain("mine.webp is a JPG file");
  });

  it("is said nothing of where its name fits, or says nothing", async () => {
    for (const out of ["mine.JPEG", "mine.jpg", "mine", "mine.2"]) {
      const { terminal } = await run([result([media("1", "image-j1", "image/jpeg")])], ["--out", out]);
      expect(terminal.stderr.text).not.toContain("JPG");
    }
  });

  it("may be a folder", async () => {
    const folder = await testFolder();
    await mkdir(join(folder, "films"));
    const { terminal } = await run([result([media("1")])], ["--out", "films"], folder);
    expect(terminal.event("result").files).toEqual([join(folder, "films", "video-j1.mp4")]);
  });

  it("numbers all files but the first", async () => {
    const { terminal, folder } = await run([result([media("1"), media("2")])], ["--out", "clip.mp4"]);
    expect(terminal.event("result").files).toEqual([join(folder, "clip.mp4"), join(folder, "clip-2.mp4")]);
  });

  it("never overwrites a file that was there before, and then nothing is sent", async () => {
    const folder = await testFolder();
    await writeFile(join(folder, "clip.mp4"), "precious");
    const { code, terminal, state } = await run([], ["--out", "clip.mp4"], folder);
    expect(code).toBe(EXIT.refused);
    expect(terminal.event("problem").code).toBe("file_exists");
    expect(state.opened).toBe(0);
  });

  it("overwrites it with --force", async () => {
    const folder = await testFolder();
    await writeFile(join(folder, "clip.mp4"), "old");
    const { code } = await run([result([media("new")])], ["--out", "clip.mp4", "--force"], folder);
    expect(code).toBe(EXIT.ok);
    expect(await readFile(join(folder, "clip.mp4"), "utf8")).toBe("new");
  });

  it("takes a name beside it when a file came in the meantime", async () => {
    const folder = await testFolder();
    const late: ResultMedia = {
      ...media("a film"),
      async open() {
        await writeFile(join(folder, "clip.mp4"), "precious");
        return media("a film").open();
      },
    };
    const { code, terminal } = await run([result([late])], ["--out", "clip.mp4"], folder);
    expect(code).toBe(EXIT.ok);
    expect(terminal.event("result").files).toEqual([join(folder, "clip-j1.mp4")]);
    expect(await readFile(join(folder, "clip.mp4"), "utf8")).toBe("precious");
  });

  it("is one file when the result is delivered twice", async () => {
    const twice = [result([media("a film")]), result([media("a film")])];
    const { code, folder } = await run(twice, ["--out", "clip.mp4"]);
    expect(code).toBe(EXIT.ok);
    expect(await filesOf(folder)).toEqual(["clip.mp4", "photo.jpg"]);
  });

  it.each([
    ["nowhere/clip.mp4", "folder_missing"],
    ["photo.jpg/clip.mp4", "folder_missing"],
    ["/dev/null", "not_a_file"],
  ])("is refused where nothing can be saved, even by force: %s", async (out, problem) => {
    const { code, terminal, state } = await run([], ["--out", out, "--force"]);
    expect(code).toBe(EXIT.refused);
    expect(terminal.event("problem").code).toBe(problem);
    expect(state.opened).toBe(0);
  });

  it("leaves nothing half-written behind when a download breaks, and the next try saves it", async () => {
    const broken: ResultMedia = {
      ...media(""),
      open: async () => ({
        type: "video/mp4",
        stream: Readable.from(
          (async function* () {
            yield Buffer.from("half");
            throw new ReelayError("network");
          })(),
        ),
      }),
    };
    const folder = await testFolder();
    const terminal = new Terminal({ cwd: folder });
    const { runtime } = scriptedRuntime({
      async command(cli, origin) {
        await expect(cli.deliver(origin.address, result([broken]))).rejects.toMatchObject({
          code: "network",
        });
        expect(await filesOf(folder)).toEqual(["photo.jpg"]);
        await cli.deliver(origin.address, result([media("whole")]));
      },
    });
    expect(await runCli([...CALL, "--out", "clip.mp4"], runtime, terminal)).toBe(EXIT.ok);
    expect(await readFile(join(folder, "clip.mp4"), "utf8")).toBe("whole");
  });

  it("that cannot be written in the end is a job that waits, not one that is lost", async () => {
    const folder = await testFolder();
    const films = join(folder, "films");
    await mkdir(films);
    const vanishing: ResultMedia = {
      ...media("a film"),
      async open() {
        await rm(films, { recursive: true });
        return media("a film").open();
      },
    };
    const { code, terminal } = await run([result([vanishing])], ["--out", "films/clip.mp4"], folder);
    expect(code).toBe(EXIT.unsaved);
    // By the name that was asked for, not by one that it has meanwhile.
    expect(terminal.event("problem").params).toEqual({
      path: join(films, "clip.mp4"),
      reason: "no such file or directory",
      job: "j1",
    });
    expect(terminal.event("problem")).toMatchObject({
      code: "not_saved",
      job: JOB.id,
      charged: 6.5,
      exitCode: EXIT.unsaved,
    });
    expect(terminal.stderr.text).toContain("reelay press show:j1 --out FILE");
  });
});
