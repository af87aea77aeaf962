import type { SurfaceConfig } from "../seam/config.ts";
import { USERNAMES, type Usernames } from "../domain/jobs/tagger.ts";
import type { Egress } from "../infrastructure/api/media-api.ts";
import { LOG_LEVELS } from "../infrastructure/telemetry/logger.ts";
import { areLongEnough, secretsOf } from "../infrastructure/vault/secrets.ts";
import { resolve } from "node:path";
import { z } from "zod";
import { RATE_WINDOW_MS } from "../common/contract.ts";
import { LOCALES } from "../common/i18n.ts";
import { repeatable } from "../common/errors.ts";
import { nearest } from "../seam/nearest.ts";
import { CHATS } from "../seam/values.ts";
import { agentSettings, agentsOf } from "./settings/agents.ts";
import { chatSettings } from "./settings/chats.ts";
import { egressesIn, egressList, secretOf } from "./settings/egress.ts";
import { type FilesPlace, filesPlaceOf, isFilesPlace } from "./settings/files.ts";
import { type TracingConfig, tracingOf, tracingSettings } from "./settings/tracing.ts";
import { whatsAppNeeds, whatsAppOf, whatsAppSettings } from "./settings/whatsapp.ts";
import { type UpkeepConfig, upkeepOf, upkeepSettings } from "./settings/upkeep.ts";
import {
  baseAddress,
  givenBy,
  host,
  hosts,
  oneOf,
  serviceKey,
  subjectsOrAll,
  whole,
} from "./settings/kinds.ts";
import { ConfigError } from "../common/config-error.ts";
import type { PolicyConfig } from "../domain/policy/config.ts";
import { policyOf, policySettings } from "./settings/policy.ts";

const apiAddress = baseAddress.refine((url) => url.endsWith("/api"), {
  error: "an address that ends in /api",
});

/** Whether something is the address of a PostgreSQL database. */
export const isPostgres = (store: string) => /^postgres(ql)?:\/\/./.test(store) && URL.canParse(store);

