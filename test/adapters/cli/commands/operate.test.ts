import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import type { Runtime, SandboxSettings, ShardCount } from "../../../../src/seam/surface/runtime.ts";
import { ConfigError } from "../../../../src/common/config-error.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

async function call(argv: readonly string[], runtime: Partial<Runtime>, terminal = new Terminal()) {
  const code = await runCli(argv, scriptedRuntime({ runtime }).runtime, terminal);
  return { code, terminal };
}

describe("reelay start", () => {
  it("says where the page is in one event, and waits until the server has stopped", async () => {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const terminal = new Terminal();
    let ended = false;
    const call = runCli(
      ["start", "--json"],
      scriptedRuntime({ runtime: { serve: async () => ({ url: "http://h:1", sandbox: true, stopped }) } })
        .runtime,
      terminal,
    ).finally(() => (ended = true));
    await expect.poll(() => terminal.stdout.text).not.toBe("");
    expect(terminal.event("started")).toEqual({
      version: 1,
      event: "started",
      url: "http://h:1",
      sandbox: true,
    });
    expect(ended).toBe(false);
    resolve();
    expect(await call).toBe(EXIT.ok);
  });

  it.each([
    [[], undefined],
    [["--shards", "auto"], "auto"],
    [["--shards", "4"], 4],
  ])("divides Discord as it is told: %j", async (flags, expected) => {
    const asked: unknown[] = [];
    const serve = async (shards?: ShardCount) => {
      asked.push(shards);
      return { url: "http://h:1", sandbox: true, stopped: Promise.resolve() };
    };
    expect((await call(["start", ...flags], { serve })).code).toBe(EXIT.ok);
    expect(asked).toEqual([expected]);
  });

  it.each(["0", "1.5", "many", ""])("takes no %j shards", async (count) => {
    const { code, terminal } = await call(["start", "--shards", count], {});
    expect(code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain("--shards");
  });

  it("says which port is taken", async () => {
    const taken = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE", port: 8787 });
    const { code, terminal } = await call(["start"], { serve: () => Promise.reject(taken) });
    expect(code).toBe(EXIT.failed);
    expect(terminal.stderr.text).toContain("Port 8787");
  });

  it("says what else went wrong", async () => {
    const { code, terminal } = await call(["start"], { serve: () => Promise.reject(new Error("no disk")) });
    expect(code).toBe(EXIT.failed);
    expect(terminal.event("problem")).toMatchObject({ code: "unexpected", exitCode: EXIT.failed });
    expect(terminal.stderr.text).toContain("no disk");
  });
});

describe("settings that are wrong", () => {
  const mistakes = [
    { setting: "REELAY_PORT", found: '"abc"', wanted: "a whole number" },
    { setting: "REELAY_PROT", found: "a name that Reelay does not know", wanted: "REELAY_PORT, perhaps" },
  ];
  const config = () => {
    throw new ConfigError(mistakes);
  };
  const serve = async () => config();

  it.each([true, false])(
    "stop the start with one line each on standard error (terminal: %s)",
    async (tty) => {
      const { code, terminal } = await call(["start"], { config, serve }, new Terminal({ tty }));
      expect(code).toBe(EXIT.settings);
      expect(terminal.stderr.text).toBe(
        'REELAY_PORT: found "abc", wanted a whole number\n' +
          "REELAY_PROT: found a name that Reelay does not know, wanted REELAY_PORT, perhaps\n",
      );
      expect(tty ? [] : terminal.events).toEqual(tty ? [] : [{ version: 1, event: "settings", mistakes }]);
    },
  );

  it("do not stand in the way of the help", async () => {
    expect((await call(["--help"], { config })).code).toBe(EXIT.ok);
  });
});

describe("reelay doctor", () => {
  const well = { name: "storage", ok: true, found: "fine" };
  const ill = { name: "clock", ok: false, found: "2 h off", advice: "Set the clock." };

  it("ends with 0 when all is well", async () => {
    const { code, terminal } = await call(["doctor"], { doctor: async () => [well] });
    expect(code).toBe(EXIT.ok);
    expect(terminal.event("doctor")).toEqual({ version: 1, event: "doctor", ok: true, checks: [well] });
  });

  it("says what to do and ends with 1 when something is not", async () => {
    const { code, terminal } = await call(
      ["doctor"],
      { doctor: async () => [well, ill] },
      new Terminal({ tty: true }),
    );
    expect(code).toBe(EXIT.failed);
    expect(terminal.stdout.text).toBe(
      "✓ ok  storage: fine\n✗ not ok  clock: 2 h off\n    Set the clock.\nSomething needs your attention.\n",
    );
  });
});

describe("reelay sandbox", () => {
  const running = {
    url: "http://h:9300/api",
    fullCatalogUrl: "http://h:9301/api",
    keys: { pro: "k-1" },
    control: "http://h:9300/control",
    liberties: [
      { name: "keys", section: "5, rule 2", answer: "a UUID", usual: false },
      { name: "zone", section: "2.1", answer: "UTC", usual: true },
    ],
  };

  async function sandbox(argv: readonly string[]) {
    const terminal = new Terminal({ tty: true });
    const settings: SandboxSettings[] = [];
    let stopped = false;
    const { code } = await call(
      ["sandbox", ...argv],
      {
        async sandbox(wanted) {
          settings.push(wanted);
          setImmediate(() => terminal.interrupt());
          return { ...running, stop: async () => void (stopped = true) };
        },
      },
      terminal,
    );
    return { code, terminal, settings, stopped };
  }

  it("runs until a signal and prints what is needed to use it", async () => {
    const { code, terminal, settings, stopped } = await sandbox([]);
    expect(code).toBe(EXIT.ok);
    expect(stopped).toBe(true);
    expect(settings).toEqual([{ port: 9300, timeScale: 1, failRate: 0 }]);
    for (const value of [running.url, running.fullCatalogUrl, running.control, "k-1"])
      expect(terminal.stdout.text).toContain(value);
    expect(terminal.stdout.text).not.toContain("a UUID");
  });

  it("tells a person what a seed drew, and what of it is unusual", async () => {
    const { terminal } = await sandbox(["--seed", "7"]);
    expect(terminal.stdout.text).toMatch(/\* keys +§5, rule 2 +a UUID\n +zone +§2\.1 +UTC\n/);
  });

  it("takes its settings from flags", async () => {
    const { settings } = await sandbox([
      "--port",
      "0",
      "--time-scale",
      "0.1",
      "--fail-rate",
      "0.5",
      "--seed",
      "7",
    ]);
    expect(settings).toEqual([{ port: 0, timeScale: 0.1, failRate: 0.5, seed: 7 }]);
  });

  it.each([
    ["--port", "70000"],
    ["--time-scale", "0"],
    ["--fail-rate", "1.5"],
    ["--seed", "x"],
    ["--port", ""],
  ])("refuses %s %j", async (flag, value) => {
    const { code, settings } = await sandbox([flag, value]);
    expect(code).toBe(EXIT.refused);
    expect(settings).toEqual([]);
  });
});

it("prints the login link alone, so that it can be passed on", async () => {
  const { terminal } = await call(
    ["link"],
    { loginLink: async () => "http://h/?t=1" },
    new Terminal({ tty: true }),
  );
  expect(terminal.stdout.text).toBe("http://h/?t=1\n");
});

it.each([
  [0, EXIT.ok, "1 stored key is now encrypted with the newest secret.\n"],
  [2, EXIT.failed, "2 stored keys match none of the secrets"],
])("says how many keys were encrypted anew, and that %i could not be", async (unreadable, exit, words) => {
  const rotateSecret = async () => ({ rewritten: 1, unreadable });
  const { code, terminal } = await call(["secret", "rotate"], { rotateSecret }, new Terminal({ tty: true }));
  expect(code).toBe(exit);
  expect(terminal.stdout.text).toContain(words);
});

it("says on standard error why a piped call failed: of keys that no secret fits, of alerts that are told nowhere", async () => {
  const rotated = await call(["secret", "rotate"], {
    rotateSecret: async () => ({ rewritten: 1, unreadable: 2 }),
  });
  expect(rotated.code).toBe(EXIT.failed);
  expect(rotated.terminal.stderr.text).toContain("2");
  const well = await call(["secret", "rotate"], {
    rotateSecret: async () => ({ rewritten: 1, unreadable: 0 }),
  });
  expect(well).toMatchObject({ code: EXIT.ok, terminal: { stderr: { text: "" } } });
  const alerts = { list: async () => [], test: async () => [] };
  const tested = await call(["alerts", "test"], { alerts: async (run) => run(alerts) });
  expect(tested.code).toBe(EXIT.failed);
  expect(tested.terminal.stderr.text).toContain("REELAY_ALERTS_TO");
});
