import { type Command, Option } from "commander";
import { z } from "zod";
import type { ShardCount } from "../../../src/seam/surface/runtime.ts";
import { AGENT_CLIENTS, reachingConfig, startingConfig } from "../output/agent-config.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { interruption } from "../output/io.ts";
import { addNumber, numberIn } from "../input/numbers.ts";
import { below, type Define, does } from "./definition.ts";
import { CliProblem } from "../output/problems.ts";
import type { Shell } from "../session/shell.ts";

const startFlags = z.object({ shards: z.union([z.literal("auto"), z.number()]).optional() });

/** Defines `reelay start`. */
export const defineStart: Define = (command, definition) => {
  addShards(command, definition.shell.translate("cli.flag.shards"));
  does(command, definition, start);
};

/** Runs the server with the page until a signal. */
async function start({ runtime, printer, translate }: Shell, command: Command): Promise<ExitCode> {
  const { shards } = startFlags.parse(command.opts());
  const { url, sandbox, unbuilt = false, stopped } = await runtime.serve(shards);
  printer.print({ event: "started", url, sandbox });
  if (unbuilt) printer.aside(translate("error.page_unbuilt"));
  await stopped;
  return EXIT.ok;
}

/** Defines `reelay shard`, which runs one shard of Discord for a server that has several. */
export const defineShard: Define = (command, { shell, finish }) => {
  command.action(async () => {
    await shell.runtime.shard();
    finish(EXIT.ok);
  });
};

const mcpFlags = z.object({
  config: z.enum(AGENT_CLIENTS).optional(),
  configHttp: z.enum(AGENT_CLIENTS).optional(),
});

/** Defines `reelay mcp`. */
export const defineMcp: Define = (command, definition) => {
  const { translate } = definition.shell;
  does(command, definition, mcp)
    .addOption(printing("--config", translate("cli.flag.config")))
    .addOption(printing("--config-http", translate("cli.flag.config_http")));
};

const printing = (flag: string, description: string) =>
  new Option(`${flag} [client]`, description).choices(AGENT_CLIENTS).preset(AGENT_CLIENTS[0]);

/** Serves one agent, to which standard input and output belong; or prints what a client's configuration needs for that, or for the server. */
async function mcp({ io, runtime }: Shell, command: Command): Promise<ExitCode> {
  const { config, configHttp } = mcpFlags.parse(command.opts());
  if (config) io.stdout.write(`${startingConfig(config, await runtime.launch())}\n`);
  if (configHttp) io.stdout.write(`${reachingConfig(configHttp, await runtime.address())}\n`);
  if (!config && !configHttp) await runtime.mcp();
  return EXIT.ok;
}

/** Defines `reelay doctor`. */
export const defineDoctor: Define = (command, definition) => void does(command, definition, doctor);

/** Says what is not as it should be, and what to do about it. */
async function doctor({ runtime, printer }: Shell): Promise<ExitCode> {
  const checks = await runtime.doctor();
  const ok = checks.every((check) => check.ok);
  printer.print({ event: "doctor", ok, checks });
  return ok ? EXIT.ok : EXIT.failed;
}

/** Defines `reelay link`. */
export const defineLink: Define = (command, definition) => void does(command, definition, linkTo("/"));

/** Defines `reelay setup`. */
export const defineSetup: Define = (command, definition) => void does(command, definition, linkTo("/setup"));

/** Prints the link that logs a browser in. */
const linkTo =
  (path: string) =>
  async ({ runtime, printer }: Shell): Promise<ExitCode> => {
    printer.print({ event: "link", url: await runtime.loginLink(path) });
    return EXIT.ok;
  };

/** Defines `reelay secret`. */
export const defineSecret: Define = (command, definition) => {
  does(below(command, definition, "rotate", "cli.secret.rotate"), definition, rotateSecret);
};

/** Encrypts every stored key anew; one that cannot be read is a failure, though the others are done. */
async function rotateSecret({ runtime, printer }: Shell): Promise<ExitCode> {
  const rotated = await runtime.rotateSecret();
  printer.print({ event: "rotated", ...rotated });
  return rotated.unreadable === 0 ? EXIT.ok : EXIT.failed;
}

const sandboxFlags = z.object({
  port: z.number(),
  timeScale: z.number(),
  failRate: z.number(),
  seed: z.number().optional(),
});

/** Defines `reelay sandbox`. */
export const defineSandbox: Define = (command, definition) => {
  const { translate } = definition.shell;
  addNumber(command, "--port", translate("cli.flag.port"), z.int().min(0).max(65_535), 9300);
  addNumber(command, "--time-scale", translate("cli.flag.time_scale"), z.number().min(0.001), 1);
  addNumber(command, "--fail-rate", translate("cli.flag.fail_rate"), z.number().min(0).max(1), 0);
  addNumber(command, "--seed", translate("cli.flag.seed"), z.int());
  does(command, definition, sandbox);
};

/** Runs a sandbox of its own until a signal, which is no failure: it has no other end. */
async function sandbox({ io, runtime, printer }: Shell, command: Command): Promise<ExitCode> {
  const { seed, ...settings } = sandboxFlags.parse(command.opts());
  const interrupted = interruption(io, () => {}, EXIT.interrupted);
  try {
    const running = await runtime.sandbox({ ...settings, ...(seed !== undefined && { seed }) });
    const { url, fullCatalogUrl, keys, control, liberties } = running;
    const drawn = seed === undefined ? {} : { liberties };
    printer.print({ event: "sandbox", url, fullCatalogUrl, keys, control, ...drawn });
    await interrupted.happened;
    await running.stop();
  } finally {
    interrupted.release();
  }
  return EXIT.ok;
}

/** Adds the flag that divides Discord among processes. */
function addShards(command: Command, description: string): void {
  const atLeastOne = z.int().min(1);
  const countOf = (text: string): ShardCount => {
    const count = text === "auto" ? text : numberIn(text, atLeastOne);
    if (count !== undefined) return count;
    throw new CliProblem("value_invalid", { flag: "--shards", wanted: "wanted.shards", min: 1 });
  };
  command.addOption(new Option("--shards <number|auto>", description).argParser(countOf));
}
