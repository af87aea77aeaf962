import { cut } from "../../../src/seam/text/cut.ts";
import { linesOf } from "../../../src/seam/text/lines.ts";
import type { View } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { type ButtonLayout, buttonRows, itemRows, type Rows } from "./buttons.ts";
import { currentTime } from "../../../src/common/time.ts";

/** A message as every platform shows it: plain text, and buttons below it. */
export interface ChatMessage {
  readonly text: string;
  readonly rows: Rows;
}

/** What a platform takes of a message. */
export interface MessageLimits extends ButtonLayout {
  /** The longest text, and the longest that stands under a file. */
  readonly text: number;
  readonly caption: number;
  /** How the platform counts that, where not in code points. */
  readonly length?: (text: string) => number;
}

/** A view in the person's language, cut to what the platform takes; of what has a file, what is said under it. */
export function messageOf(say: Translate, view: View, limits: MessageLimits): ChatMessage {
  const hasFile = view.kind === "result" || view.kind === "file";
  const lines = linesOf(say, view, currentTime());
  const text = cut(lines.join("\n"), hasFile ? limits.caption : limits.text, limits.length);
  const above = view.kind === "menu" ? itemRows(say, view.items, limits.inList) : [];
  return { text, rows: [...above, ...buttonRows(say, view.actions, limits)] };
}
