import { FIELDS } from "./fields.ts";
import type { SettingField } from "./setting-field.ts";

/** The token that is in what was entered, by its setting, where that is another one than it was entered for. */
export function misplaced(setting: string, entered: string): Required<SettingField>["token"] | undefined {
  const found = FIELDS.find(({ token }) => token?.isIn(entered));
  return found?.name === setting ? undefined : found?.token;
}
