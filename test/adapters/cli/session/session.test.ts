import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import type { Surface } from "../../../../src/seam/surface/surface.ts";
import type { Form, Phase } from "../../../../src/seam/views.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { COMMAND_SPECS } from "../../../../src/domain/dispatch/registry.ts";
import { testFolder } from "../support/folder.ts";
import { media, problem, progress, result, scriptedRuntime } from "../support/runtime.ts";
import { deletedNotice } from "../../../../src/seam/text/notices.ts";
import { Terminal } from "../support/terminal.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const RUN = ["run", "video", "--image", "photo.jpg", "--prompt", "x"];

const longAgo = () => Date.now() - 10 * 60_000;

describe("a service that answers nothing", () => {
  it("ends a call whose job was never sent: it is taken back, nothing was charged", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const removed: string[] = [];
    const { runtime, state } = scriptedRuntime({
      silentSince: longAgo,
      command: async (cli, origin) =>
        void (await cli.deliver(origin.address, progress({ phase: "unreachable" }))),
      async remove(_user, id) {
        removed.push(id);
        return "cancelled";
      },
    });
    expect(await runCli(RUN, runtime, terminal)).toBe(EXIT.service);
    expect(removed).toEqual(["j1"]);
    expect(terminal.event("problem")).toMatchObject({ code: "network", job: "j1", charged: 0, exitCode: 3 });
    expect(state.stopped).toBe(1);
  });

  it.each<[Phase, () => Promise<never>]>([
    ["running", async () => Promise.reject(new Error("not asked"))],
    ["unreachable", async () => Promise.reject(new ReelayError("job_started"))],
  ])("does not give up what it may have: a job that is %s goes on", async (phase, remove) => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const { runtime } = scriptedRuntime({
      silentSince: longAgo,
      command: async (cli, origin) => void (await cli.deliver(origin.address, progress({ phase }))),
      remove,
    });
    expect(await runCli(RUN, runtime, terminal)).toBe(EXIT.interrupted);
    expect(terminal.event("interrupted")).toMatchObject({ jobs: ["j1"] });
  });

  it("is said to be waited for, and ends nothing as soon as it answers", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    let asked = 0;
    const { runtime } = scriptedRuntime({
      silentSince: () => (asked++ === 0 ? Date.now() - 60_000 : undefined),
      async command(cli, origin) {
        await cli.deliver(origin.address, progress({ phase: "unreachable" }));
        void vi
          .waitFor(() => expect(asked).toBeGreaterThan(1), PATIENCE_MS)
          .then(() => cli.deliver(origin.address, result([media("video")])));
      },
    });
    expect(await runCli(RUN, runtime, terminal)).toBe(EXIT.ok);
    expect(terminal.stderr.text).toContain("does not answer");
  });
});

it.each([
  ["forget-all:5-0", true],
  ["delete-all-now:5", true],
  ["again:j1", undefined],
] as const)("says at Ctrl-C what goes on with what was pressed: %s", async (token, again) => {
  const terminal = new Terminal({ cwd: await testFolder() });
  const { runtime } = scriptedRuntime({
    async act() {
      terminal.interrupt();
      await new Promise(() => {});
    },
  });
  expect(await runCli(["press", token], runtime, terminal)).toBe(EXIT.interrupted);
  expect(terminal.event("interrupted").again).toBe(again);
});

it("says once that a call waits for what a stopped process left at the service", async () => {
  const terminal = new Terminal({ cwd: await testFolder() });
  const { runtime } = scriptedRuntime({
    left: 2,
    command: (cli, origin) => void cli.deliver(origin.address, result([media("video")])),
  });
  expect(await runCli(RUN, runtime, terminal)).toBe(EXIT.ok);
  expect(terminal.stderr.text.split("a stopped process left at the service")).toHaveLength(2);
});

