import { type Command, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { interruption } from "./io.ts";
import type { Shell } from "./session.ts";

/** Runs the server with the page until a signal. */
export async function start({ runtime, printer }: Shell): Promise<ExitCode> {
  const { url, sandbox, stopped } = await runtime.serve();
  printer.print({ event: "started", url, sandbox });
  await stopped;
  return EXIT.ok;
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
    const { url, fullCatalogUrl, keys, control } = running;
    printer.print({ event: "sandbox", url, fullCatalogUrl, keys, control });
    await interrupted.happened;
    await running.stop();
  } finally {
    interrupted.release();
  }
  return EXIT.ok;
}

/** Adds a flag that takes a number inside the schema's bounds. */
export function addNumber(
  command: Command,
  flag: string,
  description: string,
  schema: z.ZodNumber,
  standard?: number,
): void {
  const option = new Option(`${flag} <number>`, description).argParser((text) => {
    const number = schema.safeParse(text.trim() === "" ? Number.NaN : Number(text));
    if (!number.success) throw new InvalidArgumentError("");
    return number.data;
  });
  command.addOption(standard === undefined ? option : option.default(standard));
}
