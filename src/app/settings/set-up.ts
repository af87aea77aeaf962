import { z } from "zod";
import type { MessageKey } from "../../common/i18n.ts";
import type { SettingKind } from "../../seam/surface/setup.ts";
import type { ChatName } from "../../seam/values.ts";

/** How a setting is entered in the browser. */
export interface SettingEntry {
  readonly kind: SettingKind;
  /** What is said of a value that does not fit. */
  readonly wrong: MessageKey;
  /** How its token is known where it was entered for something else, and what is said then. */
  readonly token?: { readonly isIn: (text: string) => boolean; readonly said: MessageKey };
}

/** Which settings are set up with a chat platform, each beside what it is. */
export const chatEntries = z.registry<SettingEntry & { readonly step: ChatName }>();
