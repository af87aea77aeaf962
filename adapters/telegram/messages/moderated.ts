import { ownToken } from "../../../src/seam/text/actions.ts";
import type { Action, View } from "../../../src/seam/views.ts";

/** The mark of the buttons by which those who manage a group decide in private about what others made there. */
export const MODERATED = "m";

/** A view whose buttons say which group they are about: in private nothing else does. */
export function inGroup<V extends View>(group: number, view: V): V {
  const wrap = (actions: readonly Action[]) =>
    actions.map((action) => ({ ...action, token: ownToken(MODERATED, `${group}:${action.token}`) }));
  return {
    ...view,
    ...("actions" in view && view.actions && { actions: wrap(view.actions) }),
    ...("items" in view && { items: view.items.map((item) => ({ ...item, actions: wrap(item.actions) })) }),
  };
}
