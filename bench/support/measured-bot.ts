import { fork } from "node:child_process";
import { once } from "node:events";
import { temporaryFolder } from "../../test/support/sandbox.ts";
import type { Figures } from "./meter.ts";
import type { BenchService } from "./service.ts";

/** A bot in a process of its own; `await using` stops it. */
export interface MeasuredBot extends AsyncDisposable {
  figures(): Promise<Figures>;
}

/**
 * The whole of Reelay, as it is always started, with a key that pays for everybody.
 * @param platform the settings that switch it on
 */
export function startReelay(service: BenchService, platform: Readonly<Record<string, string>>): MeasuredBot {
  return startBot(new URL("../../tools/reelay.js", import.meta.url), ["start"], {
    REELAY_API_URL: service.url,
    REELAY_API_KEY: service.keys.ultra,
    REELAY_OPERATOR_KEY_FOR: "all",
    REELAY_PORT: "0",
    REELAY_LOG_LEVEL: "warn",
    ...platform,
  });
}

/** Starts a program that ends at a SIGTERM, in a folder of its own. */
export function startBot(
  program: URL,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): MeasuredBot {
  const data = temporaryFolder();
  const meter = new URL("meter.ts", import.meta.url).href;
  const child = fork(program, args, {
    execArgv: ["--expose-gc", "--import", meter],
    // No `.env` of the checkout is to be read.
    cwd: data,
    env: { PATH: process.env["PATH"], REELAY_DATA: data, ...settings },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const gone = once(child, "exit");
  return {
    async figures() {
      const told = once(child, "message");
      child.send("figures");
      const [figures]: Figures[] = await told;
      if (!figures || !Number.isFinite(figures.cpuMs)) throw new Error("The bot told nothing of itself.");
      return figures;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}
