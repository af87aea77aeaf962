import { isSecret } from "../config.ts";
import { FIELDS } from "./fields.ts";

/** What stands for a secret: it leaves the vault for nobody. */
const HIDDEN = "…";

/**
 * The lines of a `.env` that sets what is stored.
 * @param values what is stored, by setting
 */
export function envFile(values: Readonly<Record<string, string>>): string {
  return FIELDS.flatMap(({ name }) => {
    const value = values[name];
    return value === undefined ? [] : [`${name}=${isSecret(name) ? HIDDEN : quoted(value)}`];
  }).join("\n");
}

/** Node's reader of `.env` takes `#` and blanks at the ends for its own. */
const quoted = (value: string) => (/[#\s"']/.test(value) ? `"${value}"` : value);
