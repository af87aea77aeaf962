import { z } from "zod";
import { list, text } from "./field.ts";

/** interactions/application-commands: one choice of an option. */
export const choice = z.looseObject({
  name: text(100),
  name_localizations: z.record(z.string(), text(100)).nullish(),
  value: z.union([text(100), z.number()]),
});

/** interactions/receiving-and-responding: `data` of an autocomplete answer. */
export const suggestions = z.looseObject({ choices: list(choice, 25) });
