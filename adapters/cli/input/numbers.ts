import { type Command, InvalidArgumentError, Option } from "commander";
import type { z } from "zod";

/** Adds a flag that takes a number inside the schema's bounds. */
export function addNumber(
  command: Command,
  flag: string,
  description: string,
  schema: z.ZodNumber,
  standard?: number,
): void {
  const option = new Option(`${flag} <number>`, description).argParser((text) => numberOf(text, schema));
  command.addOption(standard === undefined ? option : option.default(standard));
}

/** @throws InvalidArgumentError for what is no number, or out of the schema's bounds */
export function numberOf(text: string, schema: z.ZodNumber): number {
  const number = schema.safeParse(text.trim() === "" ? Number.NaN : Number(text));
  if (!number.success) throw new InvalidArgumentError("");
  return number.data;
}
