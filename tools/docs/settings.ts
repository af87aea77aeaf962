import { readFileSync } from "node:fs";
import type { z } from "zod";
import { settings } from "../../src/config.ts";

/** Where the settings are told. */
export const README = new URL("../../README.md", import.meta.url);

const HEAD = "| setting";

/** The README with the table of settings as they are today. */
export function readmePage(): string {
  const readme = readFileSync(README, "utf8");
  const begin = readme.indexOf(HEAD);
  const end = readme.indexOf("\n\n", begin);
  const rows = Object.entries(settings.shape).map(
    ([name, schema]) => `| \`${name}\` | ${shown(defaultOf(schema))} | ${schema.description} |`,
  );
  const table = ["| setting | default | what it does |", "| --- | --- | --- |", ...rows].join("\n");
  return readme.slice(0, begin) + table + readme.slice(end);
}

function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.join(",") : String(value ?? "");
  return text === "" ? "" : `\`${text}\``;
}

/** What a setting is where nothing is set, before it is read; undefined where it is nothing. */
function defaultOf(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod;
  if (def.type === "default") return (def as z.core.$ZodDefaultDef).defaultValue;
  if (def.type === "optional") return undefined;
  return "in" in def ? defaultOf(def.in as z.core.$ZodType) : undefined;
}
