import type { Command } from "commander";
import type { MessageKey, Translate } from "../../../src/common/i18n.ts";
import { addAgree } from "./agree.ts";

/** Adds where what comes of a call goes, and what it states. */
export function addOut(command: Command, translate: Translate): void {
  command.optionsGroup(translate("cli.help.outcome"));
  addPlace(command, translate, "cli.flag.out");
  addAgree(command, translate);
}

/** Adds the file that what comes of a call goes to. */
export function addPlace(command: Command, translate: Translate, about: MessageKey): void {
  command.option("--out <file>", translate(about)).option("--force", translate("cli.flag.force"));
}
