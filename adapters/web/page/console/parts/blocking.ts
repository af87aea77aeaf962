import type { Translate } from "../../../../../src/common/i18n.ts";
import type { Deed } from "./Deeds.tsx";

/** Keeps somebody out. */
export const blockingOf = (say: Translate, user: string, onDo: () => void): Deed => ({
  id: "block",
  label: say("action.block"),
  asks: say("console.people.block.sure", { user }),
  destroys: true,
  onDo,
});
