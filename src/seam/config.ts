import type { Locale } from "../common/i18n.ts";

/** How Telegram is reached. */
export interface TelegramConfig {
  readonly token: string;
  /** Undefined: Telegram's own server. */
  readonly apiRoot: string | undefined;
  readonly webhook: boolean;
}

/** How Discord is reached. */
export interface DiscordConfig {
  readonly token: string;
  /** Undefined: Discord's own server. */
  readonly apiRoot: string | undefined;
  /** Hex. Undefined: interactions come over the gateway. */
  readonly publicKey: string | undefined;
}

/** How WhatsApp is reached: by the Cloud API. */
export interface WhatsAppConfig {
  readonly token: string;
  /** The number that people write to, by its id. */
  readonly phoneNumberId: string;
  /** What its calls are signed with. */
  readonly appSecret: string;
  /** What Meta proves itself with when the webhook is entered. */
  readonly verifyToken: string;
  /** The approved template that says that something is done to those who may not be spoken to otherwise. */
  readonly template: { readonly name: string; readonly language: string } | undefined;
  /** Undefined: Meta's own server. */
  readonly apiRoot: string | undefined;
}

/** As which application people sign in by Discord itself. */
export interface DiscordSignInConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined: Discord's own server. */
  readonly apiRoot: string | undefined;
}

/** Which tools agents are shown: few for everything, or one for each operation beside them. */
export const TOOL_SETS = ["slim", "full"] as const;

/** One of {@link TOOL_SETS}. */
export type ToolSet = (typeof TOOL_SETS)[number];

/** The settings that adapters go by. */
export interface SurfaceConfig {
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly ffmpeg: string | undefined;
  readonly locale: Locale;
  /** Hosts of the operator's own network that files may be fetched from. */
  readonly privateHosts: readonly string[];
  /** Of the partner that an agent on this machine works for. */
  readonly token: string | undefined;
  /** Which tools agents are shown that do not say which. */
  readonly agentTools: ToolSet;
  /** Undefined: Telegram is off. */
  readonly telegram: TelegramConfig | undefined;
  /** The id of a bot that another process has the token of: people sign in with it on the page. */
  readonly telegramBot: number | undefined;
  /** Undefined: Discord is off. */
  readonly discord: DiscordConfig | undefined;
  /** Undefined: WhatsApp is off. */
  readonly whatsapp: WhatsAppConfig | undefined;
  /** Undefined: people sign in by their chats alone. */
  readonly discordSignIn: DiscordSignInConfig | undefined;
  readonly policy: {
    readonly termsUrl: string | undefined;
    /** Operations that nobody may use: everywhere (`faceswap`) or on a platform (`telegram:faceswap`). */
    readonly operationsOff: readonly string[];
    /** Days; 0: for good. */
    readonly keepDays: { readonly jobs: number };
  };
}

/** The address that people and programs reach the server at, as far as the settings tell, without a slash at its end. */
export function addressOf({
  publicUrl,
  host,
  port,
}: Pick<SurfaceConfig, "host" | "port" | "publicUrl">): string {
  const everywhere = ["0.0.0.0", "::", "[::]"].includes(host);
  const name = everywhere ? "localhost" : host.replace(/^(?=[^[]*:)(.*)$/, "[$1]");
  return publicUrl ?? `http://${name}:${port}`;
}

/** This machine, by each name that a URL may have for it. */
const THIS_MACHINE = ["127.0.0.1", "localhost", "[::1]"] as const;

/**
 * Which private addresses webhooks may lead to. Whoever tries them out has their server on this machine: in the sandbox, where
 * nothing is spent, and as long as nobody comes from elsewhere, who could have Reelay call what only this machine may.
 */
export function webhookHosts(
  config: Pick<SurfaceConfig, "host" | "publicUrl" | "privateHosts">,
  sandbox: boolean,
): readonly string[] {
  const { privateHosts } = config;
  return sandbox && !needsLogin(config) ? [...privateHosts, ...THIS_MACHINE] : privateHosts;
}

/** Whether a host name or address is this machine's own. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** Whether the page can be reached from elsewhere, so that it must ask who comes. */
export function needsLogin(config: Pick<SurfaceConfig, "host" | "publicUrl">): boolean {
  return config.publicUrl !== undefined || !isLoopback(config.host);
}
