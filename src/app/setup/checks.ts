import { translator } from "../../common/i18n.ts";
import type { Check } from "../../seam/surface/runtime.ts";
import type { Effective } from "./effective.ts";

/** What the doctor says of the settings that were set in the browser. */
export function checksOf({ used, unused }: Pick<Effective, "used" | "unused">): readonly Check[] {
  const names = Object.keys(used);
  const say = translator("en");
  return [
    ...(names.length === 0
      ? []
      : [{ name: "settings", ok: true, found: `set on the page /setup: ${names.join(", ")}` }]),
    ...unused.map(({ setting, said }) => ({
      name: "settings",
      ok: false,
      found: `${setting} was set on the page /setup and is not used: ${say(said.key, said.params)}`,
      advice: "Open the link that `npx reelay setup` prints, and set it anew.",
    })),
  ];
}
