import { access, constants, mkdir, stat } from "node:fs/promises";
import { MediaApi, Transport } from "./api/media-api.ts";
import type { Check } from "./chat/runtime.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { asReelayError } from "./errors.ts";
import { translator } from "./i18n.ts";
import { describeFfmpeg, findFfmpeg } from "./media/ffmpeg.ts";
import { examineModeration } from "./policy/moderation/doctor.ts";
import { openService } from "./service.ts";
import { openDatabase } from "./storage/database.ts";
import { makeLogger } from "./telemetry.ts";
import { openVault } from "./vault/open.ts";

/** Beyond this, times in messages and the settling of lost submissions begin to suffer, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The doctor's findings are what it prints. */
const silent = makeLogger({ level: "silent" });

/** Looks at everything that Reelay needs and says what to do about what is missing. */
export async function examine(env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map(({ setting, found, wanted }) => ({
      name: "settings",
      ok: false,
      found: `${setting}: ${found}`,
      advice: `Set it to ${wanted}, or remove it.`,
    }));
  }
  return [
    { name: "settings", ok: true, found: "every setting is understood" },
    await storage(config),
    ...(await service(config)),
    await ffmpeg(config),
    ...(config.policy.moderation ? [await examineModeration(config.policy.moderation)] : []),
  ];
}

async function storage(config: Config): Promise<Check> {
  try {
    await mkdir(config.data, { recursive: true, mode: 0o700 });
    await access(config.data, constants.W_OK);
    const database = await openDatabase(config.store);
    await openVault(config, database, silent);
    await database.close();
    const { size } = await stat(config.store);
    return { name: "storage", ok: true, found: `${config.store}, ${(size / 1e6).toFixed(1)} MB` };
  } catch (error) {
    return {
      name: "storage",
      ok: false,
      found: `${config.store}: ${messageOf(error)}`,
      advice:
        "Make the data folder writable for the user that runs Reelay, or set REELAY_DATA to one that is.",
    };
  }
}

async function service(config: Config): Promise<Check[]> {
  const transport = new Transport({ connectTimeoutMs: 5_000, headersTimeoutMs: 10_000 });
  try {
    const open = await openService(config, transport, silent);
    try {
      const name = open.sandbox ? "the built-in sandbox (REELAY_API_URL is not set)" : open.hosts.primary;
      const clock = await clockOf(transport, open.hosts.primary);
      const reached = { name: "service", ok: true, found: `${name} answers` };
      if (!open.shared) {
        const found = "no key of the operator's own: each person connects theirs";
        return [reached, clock, { name: "key", ok: true, found }];
      }
      const key = open.shared.key.reveal();
      return [
        reached,
        clock,
        await keyOf(new MediaApi({ baseUrl: open.hosts.primary, key, transport, retry: { attempts: 2 } })),
      ];
    } finally {
      await open.stop();
    }
  } catch (error) {
    const advice = "Check REELAY_API_URL and the network of this machine.";
    return [
      { name: "service", ok: false, found: `${config.apiUrl ?? "sandbox"}: ${messageOf(error)}`, advice },
    ];
  } finally {
    await transport.close();
  }
}

/** The service's clock by its `Date` header, which an answer of any status carries. */
async function clockOf(transport: Transport, baseUrl: string): Promise<Check> {
  const { headers, body } = await transport.exchange({
    method: "GET",
    paid: false,
    url: new URL(`${baseUrl}/user/balance`),
  });
  body.destroy();
  const skewMs = Math.abs(Date.parse(String(headers.date)) - Date.now());
  if (Number.isNaN(skewMs)) return { name: "clock", ok: true, found: "the service does not tell its time" };
  const found = `${Math.round(skewMs / 1000)} s from the service's clock`;
  if (skewMs <= CLOCK_TOLERANCE_MS) return { name: "clock", ok: true, found };
  return { name: "clock", ok: false, found, advice: "Set this machine's clock; NTP keeps it right." };
}

async function keyOf(api: MediaApi): Promise<Check> {
  try {
    const { username, tokens, subscriptionActive } = await api.info();
    const subscription = subscriptionActive ? "subscription active" : "no subscription";
    return {
      name: "key",
      ok: true,
      found: `valid: ${username ?? "account"}, ${subscription}, ${tokens ?? "?"} tokens`,
    };
  } catch (error) {
    const advice = "Make a new key in the service's dashboard and set REELAY_API_KEY to it.";
    return { name: "key", ok: false, found: messageOf(error), advice };
  }
}

async function ffmpeg(config: Config): Promise<Check> {
  const path = await findFfmpeg(config.ffmpeg);
  const version = path && (await describeFfmpeg(path));
  if (version) return { name: "media", ok: true, found: `${version} (${path})` };
  const advice = "Install ffmpeg, or set REELAY_FFMPEG to its path. The sandbox makes its videos with it.";
  return { name: "media", ok: config.apiUrl !== undefined, found: "no ffmpeg", advice };
}

/** The sentence of an error of ours, the words of any other. */
function messageOf(error: unknown): string {
  const known = asReelayError(error);
  if (known.code === "internal" && error instanceof Error) return error.message;
  return translator("en")(`error.${known.code}`, known.params);
}
