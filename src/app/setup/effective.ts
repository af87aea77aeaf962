import { ConfigError } from "../../common/config-error.ts";
import type { Remark, UnusedSetting } from "../../seam/surface/setup.ts";
import { type Config, readConfig } from "../config.ts";
import { givenBy } from "../settings/kinds.ts";
import { FIELDS } from "./fields.ts";
import type { StoredSettings } from "./stored.ts";

/** Settings as the environment gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is in force. */
export interface Effective {
  readonly config: Config;
  /** The same as an environment would say it. */
  readonly env: Readonly<Record<string, string>>;
  /** What of it is stored, by setting. */
  readonly used: Readonly<Record<string, string>>;
  /** What is stored and is not used, because of what it is or of what the environment says. */
  readonly unused: readonly UnusedSetting[];
}

/**
 * The settings of the environment, and of those that are stored what it leaves open. Something stored that does not fit (any more) is
 * left out: Reelay starts without it, and says so.
 * @param without settings that are left out in any case, with what is said of them
 * @throws ConfigError for what the environment itself sets
 */
export function effective(
  env: Environment,
  stored: Pick<StoredSettings, "values" | "keyIsFor">,
  without: readonly UnusedSetting[] = [],
): Effective {
  const { values, keyIsFor } = stored;
  const given = givenBy(env);
  const left = new Set(without.map(({ setting }) => setting));
  const used = Object.fromEntries(
    FIELDS.flatMap(({ name }) => {
      const value = values[name];
      return value === undefined || given[name] !== undefined || left.has(name) ? [] : [[name, value]];
    }),
  );
  const url = given["REELAY_API_URL"] ?? used["REELAY_API_URL"];
  if (used["REELAY_API_KEY"] !== undefined && url !== keyIsFor)
    return effective(env, stored, [
      ...without,
      { setting: "REELAY_API_KEY", said: { key: "setup.unused.other_service" } },
    ]);
  try {
    const whole = { ...used, ...given };
    return { config: readConfig(whole), env: whole, used, unused: without };
  } catch (error) {
    const found = unfit(error, used);
    if (found.length === 0) throw error;
    return effective(env, stored, [...without, ...found]);
  }
}

/**
 * What a start failed by that is stored and can be left out; nothing where it failed by something else.
 * @param used what of the settings was stored
 */
export function unfit(error: unknown, used: Effective["used"]): readonly UnusedSetting[] {
  if (!(error instanceof ConfigError)) return [];
  // More than one thing may be wrong with one of them, and what it needs may be missing.
  const saids = new Map(
    error.mistakes.map(({ setting, found, wanted, neededBy = "" }): [string, Remark] =>
      neededBy in used
        ? [neededBy, { key: "setup.wrong.needed", params: { setting, wanted } }]
        : [setting, { key: "setup.unused.unfit", params: { found } }],
    ),
  );
  return [...saids].filter(([setting]) => setting in used).map(([setting, said]) => ({ setting, said }));
}
