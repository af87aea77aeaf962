import { z } from "zod";
import { writtenNumber } from "../../seam/forms/wanted.ts";
import type { Remark } from "../../seam/surface/setup.ts";
import { type SettingName, settings } from "../config.ts";
import type { SettingEntry } from "../settings/set-up.ts";

/** A setting that can be set in the browser, and is stored. What these settings are, `config.ts` says. */
export interface SettingField extends SettingEntry {
  readonly name: SettingName;
}

/** What is in force where a setting is not set, as it would be written; "" where nothing is. */
export const fallbackOf = (name: SettingName): string =>
  String(settings.shape[name].safeParse(undefined).data ?? "");

/** The words that a setting may be; none where it is no choice. */
export function choicesOf(name: SettingName): readonly string[] {
  const schema = innermost(name);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

/** What is said of a value that does not fit, with what would. */
export function wrongOf({ name, wrong }: SettingField): Remark {
  const schema = innermost(name);
  if (!(schema instanceof z.ZodNumber)) return { key: wrong };
  return { key: wrong, params: { min: schema.minValue ?? 0, max: schema.maxValue ?? 0 } };
}

/**
 * A value as it is kept: of each number one spelling, so that what is shown is what counts.
 * @returns undefined for what is no number as people write it
 */
export function plainly({ name }: SettingField, text: string): string | undefined {
  if (text === "" || !(innermost(name) instanceof z.ZodNumber)) return text;
  const number = writtenNumber(text);
  return number === undefined ? undefined : String(number);
}

/** What a setting is, apart from that it may be left out and how it is written. */
function innermost(name: SettingName): unknown {
  let schema: unknown = settings.shape[name];
  for (;;) {
    if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) schema = schema.unwrap();
    else if (schema instanceof z.ZodPipe) schema = schema.out;
    else return schema;
  }
}
