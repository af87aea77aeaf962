import type { Check } from "../../../src/seam/surface/runtime.ts";
import type { Finding, Remark } from "../../../src/seam/surface/setup.ts";
import { ConfigError } from "../../../src/common/config-error.ts";
import { persist } from "../../../src/common/time.ts";
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

/** Whether a platform can be reached with the token that is set, and what it says. */
export async function lookAtPlatform(
  { name, title, token, tokenSetting, isUnknownToken, rootSetting }: PlatformFacts,
  look: (signal: AbortSignal) => Promise<Look>,
): Promise<Finding> {
  try {
    const { said, link, ...check } = await look(AbortSignal.timeout(TIMEOUT_MS));
    return { check: { name, ...check }, said, ...(link !== undefined && { link }), stops: false };
  } catch (error) {
    if (isUnknownToken(error)) {
      const advice = `Set ${tokenSetting} to ${token}.`;
      const check = { name, ok: false, found: `${title} does not know the token`, advice };
      return { check, said: { key: "setup.token_unknown", params: { platform: title } }, stops: true };
    }
    const found = error instanceof Error ? error.message : String(error);
    const advice = `Check the network of this machine, and ${rootSetting} if it is set.`;
    const said = { key: "setup.platform_away", params: { platform: title, reason: found } } as const;
    return { check: { name, ok: false, found, advice }, said, stops: true };
  }
}
