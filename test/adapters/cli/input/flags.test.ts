import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import type { CommandSpec } from "../../../../src/seam/fields.ts";
import { COMMAND_SPECS } from "../../../../src/domain/dispatch/registry.ts";
import { testFolder } from "../support/folder.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

const basic = { required: false, advanced: false } as const;

/** One field of each control, under labels that exist. */
const spec: CommandSpec = {
  name: "demo",
  label: "operation.video",
  description: "operation.video.description",
  kind: "operation",
  result: "video",
  subscription: "pro",
  fields: [
    { ...basic, name: "image", label: "field.image", control: "image", required: true },
    {
      ...basic,
      name: "prompt",
      label: "field.prompt",
      hint: "field.prompt.hint",
      control: "text",
      unless: "template",
    },
    { ...basic, name: "template", label: "field.template", control: "catalogue" },
    { ...basic, name: "sub_template", label: "field.sub_template", control: "catalogue", within: "template" },
    {
      ...basic,
      name: "duration",
      label: "field.duration",
      control: "number",
      min: 3,
      max: 8,
      default: 6,
      integer: true,
    },
    { ...basic, name: "seed", label: "field.seed", control: "number", min: -1 },
    {
      ...basic,
      name: "steps",
      label: "field.steps",
      control: "choice",
      choices: [{ value: 4 }, { value: 6 }],
    },
    { ...basic, name: "auto_upscale", label: "field.auto_upscale", control: "switch", default: false },
    { ...basic, name: "turbo_mode", label: "field.cfg", control: "switch", default: true },
    {
      ...basic,
      name: "end_image",
      label: "field.end_image",
      control: "image",
      when: { field: "steps", is: 6 },
    },
    { ...basic, name: "images", label: "field.images", control: "images", minItems: 1, maxItems: 5 },
    { ...basic, name: "mask", label: "field.mask", control: "mask", over: "image" },
    {
      ...basic,
      name: "audios",
      label: "field.audios",
      control: "sounds",
      maxItems: 3,
      sounds: {
        types: ["audio/mpeg", "audio/ogg"],
        maxBytes: 8e6,
        maxSeconds: 10,
        maxSecondsTogether: 15,
      },
    },
    {
      ...basic,
      name: "width",
      label: "field.width",
      control: "number",
      min: 64,
      max: 1240,
      multipleOf: 8,
      advanced: true,
    },
    { ...basic, name: "key", label: "field.key", control: "secret" },
  ],
};

async function call(argv: readonly string[], cwd?: string) {
  const terminal = new Terminal(cwd === undefined ? {} : { cwd });
  const { runtime, asked, state } = scriptedRuntime({
    commands: [spec],
    command: async (cli, origin) =>
      void (await cli.deliver(origin.address, { kind: "notice", text: { key: "jobs.none" } })),
  });
  const code = await runCli(argv, runtime, terminal);
  return { code, terminal, values: asked[0]?.values, state };
}

/** The commands that a part of a help text lists. */
const listedIn = (text: string) => text.match(/^ {2}[a-z]\S*/gm)?.map((name) => name.trim());

const operationsThatMake = (result: CommandSpec["result"]) =>
  COMMAND_SPECS.filter((spec) => spec.result === result && spec.kind === "operation").map(({ name }) => name);

