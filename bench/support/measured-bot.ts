import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import packageFile from "../../package.json" with { type: "json" };
import { temporaryFolder } from "../../test/support/sandbox.ts";
import { compiled } from "./compiled.ts";
import type { Figures } from "./meter.ts";
import type { BenchService } from "./service.ts";
import type { StatementCounts } from "./statement-meter.ts";

/** A bot in a process of its own; `await using` stops it. */
export interface MeasuredBot extends AsyncDisposable {
  /** Has its stalls and the peak of its memory watched from now on, which takes processor time of its own. */
  watch(): void;
  figures(): Promise<Figures>;
  /** How often each SQL statement was run; only where they are counted. */
  statements(): Promise<ReadonlyMap<string, number>>;
}

/** What `npm start` gives Node. */
const NODE_FLAGS = /node (.*)tools\/reelay\.js/.exec(packageFile.scripts.start)?.[1]?.trim().split(" ") ?? [];

/** What is measured beside processor time and memory. */
interface Measuring {
  /** For Node itself. */
  readonly nodeFlags?: readonly string[];
  /** Costs time itself. */
  readonly countsStatements?: boolean;
  /** The folder of the checkout whose Reelay is started; this one unless given. */
  readonly checkout?: string | undefined;
}

const HERE = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The whole of Reelay, as it is always started, with a key that pays for everybody.
 * @param platform the settings that switch it on
 */
export function startReelay(
  service: BenchService,
  platform: Readonly<Record<string, string>>,
  { checkout = HERE, ...measuring }: Measuring = {},
): MeasuredBot {
  const settings = {
    REELAY_API_URL: service.url,
    REELAY_API_KEY: service.keys.ultra,
    REELAY_OPERATOR_KEY_FOR: "all",
    REELAY_PORT: "0",
    REELAY_LOG_LEVEL: "warn",
    ...platform,
  };
  return startBot(pathToFileURL(join(checkout, "tools/reelay.js")), ["start"], settings, {
    nodeFlags: NODE_FLAGS,
    ...measuring,
  });
}

/** Starts a program that ends at a SIGTERM, in a folder of its own. */
export function startBot(
  program: URL,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  { countsStatements = false, nodeFlags = [] }: Measuring = {},
): MeasuredBot {
  const data = temporaryFolder();
  const meters = [compiled("meter"), ...(countsStatements ? [compiled("statement-meter")] : [])];
  const child = fork(program, args, {
    execArgv: [...nodeFlags, "--expose-gc", ...meters.flatMap(({ href }) => ["--import", href])],
    // No `.env` of the checkout is to be read.
    cwd: data,
    env: { PATH: process.env["PATH"], REELAY_DATA: data, ...settings },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const gone = once(child, "exit");
  return {
    watch: () => void child.send("watch"),
    async figures() {
      const told = once(child, "message");
      child.send("figures");
      const [figures]: Figures[] = await told;
      if (!figures || !Number.isFinite(figures.cpuMs)) throw new Error("The bot told nothing of itself.");
      return figures;
    },
    async statements() {
      const told = once(child, "message");
      child.send("statements");
      const [counts]: StatementCounts[] = await told;
      return new Map(counts);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}
