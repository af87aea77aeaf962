import { ConfigError } from "../../common/config-error.ts";
import { ReelayError } from "../../common/errors.ts";
import { UNSEEN } from "../../common/unseen.ts";
import { insteadOf } from "../../common/said-key.ts";
import type { KnownKeys } from "../../infrastructure/vault/known-keys.ts";
import type { Entered, Remark } from "../../seam/surface/setup.ts";
import { type Config, readConfig } from "../config.ts";
import { givenBy } from "../settings/kinds.ts";
import type { Environment } from "./effective.ts";
import { secretIn } from "./secret-in.ts";
import { misplaced } from "./misplaced.ts";
import { fallbackOf, plainly, type SettingField, wrongOf } from "./setting-field.ts";
import { FIELDS } from "./fields.ts";
import type { SettingChange, StoredSettings } from "./stored.ts";

/** What it is read beside. */
interface Beside {
  readonly env: Environment;
  readonly stored: StoredSettings;
  readonly known: Pick<KnownKeys, "findIn">;
}

/** What was entered: what would change, and the settings as they would be then; or what is wrong with it. */
type Read =
  | { readonly change: SettingChange; readonly config: Config }
  | { readonly wrong: Readonly<Record<string, Remark>> };

/**
 * Reads what was entered.
 * @param fields what may be entered there
 * @throws ReelayError `bad_request` for a setting that is none of them
 */
export async function read(
  fields: readonly SettingField[],
  entered: Entered["values"],
  { env, stored, known }: Beside,
): Promise<Read> {
  const given = givenBy(env);
  const wrong: Record<string, Remark> = {};
  const change: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(entered)) {
    const field = fields.find((one) => one.name === name);
    if (!field) throw new ReelayError("bad_request", { reason: name });
    const text = value?.trim() ?? "";
    // What is not shown is not taken away by being left empty.
    if (field.kind === "secret" && text === "" && value !== null) continue;
    const belongs = misplaced(name, text);
    const secret = await secretIn(field, text, known);
    const notKey = name === "REELAY_API_KEY" ? insteadOf(text) : undefined;
    if (given[name] !== undefined) wrong[name] = { key: "setup.wrong.locked" };
    else if (belongs !== undefined) wrong[name] = { key: belongs.said };
    else if (secret) wrong[name] = secret;
    // It would hold for nothing that is written, and nobody could see why.
    else if (UNSEEN.test(text)) wrong[name] = { key: "setup.wrong.hidden" };
    else if (notKey !== undefined)
      wrong[name] = { key: "setup.wrong.needed", params: { setting: name, wanted: notKey } };
    else {
      const plain = plainly(field, text);
      if (plain === undefined) wrong[name] = wrongOf(field);
      // What is in force anyway need not be kept.
      const meant = plain === "" || plain === fallbackOf(field.name) ? undefined : plain;
      if (meant !== stored.values[name]) change[name] = meant;
    }
  }
  if (Object.keys(wrong).length > 0) return { wrong };
  return withService(fields, change, { given, stored });
}

/** A key goes to the service that it was made by, and to no other. */
function withService(
  fields: readonly SettingField[],
  entered: SettingChange,
  { given, stored }: { readonly given: Readonly<Record<string, string>>; readonly stored: StoredSettings },
): Read {
  const isGone = "REELAY_API_URL" in entered && entered["REELAY_API_URL"] === undefined;
  const hasOwnKey = stored.values["REELAY_API_KEY"] !== undefined;
  const change = isGone && hasOwnKey ? { ...entered, REELAY_API_KEY: undefined } : entered;
  const after = { ...stored.values, ...change };
  const values = { ...valuesOf(after), ...given };
  const url = values["REELAY_API_URL"];
  if (change["REELAY_API_KEY"] !== undefined && url === undefined)
    return { wrong: { REELAY_API_URL: { key: "setup.wrong.key_alone" } } };
  let config: Config;
  try {
    config = readConfig(values);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { wrong: unfitting(fields, error) };
  }
  const isOldKey = !("REELAY_API_KEY" in change) && hasOwnKey && given["REELAY_API_KEY"] === undefined;
  const setsService = fields.some(({ name }) => name === "REELAY_API_KEY");
  if (setsService && isOldKey && config.apiUrl !== stored.keyIsFor)
    return { wrong: { REELAY_API_KEY: { key: "setup.wrong.other_service" } } };
  return { change, config };
}

const valuesOf = (all: SettingChange) =>
  Object.fromEntries(
    FIELDS.flatMap(({ name }) => {
      const value = all[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** What the settings say of it, each where it was entered; of one that was not, beside the first that could be. */
function unfitting(fields: readonly SettingField[], { mistakes }: ConfigError): Record<string, Remark> {
  const [first = ""] = fields.map(({ name }) => name);
  return Object.fromEntries(
    mistakes.map(({ setting, wanted }): [string, Remark] => {
      const field = fields.find(({ name }) => name === setting);
      return field
        ? [setting, wrongOf(field)]
        : [first, { key: "setup.wrong.needed", params: { setting, wanted } }];
    }),
  );
}