/** Every setting, once. The descriptions are those of docs/settings.md; a test holds the two together. */
export const settings = z.object({
  REELAY_API_URL: apiAddress
    .optional()
    .describe("The service's address, ending in `/api`. Unset: the built-in sandbox."),
  REELAY_API_URL_FULL_CATALOG: apiAddress
    .optional()
    .describe("The service's full-catalogue host, ending in `/api`. The built-in sandbox has one."),
  REELAY_USERNAMES: oneOf(USERNAMES)
    .default("pseudonym")
    .describe(
      "What the service and `reelay usage` call who asks (`in_app_username`): a stable `pseudonym`, or the `real` id on the platform.",
    ),
  REELAY_API_KEY: serviceKey
    .optional()
    .describe("The operator's own key: used for people who have not connected one."),
  REELAY_OPERATOR_KEY_FOR: subjectsOrAll
    .default([])
    .describe(
      "Who spends that key besides the page and the command line: `all`, or people, chats and partners (`telegram:12345,telegram:-10012,http:my-shop`). Everybody else connects a key of their own.",
    ),
  ...policySettings,
  REELAY_SECRET: z
    .string()
    .refine(areLongEnough, { error: "at least 16 characters" })
    .optional()
    .describe("Encrypts stored keys; `new,old` while rotating. Unset: made once in the data folder."),
  REELAY_DATA: z
    .string()
    .min(1)
    .default("./data")
    .transform((path) => resolve(path))
    .describe("The data folder."),
  REELAY_STORE: z
    .string()
    .refine((store) => /^sqlite:.+/.test(store) || isPostgres(store), {
      error: "sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE",
    })
    .optional()
    .describe(
      "Where jobs and keys are kept: `sqlite:PATH`, or `postgres://USER:PASSWORD@HOST/DATABASE` ([a preview](scale.md); it takes `npm install pg@8`). Unset: `reelay.db` in the data folder.",
    ),
  REELAY_FILES: z
    .string()
    .refine(isFilesPlace, {
      error: "file:/SHARED/FOLDER, or s3://BUCKET/PREFIX?endpoint=https://STORE&region=REGION",
    })
    .optional()
    .describe(
      "Where files are kept that people give, and results that are kept for them: `file:/SHARED/FOLDER`, or `s3://BUCKET/PREFIX?endpoint=https://STORE&region=REGION` ([more](scale.md#files); it takes `npm install @aws-sdk/client-s3@3`). Unset: in the data folder.",
    ),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional().describe("The id of the key that opens that bucket."),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional().describe("That key."),
  REELAY_EGRESS: egressList
    .default("default")
    .describe(
      "The addresses that requests to the service leave by, comma-separated: the service counts them for each. `NAME` is this machine's own, `NAME=10.0.0.5` a local address, `NAME=http://USER:PASSWORD@HOST:PORT` a proxy ([more](scale.md#addresses)). Nodes that share a database and an address call it by the same name.",
    ),
  REELAY_HOST: host
    .default("127.0.0.1")
    .describe("The address to listen on. Beyond this machine the page asks for a login."),
  REELAY_PORT: whole(0, 65535).default(8787).describe("The port to listen on; 0 takes a free one."),
  REELAY_PUBLIC_URL: baseAddress
    .optional()
    .describe("The address people reach Reelay at, when it is behind a proxy."),
  REELAY_RATE_WINDOW_MS: whole(10, 3_600_000)
    .default(RATE_WINDOW_MS)
    .describe(
      "The window in which the service counts requests, in milliseconds. A service on a private address is taken to be as much faster as it is shorter, and a lost request to it is looked for that much less long.",
    ),
  REELAY_POLL_MS: whole(10, 600_000)
    .default(5000)
    .describe("The least time between two reads of one job, in milliseconds; of the sandbox, 2000 at most."),
  REELAY_FFMPEG: z
    .string()
    .min(1)
    .optional()
    .describe("The ffmpeg to use. Unset: the one on the PATH, else the bundled one."),
  REELAY_PRIVATE_HOSTS: hosts
    .default([])
    .describe(
      "Hosts (`host` or `host:port`, comma-separated) in your own network that pictures may be fetched from and webhooks sent to, also over plain http.",
    ),
  ...agentSettings,
  ...chatSettings,
  ...whatsAppSettings,
  REELAY_METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/-]{16,}=*$/, { error: "16 letters or digits at least, without spaces" })
    .optional()
    .describe(
      "Switches numbers for a monitoring system on, at `/metrics`, for whoever shows this token: 16 letters or digits at least.",
    ),
  REELAY_METRICS_PORT: whole(0, 65535)
    .optional()
    .describe(
      "Switches them on at a port of their own instead; without `REELAY_METRICS_TOKEN` for this machine alone.",
    ),
  ...tracingSettings,
  ...upkeepSettings,
  REELAY_LOG_LEVEL: oneOf(LOG_LEVELS).default("info").describe("How much is logged."),
  REELAY_LOCALE: oneOf(LOCALES).default("en").describe("The language where a person's own is not known."),
});

type Given = z.output<typeof settings>;

/** The name of a setting. */
export type SettingName = keyof typeof settings.shape;

const isBucket = ({ REELAY_FILES: place = "" }: Given) => place.startsWith("s3:");

/** What others need that were given. */
const LACKING: readonly {
  readonly setting: keyof Given;
  readonly lacks: (given: Given) => boolean;
  readonly wanted: string;
  /** What needs it, where that is set up in the browser. */
  readonly neededBy?: keyof Given;
}[] = [
  {
    setting: "REELAY_PUBLIC_URL",
    lacks: (given) => given.TELEGRAM_WEBHOOK === "1",
    wanted: "the address that Telegram can call, because TELEGRAM_WEBHOOK is 1",
  },
  {
    setting: "REELAY_PUBLIC_URL",
    lacks: (given) => given.DISCORD_CLIENT_SECRET !== undefined,
    wanted: "the address that Discord leads people back to, because DISCORD_CLIENT_SECRET is set",
  },
  {
    setting: "DISCORD_CLIENT_ID",
    lacks: (given) => given.DISCORD_CLIENT_SECRET !== undefined,
    wanted: "the client id that DISCORD_CLIENT_SECRET belongs to",
  },
  {
    setting: "DISCORD_CLIENT_SECRET",
    lacks: (given) => given.DISCORD_CLIENT_ID !== undefined,
    wanted: "the client secret that belongs to DISCORD_CLIENT_ID",
  },
  ...whatsAppNeeds,
  {
    setting: "REELAY_API_URL",
    lacks: ({ REELAY_FILES, REELAY_STORE = "" }) => REELAY_FILES !== undefined && isPostgres(REELAY_STORE),
    wanted: "the service's address: the built-in sandbox is one node's own, and REELAY_FILES is for several",
  },
  {
    setting: "AWS_ACCESS_KEY_ID",
    lacks: isBucket,
    wanted: "the id of the key that opens the bucket of REELAY_FILES",
  },
  {
    setting: "AWS_SECRET_ACCESS_KEY",
    lacks: isBucket,
    wanted: "the key that opens the bucket of REELAY_FILES",
  },
];

