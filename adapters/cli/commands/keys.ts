import { type Command, Option } from "commander";
import { z } from "zod";
import {
  KEY_TIERS,
  KEY_WEIGHT,
  type KeyDesk,
  type KeySettings,
  type PoolKeyEntry,
} from "../../../src/seam/access/key-pool.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { addNumber } from "../input/numbers.ts";
import { askSecret } from "../input/secret.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { group } from "./definition.ts";
import { type GroupedCommand, noFlags } from "./grouped.ts";
import type { Shell } from "../session/shell.ts";

/** Asked for as `reelay connect` asks for a person's own key. */
const KEY = { label: "field.key", hint: "field.key.hint" } as const;

const settings = z.object({
  weight: z.int().min(KEY_WEIGHT.min).max(KEY_WEIGHT.max).optional(),
  tier: z.enum(KEY_TIERS).optional(),
});

function addSettings(command: Command, translate: Translate): void {
  addNumber(command, "--weight", translate("cli.flag.weight"), settings.shape.weight.unwrap());
  command.addOption(new Option("--tier <tier>", translate("cli.flag.tier")).choices(KEY_TIERS));
}

const settingsOf = (command: Command): KeySettings => settings.parse(command.opts());

/** Does one thing with the key that is named. */
const one = (
  name: "pause" | "resume" | "remove",
  description: GroupedCommand["description"],
): GroupedCommand => ({
  usage: `${name} <name>`,
  description,
  addFlags: noFlags,
  run: (shell, { args: [called = ""] }) => tell(shell, (desk) => desk[name](called)),
});

/** Defines `reelay keys`. */
export const defineKeys = group([
  {
    usage: "list",
    description: "cli.keys.list",
    addFlags: noFlags,
    async run({ runtime, printer }) {
      printer.print({ event: "keys", keys: await runtime.keys((desk) => desk.list()) });
      return EXIT.ok;
    },
  },
  {
    usage: "add <name>",
    description: "cli.keys.add",
    addFlags: addSettings,
    async run(shell, command) {
      const [name = ""] = command.args;
      const key = await askSecret(shell.io, shell.translate, KEY);
      if (key === undefined) return EXIT.interrupted;
      return tell(shell, (desk) => desk.add(name, key, settingsOf(command)));
    },
  },
  {
    usage: "set <name>",
    description: "cli.keys.set",
    addFlags: addSettings,
    run: (shell, command) => {
      const [name = ""] = command.args;
      return tell(shell, (desk) => desk.set(name, settingsOf(command)));
    },
  },
  one("pause", "cli.keys.pause"),
  one("resume", "cli.keys.resume"),
  one("remove", "cli.keys.remove"),
]);

async function tell(
  { runtime, printer }: Shell,
  work: (desk: KeyDesk) => Promise<PoolKeyEntry>,
): Promise<ExitCode> {
  printer.print({ event: "key", key: await runtime.keys(work) });
  return EXIT.ok;
}
