import { z } from "zod";
import { lineSchema } from "../json/lines.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import type { Shell } from "../session/shell.ts";
import { type Define, does } from "./definition.ts";

/** Defines `reelay schema`. */
export const defineSchema: Define = (command, definition) => void does(command, definition, schema);

/** Prints what `--json` prints, as JSON Schema. What a later version adds to a line must not make it wrong. */
async function schema({ io }: Shell): Promise<ExitCode> {
  io.stdout.write(`${JSON.stringify(z.toJSONSchema(lineSchema, { io: "input" }), null, 2)}\n`);
  return EXIT.ok;
}