/** The settings as the program uses them. */
export interface Config extends SurfaceConfig, TracingConfig, UpkeepConfig {
  /** Undefined: the sandbox runs in this process. */
  readonly apiUrl: string | undefined;
  readonly apiUrlFullCatalog: string | undefined;
  readonly usernames: Usernames;
  readonly apiKey: string | undefined;
  readonly operatorKeyFor: readonly string[];
  readonly policy: PolicyConfig;
  readonly secret: string | undefined;
  /** Absolute path of the SQLite file: not there where the store is a {@link postgres}. */
  readonly store: string;
  /** Address of the PostgreSQL database, its password in it. */
  readonly postgres: string | undefined;
  readonly files: FilesPlace;
  /** The addresses that requests to the service leave by, at least one; proxies' passwords are in them. */
  readonly egresses: readonly Egress[];
  readonly rateWindowMs: number;
  readonly pollMs: number;
  readonly privateHosts: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Who may read the numbers: whoever shows the token, or reaches the port of their own. Undefined: nothing is counted. */
  readonly metrics: { readonly token: string | undefined; readonly port: number | undefined } | undefined;
}

const SECRETS = new Set([
  "AWS_SECRET_ACCESS_KEY",
  // Somebody may take it for the place of the bucket's key.
  "REELAY_FILES",
  // What follows the host of an address often opens something.
  "REELAY_ALERTS_TO",
  "REELAY_REPORTS_TO",
  "REELAY_API_KEY",
  "REELAY_METRICS_TOKEN",
  "REELAY_MODERATION_KEY",
  "REELAY_SECRET",
  // Addresses of proxies and databases hold their passwords, misspelt or not.
  "REELAY_EGRESS",
  "REELAY_STORE",
  "REELAY_TOKEN",
  "TELEGRAM_BOT_TOKEN",
  "DISCORD_BOT_TOKEN",
  "DISCORD_CLIENT_SECRET",
  "WHATSAPP_TOKEN",
  "WHATSAPP_APP_SECRET",
  "WHATSAPP_VERIFY_TOKEN",
]);

/** Whether what a setting holds is shown to nobody. */
export const isSecret = (setting: string) => SECRETS.has(setting);

/** What the settings hold that opens something, but the service's key; one that somebody made of words may be words. */
export function secretsIn(config: Config): readonly string[] {
  const {
    discord,
    discordSignIn,
    egresses: leftBy,
    files,
    metrics,
    policy,
    postgres,
    secret = "",
    telegram,
    token,
    whatsapp,
  } = config;
  const all = [
    "bucket" in files ? files.bucket.secretAccessKey : undefined,
    discord?.token,
    discordSignIn?.clientSecret,
    ...leftBy.map(secretOf),
    metrics?.token,
    policy.moderation?.key,
    postgres === undefined ? undefined : decodeURIComponent(new URL(postgres).password),
    ...secretsOf(secret),
    telegram?.token,
    token,
    whatsapp?.token,
    whatsapp?.appSecret,
    whatsapp?.verifyToken,
  ];
  return all.filter((one): one is string => one !== undefined && one.length >= 16 && !/\s/.test(one));
}

/** Names that are ours; others of the environment, and what only tests read, are not looked at. */
const OURS = new RegExp(`^(REELAY_(?!TEST_)|${CHATS.map((chat) => `${chat.toUpperCase()}_`).join("|")})`);

/**
 * `REELAY_URL` tells programs that call Reelay where it is, as in the recipes: it is no setting, and may be set where Reelay runs. An
 * address that ends in `/api` was meant to be the service's.
 */
const isForCallers = (name: string, value: string) => name === "REELAY_URL" && !/\/api\/*$/.test(value);

/** A command prints what it does itself; unless asked for more, its log tells of trouble only. */
export function quiet(settings: Config): Config {
  return settings.logLevel === "info" ? { ...settings, logLevel: "warn" } : settings;
}

/** Who sits at a terminal reads the sentence that says what went wrong: unless more is asked for, mistakes alone are logged beside it. */
export function forTerminal(
  settings: Config,
  { REELAY_LOG_LEVEL: asked }: Readonly<Record<string, string | undefined>>,
): Config {
  return asked?.trim() ? settings : { ...settings, logLevel: "error" };
}

