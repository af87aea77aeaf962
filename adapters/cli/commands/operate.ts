import { type Command, Option } from "commander";
import { z } from "zod";
import type { Launch, ShardCount } from "../../../src/seam/surface/runtime.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { interruption } from "../output/io.ts";
import { numberIn } from "../input/numbers.ts";
import { CliProblem } from "../output/problems.ts";
import type { Shell } from "../session/shell.ts";

const startFlags = z.object({ shards: z.union([z.literal("auto"), z.number()]).optional() });

/** Runs the server with the page until a signal. */
export async function start({ runtime, printer }: Shell, command: Command): Promise<ExitCode> {
  const { shards } = startFlags.parse(command.opts());
  const { url, sandbox, stopped } = await runtime.serve(shards);
  printer.print({ event: "started", url, sandbox });
  await stopped;
  return EXIT.ok;
}

/** Runs one shard of Discord, for a server that has several. */
export async function shard({ runtime }: Shell): Promise<ExitCode> {
  await runtime.shard();
  return EXIT.ok;
}

/** Serves one agent, to which standard input and output belong; or prints what its configuration needs for that. */
export async function mcp({ io, runtime }: Shell, command: Command): Promise<ExitCode> {
  if (command.getOptionValue("config") === true) io.stdout.write(`${mcpConfig(runtime.launch())}\n`);
  else await runtime.mcp();
  return EXIT.ok;
}

/** In the shape that most clients read. By name alone, a package manager could start somebody else's program with the token. */
function mcpConfig({ command, args, data }: Launch): string {
  const env = { REELAY_TOKEN: "rly_...", REELAY_DATA: data };
  return JSON.stringify({ mcpServers: { reelay: { command, args: [...args, "mcp"], env } } }, null, 2);
}

/** Says what is not as it should be, and what to do about it. */
export async function doctor({ runtime, printer }: Shell): Promise<ExitCode> {
  const checks = await runtime.doctor();
  const ok = checks.every((check) => check.ok);
  printer.print({ event: "doctor", ok, checks });
  return ok ? EXIT.ok : EXIT.failed;
}

/** Prints the link that logs a browser in. */
export async function link({ runtime, printer }: Shell): Promise<ExitCode> {
  printer.print({ event: "link", url: await runtime.loginLink() });
  return EXIT.ok;
}

/** Encrypts every stored key anew; one that cannot be read is a failure, though the others are done. */
export async function rotateSecret({ runtime, printer }: Shell): Promise<ExitCode> {
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

/** Runs a sandbox of its own until a signal, which is no failure: it has no other end. */
export async function sandbox({ io, runtime, printer }: Shell, command: Command): Promise<ExitCode> {
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
export function addShards(command: Command, description: string): void {
  const atLeastOne = z.int().min(1);
  const countOf = (text: string): ShardCount => {
    const count = text === "auto" ? text : numberIn(text, atLeastOne);
    if (count !== undefined) return count;
    throw new CliProblem("value_invalid", { flag: "--shards", wanted: "wanted.shards", min: 1 });
  };
  command.addOption(new Option("--shards <number|auto>", description).argParser(countOf));
}
