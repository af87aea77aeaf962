import type { MessageKey } from "../../../src/common/i18n.ts";
import type { Define } from "./definition.ts";

/** A command as the help lists it. */
interface ListedCommand {
  /** Its name and arguments, as commander reads them. */
  readonly usage: string;
  readonly summary: MessageKey;
  /** For a server's own processes alone. */
  readonly hidden?: true;
  /** Loads the rest of it. */
  readonly load: () => Promise<Define>;
}

/** The command whose standard output belongs to a protocol. */
export const MCP = "mcp";

/** The one that may write a file to standard output. */
export const BACKUP = "backup";

const making = () => import("./making.ts");
const operate = () => import("./operate.ts");
const account = async () => (await import("./account.ts")).defineAccount;

/** What the core's commands beside operations say of themselves; the core's help is about a chat. A test compares them. */
const ACCOUNT = {
  balance: "command.balance.description",
  jobs: "command.jobs.description",
  stats: "command.stats.description",
  connect: "command.connect.description",
  disconnect: "command.disconnect.description",
  settings: "command.settings.description",
  language: "command.language.description",
  adult: "command.adult.description",
  "delete-all": "command.delete_all.description",
  privacy: "command.privacy.description",
  export: "command.export.description",
  withdraw: "command.withdraw.description",
  forget: "command.forget.description",
  reports: "command.reports.description",
} as const satisfies Readonly<Record<string, MessageKey>>;

/**
 * Every command by the heading of the help that it stands under. What a command takes and does is loaded where it is
 * called: the help is to be there at once, and no command waits for what another one uses.
 */
export const COMMANDS: Readonly<Partial<Record<MessageKey, readonly ListedCommand[]>>> = {
  "cli.help.make": [
    { usage: "run", summary: "cli.run", load: async () => (await making()).defineRun },
    { usage: "choices", summary: "cli.choices", load: async () => (await making()).defineChoices },
    { usage: "resume", summary: "cli.resume", load: async () => (await making()).defineResume },
    { usage: "press <token>", summary: "cli.press", load: async () => (await making()).definePress },
  ],
  "cli.help.account": Object.entries(ACCOUNT).map(([usage, summary]) => ({ usage, summary, load: account })),
  "cli.help.operate": [
    { usage: "start", summary: "cli.start", load: async () => (await operate()).defineStart },
    { usage: "shard", summary: "cli.start", hidden: true, load: async () => (await operate()).defineShard },
    { usage: MCP, summary: "cli.mcp", load: async () => (await operate()).defineMcp },
    {
      usage: "completion",
      summary: "cli.completion",
      load: async () => (await import("./completion.ts")).defineCompletion,
    },
    { usage: "schema", summary: "cli.schema", load: async () => (await import("./schema.ts")).defineSchema },
    { usage: "doctor", summary: "cli.doctor", load: async () => (await operate()).defineDoctor },
    { usage: "usage", summary: "cli.sums", load: async () => (await import("./usage.ts")).defineUsage },
    { usage: "audit", summary: "cli.audit", load: async () => (await import("./audit.ts")).defineAudit },
    { usage: "link", summary: "cli.link", load: async () => (await operate()).defineLink },
    { usage: "setup", summary: "cli.setup", load: async () => (await operate()).defineSetup },
    { usage: "secret", summary: "cli.secret", load: async () => (await operate()).defineSecret },
    { usage: "block", summary: "cli.block", load: async () => (await import("./block.ts")).defineBlock },
    {
      usage: "operators",
      summary: "cli.operators",
      load: async () => (await import("./operators.ts")).defineOperators,
    },
    { usage: "keys", summary: "cli.keys", load: async () => (await import("./keys.ts")).defineKeys },
    {
      usage: "partner",
      summary: "cli.partner",
      load: async () => (await import("./partner.ts")).definePartner,
    },
    {
      usage: "webhooks",
      summary: "cli.webhooks",
      load: async () => (await import("./webhooks.ts")).defineWebhooks,
    },
    { usage: "alerts", summary: "cli.alerts", load: async () => (await import("./alerts.ts")).defineAlerts },
    {
      usage: `${BACKUP} [file]`,
      summary: "cli.backup",
      load: async () => (await import("./backup.ts")).defineBackup,
    },
    {
      usage: "restore <file>",
      summary: "cli.restore",
      load: async () => (await import("./backup.ts")).defineRestore,
    },
    { usage: "move", summary: "cli.move", load: async () => (await import("./move.ts")).defineMove },
    { usage: "sandbox", summary: "cli.sandbox.command", load: async () => (await operate()).defineSandbox },
  ],
};