/**
 * Reads the settings.
 * @param env usually `process.env`, after `.env` was loaded into it
 * @throws ConfigError naming every bad value and every unknown name of ours
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const isOurs = (name: string) => OURS.test(name) || name.toUpperCase() in settings.shape;
  const given = Object.fromEntries(
    Object.entries(givenBy(env)).filter(([name, value]) => isOurs(name) && !isForCallers(name, value)),
  );
  const unknown = Object.keys(given).filter((name) => !(name in settings.shape));
  const parsed = settings.safeParse(given);
  const mistakes = [
    ...unknown.map((setting) => ({
      setting,
      found: "a name that Reelay does not know",
      wanted: meantBy(setting),
    })),
    ...(parsed.error?.issues ?? []).map((issue) => {
      const setting = String(issue.path[0]);
      const found = SECRETS.has(setting)
        ? "a value that does not fit"
        : repeatable(JSON.stringify(given[setting]));
      return { setting, found, wanted: issue.message };
    }),
  ];
  if (mistakes.length > 0 || !parsed.data) throw new ConfigError(mistakes);
  const value = parsed.data;
  const lacking = LACKING.filter(({ setting, lacks }) => !value[setting] && lacks(value));
  if (lacking.length > 0)
    throw new ConfigError(
      lacking.map(({ setting, wanted, neededBy }) => ({ setting, found: "nothing", wanted, neededBy })),
    );
  const { REELAY_STORE: store } = value;
  const [sqlite, postgres] =
    store !== undefined && isPostgres(store) ? [undefined, store] : [store, undefined];
  return Object.freeze({
    apiUrl: value.REELAY_API_URL,
    apiUrlFullCatalog: value.REELAY_API_URL_FULL_CATALOG,
    usernames: value.REELAY_USERNAMES,
    apiKey: value.REELAY_API_KEY,
    operatorKeyFor: value.REELAY_OPERATOR_KEY_FOR,
    policy: policyOf(value),
    ...upkeepOf(value, postgres),
    secret: value.REELAY_SECRET,
    data: value.REELAY_DATA,
    store: resolve(sqlite?.replace(/^sqlite:/, "") ?? `${value.REELAY_DATA}/reelay.db`),
    postgres,
    files: filesPlaceOf(value),
    egresses: egressesIn(value.REELAY_EGRESS),
    host: value.REELAY_HOST,
    port: value.REELAY_PORT,
    publicUrl: value.REELAY_PUBLIC_URL,
    rateWindowMs: value.REELAY_RATE_WINDOW_MS,
    pollMs: value.REELAY_POLL_MS,
    ffmpeg: value.REELAY_FFMPEG,
    privateHosts: value.REELAY_PRIVATE_HOSTS,
    ...agentsOf(value),
    telegram: value.TELEGRAM_BOT_TOKEN
      ? {
          token: value.TELEGRAM_BOT_TOKEN,
          apiRoot: value.TELEGRAM_API_ROOT,
          webhook: value.TELEGRAM_WEBHOOK === "1",
        }
      : undefined,
    telegramBot: value.TELEGRAM_BOT_ID,
    discord: value.DISCORD_BOT_TOKEN
      ? {
          token: value.DISCORD_BOT_TOKEN,
          apiRoot: value.DISCORD_API_ROOT,
          publicKey: value.DISCORD_PUBLIC_KEY?.toLowerCase(),
        }
      : undefined,
    discordSignIn:
      value.DISCORD_CLIENT_ID && value.DISCORD_CLIENT_SECRET
        ? {
            clientId: value.DISCORD_CLIENT_ID,
            clientSecret: value.DISCORD_CLIENT_SECRET,
            apiRoot: value.DISCORD_API_ROOT,
          }
        : undefined,
    whatsapp: whatsAppOf(value),
    logLevel: value.REELAY_LOG_LEVEL,
    metrics:
      value.REELAY_METRICS_TOKEN === undefined && value.REELAY_METRICS_PORT === undefined
        ? undefined
        : { token: value.REELAY_METRICS_TOKEN, port: value.REELAY_METRICS_PORT },
    tracing: tracingOf(value),
    locale: value.REELAY_LOCALE,
  });
}

/** What was probably meant by an unknown name. Names are long: more letters of them may be wrong. */
function meantBy(unknown: string): string {
  const best = nearest(unknown.toUpperCase(), Object.keys(settings.shape), 4);
  return best === undefined ? "a setting from docs/settings.md" : `${best}, perhaps`;
}
