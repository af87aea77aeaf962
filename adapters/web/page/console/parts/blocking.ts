import type { Translate } from "../../../../../src/common/i18n.ts";
import type { ConfirmedAction } from "./ConfirmedActions.tsx";

/** Keeps somebody out. */
export const blockingOf = (say: Translate, user: string, onDo: () => void): ConfirmedAction => ({
  id: "block",
  label: say("action.block"),
  asks: say("console.people.block.sure", { user }),
  destroys: true,
  onDo,
});
