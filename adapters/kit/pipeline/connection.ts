import type { Check } from "../../../src/seam/surface/runtime.ts";
import type { Finding, Remark } from "../../../src/seam/surface/setup.ts";
import { type MessageKey, messageKey, translator } from "../../../src/common/i18n.ts";
import { ConfigError } from "../../../src/common/config-error.ts";
import { persist, timeoutAwake } from "../../../src/common/time.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";

/** How long the doctor waits for a platform, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** A platform, as its connection is told of. */
export interface PlatformFacts {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** Its token, where people have that from, and the setting that holds it. */
  readonly token: string;
  readonly tokenSetting: string;
  readonly isUnknownToken: (error: unknown) => boolean;
  /** Which other setting it does not know, where it tells; what is said of it has the key `setup.unknown.<setting>`. */
  readonly unknownSetting?: (error: unknown) => string | undefined;
  /** The setting that says where it is, where that is not as usual. */
  readonly rootSetting: string;
  /** How long it wants to be left alone after a failure, in milliseconds, where it says so. */
  readonly pauseOf?: (error: unknown) => number | undefined;
}

/** How something goes on while a platform is away. */
export interface Persistence {
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Does what needs a platform, as often as it takes.
 * @throws ConfigError for a token that the platform does not know, or thrown by the attempt; the signal's reason
 */
export function persistently<T>(
  { title, token, tokenSetting: setting, isUnknownToken, pauseOf }: PlatformFacts,
  attempt: () => Promise<T>,
  { log, signal }: Persistence,
): Promise<T> {
  return persist(attempt, {
    signal,
    ...(pauseOf && { pauseOf }),
    onFailure(err, pauseMs) {
      if (err instanceof ConfigError) throw err;
      if (isUnknownToken(err))
        throw new ConfigError([{ setting, found: `a token that ${title} does not know`, wanted: token }]);
      log.warn({ err, pauseMs }, `${title} cannot be reached; trying again`);
    },
  });
}

/** What a platform says of itself. */
interface Look extends Omit<Check, "name"> {
  readonly said: Remark;
  readonly link?: string;
}

/** Where a platform is to call, and where it says that it does; undefined: nowhere. */
interface Calls {
  readonly meant: string;
  readonly actual: string | undefined;
  /** How the one that is meant is entered there. */
  readonly advice: string;
}

/**
 * What is said of a platform that calls an address, with the keys `setup.<platform>.found`, `.uncalled` and `.elsewhere`.
 * @param who the bot, as the doctor calls it
 */
export function lookAtCalls(
  { name, title }: PlatformFacts,
  who: string,
  { meant, actual, advice }: Calls,
): Pick<Look, "ok" | "found" | "advice"> & { readonly key: MessageKey } {
  const key = (what: string) => messageKey(`setup.${name}.${what}`);
  if (actual === meant) return { ok: true, found: `${who}, by ${meant}`, key: key("found") };
  const found = `${who}, but ${title} calls ${actual ?? "no address"}`;
  return { ok: false, found, advice, key: key(actual === undefined ? "uncalled" : "elsewhere") };
}

/** Whether a platform can be reached with the token that is set, and what it says. */
export async function lookAtPlatform(
  { name, title, token, tokenSetting, isUnknownToken, unknownSetting, rootSetting }: PlatformFacts,
  look: (signal: AbortSignal) => Promise<Look>,
): Promise<Finding> {
  try {
    const { said, link, ...check } = await look(timeoutAwake(TIMEOUT_MS));
    return { check: { name, ...check }, said, ...(link !== undefined && { link }), stops: false };
  } catch (error) {
    if (isUnknownToken(error)) {
      const advice = `Set ${tokenSetting} to ${token}.`;
      const check = { name, ok: false, found: `${title} does not know the token`, advice };
      return { check, said: { key: "setup.token_unknown", params: { platform: title } }, stops: true };
    }
    const found = error instanceof Error ? error.message : String(error);
    const setting = unknownSetting?.(error);
    if (setting !== undefined) {
      const said = { key: messageKey(`setup.unknown.${setting}`) };
      return { check: { name, ok: false, found, advice: translator("en")(said.key) }, said, stops: true };
    }
    const advice = `Check the network of this machine, and ${rootSetting} if it is set.`;
    const said = { key: "setup.platform_away", params: { platform: title, reason: found } } as const;
    return { check: { name, ok: false, found, advice }, said, stops: true };
  }
}
