import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { type GivenFiles, usable, usualOffer } from "../../../src/seam/forms/offers.ts";
import type { Draft } from "./draft.ts";
import { button, type DraftPage, type Format, inPairs, paragraphs } from "./page-parts.ts";

/** Behind everything that needs a subscription. */
const PRO = "⭐";

const GROUPS = ["video", "image"] as const;

/** Offers what can be made of what somebody sent, videos apart from pictures. */
export function offersPage(
  { plain, bold, limitOf }: Format,
  say: Translate,
  draft: Draft,
  offers: readonly CommandSpec[],
  last: string | undefined,
): DraftPage {
  const { given } = draft;
  const groups = GROUPS.map((kind) => ({
    kind,
    members: offers.filter(({ result }) => result === kind),
  })).filter(({ members }) => members.length > 0);
  const lines = groups.flatMap(({ kind, members }, index) => [
    ...(index > 0 ? [""] : []),
    bold(say(`offers.${kind}`)),
    ...members.map((spec) => `• ${plain(`${named(say, spec)}: ${say(spec.description)}`)}`),
  ]);
  const usual = usualOffer(offers, last);
  const after = [
    ...(offers.some(({ subscription }) => subscription) ? [say("offers.pro", { mark: PRO })] : []),
    ...(usual ? [say("offers.words", { operation: say(usual.label) })] : []),
  ];
  return {
    text: paragraphs(
      limitOf(draft),
      plain(offersQuestion(say, given, offers)),
      lines,
      plain(after.join("\n")),
    ),
    rows: [
      ...groups.flatMap(({ members }) =>
        inPairs(members.map((spec) => button(named(say, spec), "make", spec.name))),
      ),
      [button(say("action.cancel"), "cancel")],
    ],
  };
}

function named(say: Translate, { label, subscription }: CommandSpec): string {
  return subscription ? `${say(label)} ${PRO}` : say(label);
}

/** What somebody sent, and how much of it can be used. */
export function offersQuestion(say: Translate, given: GivenFiles, offers: readonly CommandSpec[]): string {
  const count = given.pictures.length;
  const used = usable(offers, given);
  if (count === 0) return say("offers.sounds");
  const all = say("offers.pictures", { count });
  return used < count ? `${all} ${say("offers.first", { count: used })}` : all;
}
