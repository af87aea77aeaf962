import { de } from "./prompts/de.ts";
import { en } from "./prompts/en.ts";
import { pl } from "./prompts/pl.ts";
import type { Prompts } from "./prompts/table.ts";
import { uk } from "./prompts/uk.ts";

/** What is asked for in each language. */
export const PROMPTS: Readonly<Record<"en" | "de" | "pl" | "uk", Prompts>> = { en, de, pl, uk };

/** What may be asked for in any. */
export const ALLOWED: readonly string[] = Object.values(PROMPTS).flatMap(({ allowed }) => allowed);
