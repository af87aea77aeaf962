import type { Translate } from "../../../src/common/i18n.ts";
import type { SmallerForm } from "./forms.ts";

/** What is to be known of a form. */
type Noted =
  | { readonly as: "whole" }
  | Pick<SmallerForm, "as" | "original">
  | { readonly as: "link"; readonly url: string };

/** What is said beside a file that is not posted as it is. */
export interface FormNote {
  readonly text: string;
  /** Where it leads to; undefined for what leads nowhere. */
  readonly url: string | undefined;
}

/**
 * What is to be said of the form that a file is posted in: that it is smaller than it was made, and where the original is.
 * @param platform its name as people write it
 */
export function notesOf(say: Translate, form: Noted, platform: string): readonly FormNote[] {
  if (form.as === "whole") return [];
  if (form.as === "link") return [{ text: say("view.link"), url: form.url }];
  const { bytes, url } = form.original;
  return [
    { text: say("view.smaller", { platform }), url: undefined },
    { text: say(url === undefined ? "view.original.size" : "view.original", { bytes }), url },
  ];
}
