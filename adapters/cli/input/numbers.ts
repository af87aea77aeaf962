import { type Command, Option } from "commander";
import type { z } from "zod";
import { boundsOf, wantedNumber, writtenNumber } from "../../../src/seam/forms/wanted.ts";
import { CliProblem } from "../output/problems.ts";

/** Adds a flag that takes a number inside the schema's bounds. */
export function addNumber(
  command: Command,
  flag: string,
  description: string,
  schema: z.ZodNumber,
  standard?: number,
): void {
  const option = new Option(`${flag} <number>`, description).argParser((text) => {
    const number = numberIn(text, schema);
    if (number !== undefined) return number;
    throw new CliProblem("value_invalid", { flag, ...wantedNumber(boundsOf(schema)) });
  });
  command.addOption(standard === undefined ? option : option.default(standard));
}

/** Undefined for what is no number, or out of the schema's bounds. */
export function numberIn(text: string, schema: z.ZodNumber): number | undefined {
  return schema.safeParse(writtenNumber(text)).data;
}