describe("Ctrl-C", () => {
  it.each<[Phase, boolean, string]>([
    ["running", true, "the job goes on at the service"],
    ["submitting", true, "the job goes on at the service"],
    ["queued", false, "nothing was charged"],
  ])("while a job is %s says what becomes of it", async (phase, sent, words) => {
    const terminal = new Terminal({ tty: true, cwd: await testFolder() });
    const { runtime, state } = scriptedRuntime({
      async command(cli, origin) {
        await cli.deliver(origin.address, progress({ phase }));
        terminal.interrupt();
      },
    });
    expect(await runCli(RUN, runtime, terminal)).toBe(EXIT.interrupted);
    expect(terminal.stderr.text).toContain("Press Ctrl-C again to leave at once");
    expect(terminal.stdout.text).toContain(words);
    expect(terminal.stdout.text).toContain("reelay resume");
    expect(state.stopped).toBe(1);
    expect(terminal.left).toEqual([]);

    const piped = new Terminal({ cwd: terminal.cwd });
    const again = scriptedRuntime({
      async command(cli, origin) {
        await cli.deliver(origin.address, progress({ phase }));
        piped.interrupt();
      },
    });
    await runCli(RUN, again.runtime, piped);
    expect(piped.event("interrupted")).toEqual({ version: 1, event: "interrupted", jobs: ["j1"], sent });
  });

  it("twice leaves at once", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const { runtime } = scriptedRuntime({
      command: () => terminal.interrupt(),
      stop: () => terminal.interrupt(),
    });
    await runCli(RUN, runtime, terminal);
    expect(terminal.left).toEqual([EXIT.interrupted]);
  });

  it("before the core is open sends nothing", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const { runtime, asked, state } = scriptedRuntime({});
    const opening = {
      ...runtime,
      openCore: (...args: Parameters<typeof runtime.openCore>) => {
        terminal.interrupt();
        return runtime.openCore(...args);
      },
    };
    expect(await runCli(RUN, opening, terminal)).toBe(EXIT.interrupted);
    expect(asked).toEqual([]);
    expect(state.stopped).toBe(1);
  });

  it("once the price is said sends nothing", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const { runtime, asked } = scriptedRuntime({
      quote() {
        terminal.interrupt();
        return { tokens: 1, basis: "learned", balance: 2 };
      },
    });
    expect(await runCli(RUN, runtime, terminal)).toBe(EXIT.interrupted);
    expect(asked).toEqual([]);
    expect(terminal.event("interrupted")).toMatchObject({ jobs: [], sent: false });
  });

  it("has the core wait for what is being asked, and says nothing of what fails of it", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const steps: string[] = [];
    const { runtime } = scriptedRuntime({
      async command(cli, origin) {
        terminal.interrupt();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await cli.deliver(origin.address, problem("internal"));
        steps.push("asked");
      },
      async stop(asking) {
        await asking;
        steps.push("closed");
      },
    });
    expect(await runCli(RUN, runtime, terminal)).toBe(EXIT.interrupted);
    expect(steps).toEqual(["asked", "closed"]);
    expect(terminal.events.map(({ event }) => event)).toEqual(["quote", "interrupted"]);
  });

  it("takes nothing that was replaced meanwhile for the answer: of thousands of jobs the first were deleted", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const { runtime } = scriptedRuntime({
      async act(cli, { address }) {
        await cli.revise({}, deletedNotice());
        terminal.interrupt();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await cli.deliver(address, problem("internal"));
      },
      stop: (asking) => asking?.then(() => undefined),
    });
    expect(await runCli(["press", "delete-all-now:5"], runtime, terminal)).toBe(EXIT.interrupted);
    expect(terminal.events.map(({ event }) => event)).toEqual(["interrupted"]);
  });

  it("is nobody's business any more after the end", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    const { runtime } = scriptedRuntime({
      command: (cli, origin) => void cli.deliver(origin.address, problem("network")),
    });
    await runCli(RUN, runtime, terminal);
    expect(terminal.isListening).toBe(false);
  });

  it("that comes while the result is saved still ends well", async () => {
    const terminal = new Terminal({ cwd: await testFolder() });
    let save: (() => Promise<void>) | undefined;
    const { runtime } = scriptedRuntime({
      command(cli, origin) {
        save = async () => void (await cli.deliver(origin.address, result([media("a film")])));
        terminal.interrupt();
      },
      stop: () => save?.(),
    });
    expect(await runCli([...RUN, "--out", "clip.mp4"], runtime, terminal)).toBe(EXIT.ok);
  });
});

describe("reelay resume", () => {
  it("says when there is nothing to do", async () => {
    const terminal = new Terminal({ tty: true });
    expect(await runCli(["resume"], scriptedRuntime({}).runtime, terminal)).toBe(EXIT.ok);
    expect(terminal.stdout.text).toBe("There is nothing to resume.\n");
  });

  it("saves every job where its own call wanted it, and ends with the worst of them", async () => {
    const folder = await testFolder();
    const address = (file: string) => ({ folder, file, force: false });
    const terminal = new Terminal();
    const { runtime } = scriptedRuntime({
      adopt(cli) {
        setImmediate(() => void finish(cli));
        return 3;
      },
    });
    async function finish(cli: Surface) {
      await cli.deliver(address("a.mp4"), result([media("a")], "j1"));
      await cli.deliver(address("a.mp4"), result([media("a")], "j1"));
      const receipt = await cli.deliver(address("b.mp4"), progress({ phase: "running" }, "j2"));
      await cli.revise(JSON.parse(JSON.stringify(receipt)), result([media("b")], "j2"));
      await cli.deliver(address("c.mp4"), {
        ...problem("job_failed", { reason: "no" }),
        job: { ...result([]).job, id: "j3" },
      });
    }
    expect(await runCli(["resume"], runtime, terminal)).toBe(EXIT.job);
    expect(terminal.event("resumed").count).toBe(3);
    expect(await readFile(join(folder, "a.mp4"), "utf8")).toBe("a");
    expect(await readFile(join(folder, "b.mp4"), "utf8")).toBe("b");
  });
});

