import { readFileSync } from "node:fs";
import type { z } from "zod";
import { settings } from "../../src/app/config.ts";

/** Where the settings are told. */
export const SETTINGS_PAGE = new URL("../../docs/settings.md", import.meta.url);
const [BEGIN, END] = ["<!-- the settings: npm run docs -->", "<!-- the end of the settings -->"] as const;

/** The page with the settings as they are today; the formatter lines its columns up. */
export function settingsPage(): string {
  const page = readFileSync(SETTINGS_PAGE, "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const rows = Object.entries(settings.shape).map(
    ([name, schema]) => `| \`${name}\` | ${shown(standardOf(schema))} | ${schema.description} |`,
  );
  const table = ["| setting | default | what it does |", "| --- | --- | --- |", ...rows].join("\n");
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ""}`;
}

function shown(value: Standard): string {
  const text = [value ?? ""].flat().join(",");
  return text === "" ? "" : `\`${text}\``;
}

/** What a setting is where nothing is set. */
type Standard = string | number | readonly string[] | undefined;

/** As it is written, before it is read. */
function standardOf(schema: z.ZodType): Standard {
  const { def } = schema;
  if (def.type === "default") return (def as z.core.$ZodDefaultDef).defaultValue as Standard;
  if (def.type === "optional") return undefined;
  return "in" in def ? standardOf(def.in as z.ZodType) : undefined;
}
