import { readFileSync } from "node:fs";
import type { z } from "zod";
import { settings } from "../../src/config.ts";

/** Where the settings are told. */
export const README = new URL("../../README.md", import.meta.url);

const HEAD = /^\| setting +\| default/m;

/** The README with the table of settings as they are today. */
export function readmePage(): string {
  const readme = readFileSync(README, "utf8");
  const begin = readme.search(HEAD);
  const end = readme.indexOf("\n\n", begin);
  const rows = Object.entries(settings.shape).map(
    ([name, schema]) => `| \`${name}\` | ${shown(standardOf(schema))} | ${schema.description} |`,
  );
  const table = ["| setting | default | what it does |", "| --- | --- | --- |", ...rows].join("\n");
  return readme.slice(0, begin) + table + readme.slice(end);
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