describe("reelay press", () => {
  const gone = { kind: "notice", text: { key: "job.deleted" } } as const;

  it("waits for what comes of it, and saves it where --out says", async () => {
    const folder = await testFolder();
    const terminal = new Terminal({ cwd: folder });
    const elsewhere = { folder: "/nowhere", file: "old.mp4", force: false };
    const { runtime, pressed } = scriptedRuntime({
      act: (cli) => void setImmediate(() => void cli.deliver(elsewhere, result([media("again")]))),
    });
    expect(await runCli(["press", "show:j1", "--out", "new.mp4"], runtime, terminal)).toBe(EXIT.ok);
    expect(pressed[0]?.token).toBe("show:j1");
    expect(terminal.event("result").files).toEqual([join(folder, "new.mp4")]);
  });

  it("says once that something was deleted", async () => {
    const terminal = new Terminal({ tty: true });
    const { runtime } = scriptedRuntime({
      async act(cli, origin) {
        await cli.revise({}, gone);
        await cli.deliver(origin.address, {
          kind: "notice",
          text: { key: "delete.done", params: { count: 1 } },
        });
      },
    });
    expect(await runCli(["press", "delete-now:j1"], runtime, terminal)).toBe(EXIT.ok);
    expect(terminal.stdout.text).toBe("Deleted, here and at the service.\n");
  });

  it("says what replaced an earlier message where that is the only answer", async () => {
    const terminal = new Terminal({ tty: true });
    const text = { key: "job.cancelled" } as const;
    const { runtime } = scriptedRuntime({
      act: async (cli) => void (await cli.revise({}, { kind: "notice", text })),
    });
    expect(await runCli(["press", "cancel:j1"], runtime, terminal)).toBe(EXIT.ok);
    expect(terminal.stdout.text).toBe("Cancelled. Nothing was charged.\n");
  });

  it("prints the call that a form would fill in, quoted, without defaults", async () => {
    const basic = { required: false, advanced: false } as const;
    const form: Form = {
      id: "video",
      title: { key: "form.change" },
      submit: { key: "form.generate" },
      fields: [
        { ...basic, name: "image", label: "field.image", control: "image" },
        { ...basic, name: "prompt", label: "field.prompt", control: "text" },
        { ...basic, name: "sub_template", label: "field.sub_template", control: "catalogue" },
        { ...basic, name: "duration", label: "field.duration", control: "number", default: 6 },
        { ...basic, name: "auto_upscale", label: "field.auto_upscale", control: "switch", default: false },
        { ...basic, name: "turbo", label: "field.steps", control: "switch", default: true },
        { ...basic, name: "realism", label: "field.steps", control: "switch" },
        { ...basic, name: "images", label: "field.images", control: "images" },
        { ...basic, name: "audios", label: "field.audios", control: "sounds" },
      ],
      values: {
        image: { surface: "cli", id: "/my photos/a.jpg" },
        prompt: "it's $HOME",
        sub_template: "x-1",
        duration: 6,
        auto_upscale: true,
        turbo: false,
        realism: false,
        images: [
          { surface: "cli", id: "/a.jpg" },
          { surface: "cli", id: "https://pictures.test/b.jpg" },
        ],
        audios: [],
      },
    };
    const terminal = new Terminal();
    const { runtime } = scriptedRuntime({ act: (cli, origin) => cli.collect(origin.address, form) });
    expect(await runCli(["press", "change:j1"], runtime, terminal)).toBe(EXIT.ok);
    expect(terminal.event("form").command).toBe(
      String.raw`reelay run video --image '/my photos/a.jpg' --prompt 'it'\''s $HOME' --sub-template x-1 --auto-upscale --no-turbo --images /a.jpg --images https://pictures.test/b.jpg`,
    );
  });
});

describe("reelay choices", () => {
  it("lists a catalogue, narrowed by what was typed and by what it is a variant of", async () => {
    const terminal = new Terminal();
    const { runtime } = scriptedRuntime({
      suggest: (field, partial, values) => [
        { value: `${field} ${partial} ${JSON.stringify(values)}`, title: "A title", marks: [], variants: 0 },
      ],
    });
    expect(await runCli(["choices", "video", "sub-template", "zo", "--of", "dance"], runtime, terminal)).toBe(
      EXIT.ok,
    );
    expect(terminal.event("choices").choices[0]?.value).toBe('sub_template zo {"template":"dance"}');
  });

  it("knows every field that has a catalogue", async () => {
    for (const { name, fields } of COMMAND_SPECS)
      for (const field of fields.filter(({ control }) => control === "catalogue")) {
        const terminal = new Terminal();
        const { runtime } = scriptedRuntime({
          suggest: (name) => [{ value: name, title: "A title", marks: [], variants: 0 }],
        });
        const of = field.within === undefined ? [] : ["--of", "x"];
        await runCli(["choices", name, field.name.replaceAll("_", "-"), ...of], runtime, terminal);
        expect(terminal.event("choices").choices[0]?.value).toBe(field.name);
      }
    expect.hasAssertions();
  });

  it("asks what it is a variant of", async () => {
    const terminal = new Terminal();
    expect(await runCli(["choices", "video", "sub-template"], scriptedRuntime({}).runtime, terminal)).toBe(
      EXIT.refused,
    );
    expect(terminal.stderr.text).toBe("--of <id> is missing.\n");
  });
});
