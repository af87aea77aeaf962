import { type Command, Option } from "commander";
import { z } from "zod";
import type { Translate } from "../../../src/common/i18n.ts";
import { CliProblem } from "./problems.ts";

/** Adds the first and the last day that count, as YYYY-MM-DD (UTC). */
export function addDates(command: Command, translate: Translate): void {
  command
    .addOption(new Option("--since <date>", translate("cli.flag.since")).argParser(dateOf("--since")))
    .addOption(new Option("--until <date>", translate("cli.flag.until")).argParser(dateOf("--until")))
    .hook("preAction", () => refuseNone(command.opts()));
}

/** @throws CliProblem `value_invalid` */
function dateOf(flag: string) {
  return (text: string): string => {
    const date = z.iso.date().safeParse(text);
    if (!date.success) throw new CliProblem("value_invalid", { flag, wanted: "wanted.day" });
    return date.data;
  };
}

/** @throws CliProblem `value_invalid` where no day is between the two: nothing would be found, as if nothing had been done */
function refuseNone({ since, until }: { readonly since?: string; readonly until?: string }): void {
  if (since !== undefined && until !== undefined && until < since)
    throw new CliProblem("value_invalid", { flag: "--until", wanted: "wanted.day_from", since });
}
