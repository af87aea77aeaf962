import { isMediaRef, type MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { maskFrom } from "../../../src/infrastructure/media/pictures/mask-from.ts";
import { previewMask } from "../../../src/infrastructure/media/pictures/mask-preview.ts";
import { maskOfRegions } from "../../../src/infrastructure/media/pictures/mask-regions.ts";
import { keepOwn } from "../files/own-files.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { withField } from "./change.ts";
import type { DraftField } from "./draft.ts";
import type { DraftMessages } from "./messages.ts";

/**
 * Fills in a mask, and shows what it marks.
 * @param marked a copy of the draft's picture that was painted over, or the regions of it
 * @throws ReelayError as `maskFrom`; `field_required` while there is no picture to mark a part of, `mask_empty` for no
 * regions
 */
export async function mark<C extends ChatContext>(
  drafts: DraftMessages<C>,
  { context, draft, sheet, field }: DraftField<C>,
  marked: MediaRef | readonly number[],
): Promise<void> {
  const picture = draft.values[field.over ?? ""];
  if (!isMediaRef(picture)) throw new ReelayError("field_required", { field: field.over ?? field.name });
  const open = () => context.openMedia(picture);
  const dir = context.host.scratch;
  const mask = isMediaRef(marked)
    ? await maskFrom({ picture: open, marked: () => context.openMedia(marked), dir })
    : await maskOfRegions(marked);
  const preview = await previewMask(open, mask, dir);
  const file = await keepOwn(context, context.origin.user, mask);
  await drafts.show(context, withField(draft, sheet, field, file), preview);
}
