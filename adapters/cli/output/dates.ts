import { type Command, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import type { Translate } from "../../../src/common/i18n.ts";

/** Adds the first and the last day that count, as YYYY-MM-DD (UTC). */
export function addDates(command: Command, translate: Translate): void {
  command
    .addOption(new Option("--since <date>", translate("cli.flag.since")).argParser(dateOf))
    .addOption(new Option("--until <date>", translate("cli.flag.until")).argParser(dateOf));
}

/** @throws InvalidArgumentError */
function dateOf(text: string): string {
  const date = z.iso.date().safeParse(text);
  if (!date.success) throw new InvalidArgumentError("");
  return date.data;
}