describe("flags of an operation", () => {
  it("are derived from its fields, with bounds, choices and defaults in the help", async () => {
    const { code, terminal, state } = await call(["run", "demo", "--help"]);
    const help = terminal.stdout.text.replaceAll(/\s+/g, " ");
    expect(code).toBe(EXIT.ok);
    expect(help).toContain("--image <file-or-url> Photo (JPEG, PNG, WebP, AVIF, HEIC, GIF; required)");
    expect(help).toContain(
      "--prompt <text> What should happen. For example: slow zoom, leaves moving in the wind (required without --template)",
    );
    expect(help).toContain("`reelay choices demo sub-template`");
    expect(help).toContain("--duration <number> Length in seconds (3 to 8; default 6)");
    expect(help).toContain("(-1 or more)");
    expect(help).toContain("(4 | 6)");
    expect(help).toContain("--auto-upscale Upscale when done --no-turbo-mode");
    expect(help).toContain("(on by default)");
    expect(help).toContain("only with --steps 6)");
    expect(help).not.toContain("--key");
    expect(state.opened).toBe(0);
  });

  it("say how many files they take, of which kinds, how large and how long", async () => {
    const help = (await call(["run", "demo", "--help"])).terminal.stdout.text.replaceAll(/\s+/g, " ");
    expect(help).toContain(
      "--images <file-or-url...> Pictures (1 to 5 files; JPEG, PNG, WebP, AVIF, HEIC, GIF)",
    );
    expect(help).toContain("(JPEG, PNG, WebP, AVIF, HEIC, GIF; white marks the part of --image to repaint)");
    expect(help).toContain("(1 to 3 files; MP3, Ogg; each at most 8 MB and 10 s, 15 s together)");
  });

  it("that are seldom needed come later, and those of the result last", async () => {
    const { stdout } = (await call(["run", "demo", "--help"])).terminal;
    const places = [
      "\nOptions:",
      "--image <",
      "\nMore options:",
      "--width <number>  ",
      "(64 to 1240; multiples of 8)",
      "\nThe result:",
      "--out <file>",
      "--json",
    ].map((words) => stdout.text.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it("become typed values, and pictures become absolute paths", async () => {
    const cwd = await testFolder();
    const flags = ["--duration", "5", "--seed", "-1", "--steps", "6", "--auto-upscale", "--no-turbo-mode"];
    const { code, values } = await call(
      ["run", "demo", "--image", "photo.jpg", "--sub-template", "b", ...flags],
      cwd,
    );
    expect(code).toBe(EXIT.ok);
    expect(values).toEqual({
      image: { surface: "cli", id: join(cwd, "photo.jpg"), name: "photo.jpg", bytes: 7 },
      sub_template: "b",
      duration: 5,
      seed: -1,
      steps: 6,
      auto_upscale: true,
      turbo_mode: false,
    });
  });

  it("that were not given are left to the core, and so are choices that do not exist", async () => {
    expect((await call(["run", "demo", "--prompt", "x"], await testFolder())).values).toEqual({
      prompt: "x",
    });
    expect((await call(["run", "demo", "--steps", "5"], await testFolder())).values).toEqual({ steps: "5" });
  });

  it.each([
    ["repeated", ["--images", "photo.jpg", "--images", "https://pictures.test/lake.jpg"]],
    ["listed", ["--images", "photo.jpg", "https://pictures.test/lake.jpg"]],
  ])("become a list of files in their order where they are %s", async (_, flags) => {
    const cwd = await testFolder();
    const { values } = await call(["run", "demo", ...flags, "--prompt", "x"], cwd);
    expect(values).toEqual({
      images: [
        { surface: "cli", id: join(cwd, "photo.jpg"), name: "photo.jpg", bytes: 7 },
        { surface: "cli", id: "https://pictures.test/lake.jpg" },
      ],
      prompt: "x",
    });
  });

  it("take a mask as one file, and one sound as a list", async () => {
    const cwd = await testFolder();
    const file = { surface: "cli", id: join(cwd, "photo.jpg"), name: "photo.jpg", bytes: 7 };
    const { values } = await call(["run", "demo", "--mask", "photo.jpg", "--audios", "photo.jpg"], cwd);
    expect(values).toEqual({ mask: file, audios: [file] });
  });

  it("take a picture's address as it is", async () => {
    const id = "https://pictures.test/lake.jpg";
    const { values } = await call(["run", "demo", "--image", id], await testFolder());
    expect(values).toEqual({ image: { surface: "cli", id } });
  });

  it.each([
    [["--image", "nowhere.jpg"], "file_missing", "nowhere.jpg"],
    [["--image", "."], "not_a_file", "is a folder"],
    [["--images", "photo.jpg", "."], "not_a_file", "is a folder"],
    [["--image", "photo.jpg/inside"], "file_missing", "There is no file"],
    [["--image", "/dev/zero"], "not_a_file", "or a device"],
    [["--image", "x".repeat(300)], "file_unreadable", "ENAMETOOLONG"],
    [["--images", "photo.jpg", "nowhere.jpg"], "file_missing", "nowhere.jpg"],
    [["--mask", "nowhere.png"], "file_missing", "nowhere.png"],
    [["--audios", "nowhere.mp3"], "file_missing", "nowhere.mp3"],
    [["--duration", "five"], "field_invalid", "a whole number"],
    [["--seed", ""], "field_invalid", "a number"],
    [["--seed", "0x10"], "field_invalid", "a number"],
    [["--duration", "5e0"], "field_invalid", "a whole number"],
    [["--promt", "x"], "usage", "Did you mean --prompt?"],
    [["--prompt"], "usage", "--prompt <text> needs a value"],
    [["--steps"], "usage", "--steps <choice> needs a value. It can be: 4, 6."],
    [["--template"], "usage", "needs a value. `reelay choices demo template` lists what it can be."],
    [["--agree"], "usage", "needs a value. It can be: terms, consent, faces, adult."],
    [["--prompt", "two", "words"], "usage", "Put quotes around"],
    [["--prompt", "x", "--prompt", "y"], "usage", "--prompt <text> was given twice"],
    [["--prompt=x", "--prompt=y"], "usage", "--prompt <text> was given twice"],
    [["--image", "photo.jpg", "--image", "photo.jpg"], "usage", "--image <file-or-url> was given twice"],
    [["--steps", "4", "--steps", "6"], "usage", "--steps <choice> was given twice"],
    [["--agree", "terms", "--agree", "faces"], "usage", "--agree <names> was given twice"],
    [["--out", "a.mp4", "--out", "b.mp4"], "usage", "--out <file> was given twice"],
    [["--out="], "usage", "--out <file> needs a value."],
    [["--out", ""], "usage", "--out <file> needs a value."],
    [["--prompt", "--json"], "usage", "--prompt <text> needs a value."],
    [["--prompt", "--out=x.mp4"], "usage", "--prompt <text> needs a value."],
    [["--out", "--force"], "usage", "--out <file> needs a value."],
    [["--images", "--json"], "usage", "--images <file-or-url...> needs a value."],
  ])("refuses %j before anything is opened", async (flags, problem, words) => {
    const { code, terminal, state } = await call(["run", "demo", ...flags], await testFolder());
    expect(code).toBe(EXIT.refused);
    expect(terminal.event("problem")).toMatchObject({ code: problem, exitCode: EXIT.refused, charged: 0 });
    expect(terminal.stderr.text).toContain(words);
    expect(state.opened).toBe(0);
  });
});

it.each(["--image", "--images"])(
  "says of %s without a name that it needs one: that is no folder",
  async (flag) => {
    const { code, terminal } = await call(["run", "demo", flag, "", "--prompt", "x"]);
    expect(code).toBe(EXIT.refused);
    expect(terminal.event("problem")).toMatchObject({
      code: "usage",
      params: { what: expect.stringContaining(flag) },
    });
    expect(terminal.stderr.text).toContain("needs a value.");
  },
);

it("takes a switch twice, and a value that only begins like a flag", async () => {
  const flags = ["--json", "--json", "--auto-upscale", "--auto-upscale", "--prompt", "--zoom in, slowly"];
  const { code, values } = await call(["run", "demo", ...flags], await testFolder());
  expect(code).toBe(EXIT.ok);
  expect(values).toEqual({ auto_upscale: true, prompt: "--zoom in, slowly" });
});

it.each([
  [["audit", "--limit", "5", "--limit", "6"], "--limit <number> was given twice"],
  [["usage", "--by", "platform", "--by", "operation"], "was given twice"],
  [["partner", "token", "acme", "--expires", "1d", "--expires", "2d"], "was given twice"],
  [["partner", "add", "acme", "--key", "--test"], "--key <key|-> needs a value."],
  [["mcp", "--config", "claude", "--config", "codex"], "--config [client] was given twice"],
  [["block", "add", "telegram:5", "--reason", ""], "--reason <words> needs a value."],
  [["move", "--to="], "--to <address> needs a value."],
  [["choices", "demo", "template", "a", "b"], "Put quotes around"],
  [["backup", "a", "b"], "Put quotes around"],
])("%j: what would be dropped is refused", async (argv, words) => {
  const { code, terminal, state } = await call(argv);
  expect(code).toBe(EXIT.refused);
  expect(terminal.stderr.text).toContain(words);
  expect(state.opened).toBe(0);
});

it.each([
  [["run", "dmeo"], "unknown_operation", "There is no operation called “dmeo”. Expected: demo."],
  [["choices", "dmeo"], "unknown_operation", "There is no operation called “dmeo”. Expected: demo."],
  [["choices", "demo", "colour"], "field_unknown", "There is no option called “colour”."],
  [["rnu"], "usage", "There is no command “rnu”."],
])("%j is refused by its own name", async (argv, problem, words) => {
  const { code, terminal } = await call(argv);
  expect(code).toBe(EXIT.refused);
  expect(terminal.event("problem")).toMatchObject({ code: problem });
  expect(terminal.stderr.text).toContain(words);
});

it("says which languages there are to somebody who names none", async () => {
  const terminal = new Terminal();
  expect(await runCli(["language"], scriptedRuntime({}).runtime, terminal)).toBe(EXIT.refused);
  expect(terminal.stderr.text).toBe(
    "--locale <choice> is missing. It can be: en, de, es, fr, pl, pt-BR, tr, uk.\n",
  );
});

describe("help and usage", () => {
  it("lists what a flag takes, and what holds without it, in the person's language", async () => {
    const terminal = new Terminal({ env: { REELAY_LOCALE: "de" } });
    await runCli(["audit", "--help"], scriptedRuntime({}).runtime, terminal);
    const help = terminal.stdout.text.replaceAll(/\s+/g, " ");
    expect(help).toContain("(allow | refuse | ask |");
    expect(help).toContain("(sonst 50)");
    expect(help).not.toMatch(/choices:|default:/);
  });

  it("shows examples and every exit code", async () => {
    const { code, terminal } = await call(["--help"]);
    expect(code).toBe(EXIT.ok);
    expect(terminal.stdout.text).toContain("reelay run video --image photo.jpg");
    for (const exit of Object.values(EXIT))
      expect(terminal.stdout.text).toMatch(new RegExp(`^ {2}${exit} +\\S`, "m"));
  });

  it("groups what can be made by what comes out, and says what needs a subscription", async () => {
    const terminal = new Terminal();
    await runCli(["run", "--help"], scriptedRuntime({}).runtime, terminal);
    const [, videos = "", pictures = ""] = terminal.stdout.text.split(/^(?:Videos|Pictures):$/m);
    expect(listedIn(videos)).toEqual(operationsThatMake("video"));
    expect(listedIn(pictures)).toEqual(operationsThatMake("image"));
    expect(terminal.stdout.text.match(/Needs\s+a\s+Pro\s+subscription/g)).toHaveLength(
      COMMAND_SPECS.filter(({ subscription }) => subscription).length,
    );
  });

  it("says what an operation makes and needs", async () => {
    const { stdout } = (await call(["run", "demo", "--help"])).terminal;
    expect(stdout.text).toContain(
      "Turn a photo into a short video.\nMakes a video. Needs a Pro subscription.\n",
    );
  });

  it("says its version", async () => {
    expect((await call(["--version"])).terminal.stdout.text).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([[[]], [["run"]], [["secret"]]])("shows the help for half a command: %j", async (argv) => {
    const { code, terminal } = await call(argv);
    expect(code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain("Usage:");
  });

  it("refuses a command that does not exist", async () => {
    const { code, terminal } = await call(["rnu"]);
    expect(code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toBe(
      "There is no command “rnu”. `reelay --help` lists them all. Did you mean run?\n",
    );
  });

  it.each([
    [{ REELAY_LOCALE: "pl", LANG: "de_DE.UTF-8" }, "Użycie:"],
    [{ LC_ALL: "de_AT.UTF-8", LANG: "pl_PL.UTF-8" }, "Aufruf:"],
    [{ LANG: "C.UTF-8" }, "Usage:"],
  ])("speaks the person's language: %j", async (env, words) => {
    const terminal = new Terminal({ env });
    await runCli(["--help"], scriptedRuntime({}).runtime, terminal);
    expect(terminal.stdout.text).toContain(words);
  });
});
