import type { PartnerAdmin } from "../../../src/seam/access/partners.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { isLoopback } from "../../../src/seam/config.ts";
import { isSure } from "../input/confirm.ts";
import type { CliEvent } from "../output/events.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { group } from "./definition.ts";
import { type GroupedCommand, noFlags } from "./grouped.ts";
import {
  addKeyFlag,
  addTermsFlags,
  addSettingsFlags,
  addYesFlag,
  keyOf,
  termsOf,
  settingsOf,
} from "../input/partner-flags.ts";
import { askSecret } from "../input/secret.ts";
import type { Shell } from "../session/shell.ts";

/** Asked for as `reelay connect` asks for a person's own key. */
const KEY = { label: "field.key", hint: "field.key.hint" } as const;

/** Everything that can be done with partners. */
const COMMANDS: readonly GroupedCommand[] = [
  {
    usage: "add <name>",
    description: "cli.partner.add",
    addFlags(command, translate) {
      addKeyFlag(command, translate);
      addTermsFlags(command, translate);
      addSettingsFlags(command, translate);
    },
    async run(shell, command) {
      const [name = ""] = command.args;
      const given = keyOf(command);
      // A program that calls this has no history.
      if (given !== undefined && given !== "-" && shell.io.stdin.isTTY)
        shell.printer.aside(shell.translate("cli.key_in_call"));
      const key = given === "-" ? await askSecret(shell.io, shell.translate, KEY) : given;
      if (given !== undefined && key === undefined) return EXIT.interrupted;
      return tell(shell, async (partners) => {
        const settings = { ...settingsOf(command), ...termsOf(command), key };
        const { fresh, ...entry } = await partners.add(name, settings);
        const url = await urlOf(shell);
        const isTriedHere = entry.paidBy === "sandbox" && isLoopback(new URL(url).hostname);
        const hooks = isTriedHere && ({ webhooksHere: true } as const);
        return { event: "partner", ...entry, token: fresh.token, url, ...hooks };
      });
    },
  },
  {
    usage: "list",
    description: "cli.partner.list",
    addFlags: noFlags,
    run: (shell) => tell(shell, async (partners) => ({ event: "partners", partners: await partners.list() })),
  },
  {
    usage: "set <name>",
    description: "cli.partner.set",
    addFlags: addSettingsFlags,
    run: (shell, command) =>
      tell(shell, async (partners) => {
        const [name = ""] = command.args;
        return { event: "partner", ...(await partners.set(name, settingsOf(command))) };
      }),
  },
  {
    usage: "key <name>",
    description: "cli.partner.key",
    addFlags: noFlags,
    async run(shell, command) {
      const [name = ""] = command.args;
      const key = await askSecret(shell.io, shell.translate, KEY);
      if (key === undefined) return EXIT.interrupted;
      return tell(shell, async (partners) => ({
        event: "partner",
        ...(await partners.setKey(name, key)),
      }));
    },
  },
  {
    usage: "token <name>",
    description: "cli.partner.token",
    addFlags: addTermsFlags,
    run: (shell, command) =>
      tell(shell, async (partners) => {
        const [name = ""] = command.args;
        const fresh = await partners.addToken(name, termsOf(command));
        return { event: "token", partner: name, ...fresh, url: await urlOf(shell) };
      }),
  },
  {
    usage: "revoke <name> <token-id>",
    description: "cli.partner.revoke",
    addFlags: noFlags,
    run: (shell, command) =>
      tell(shell, async (partners) => {
        const [partner = "", token = ""] = command.args;
        await partners.revokeToken(partner, token);
        return { event: "revoked", partner, token };
      }),
  },
  {
    usage: "remove <name>",
    description: "cli.partner.remove",
    addFlags: addYesFlag,
    async run(shell, command) {
      const [partner = ""] = command.args;
      const look = () => shell.runtime.partners((partners) => lookFor(partners, partner));
      if (!(await isSure(shell, command, partner, "cli.partner.remove.sure", look))) return EXIT.interrupted;
      return tell(shell, async (partners) => {
        await partners.remove(partner);
        return { event: "removed", partner };
      });
    },
  },
];

/** @throws ReelayError `partner_unknown` */
async function lookFor(partners: PartnerAdmin, name: string): Promise<void> {
  const entries = await partners.list();
  const isThere = entries.some(({ partner: { id, name: called } }) => name === id || name === called);
  if (!isThere) throw new ReelayError("partner_unknown", { name });
}

/** Defines `reelay partner`. */
export const definePartner = group(COMMANDS);

/** Does something with partners and says what came of it. Nothing is asked while the database is open. */
async function tell(
  { runtime, printer }: Shell,
  work: (partners: PartnerAdmin) => Promise<CliEvent>,
): Promise<ExitCode> {
  printer.print(await runtime.partners(work));
  return EXIT.ok;
}

/** Where a new token can be tried. */
const urlOf = async ({ runtime }: Shell) => `${await runtime.address()}/v1`;
