import type { FieldSpec } from "../../../src/chat/fields.ts";
import { isMediaRef, type MediaRef } from "../../../src/chat/values.ts";
import { ReelayError } from "../../../src/errors.ts";
import { maskFrom } from "../../../src/media/mask-from.ts";
import { previewMask } from "../../../src/media/mask-preview.ts";
import { maskOfRegions } from "../../../src/media/mask-regions.ts";
import type { Sheet } from "../../../src/chat/sheet.ts";
import type { Draft } from "./draft.ts";
import { withField } from "./change.ts";
import { keepFile } from "../media/own-files.ts";
import { showPicture } from "./message.ts";
import type { ChatContext } from "../context/chat-context.ts";

/** A mask that is to be made, and the draft that it is for. */
interface Marking {
  readonly context: ChatContext;
  readonly draft: Draft;
  readonly sheet: Sheet;
  readonly field: FieldSpec;
}

/**
 * Marks what was painted over a copy of the draft's picture.
 * @throws ReelayError as `maskFrom`; `field_required` while there is no picture to mark a part of
 */
export async function markPainted(marking: Marking, copy: MediaRef): Promise<void> {
  const { context } = marking;
  const picture = pictureOf(marking);
  const marked = () => context.openMedia(copy);
  await mark(
    marking,
    await maskFrom({ picture: () => context.openMedia(picture), marked, dir: context.host.scratch }),
  );
}

/** Marks regions. @throws ReelayError `mask_empty` for none of them; else as {@link markPainted} */
export async function markRegions(marking: Marking, regions: readonly number[]): Promise<void> {
  if (regions.length === 0) throw new ReelayError("mask_empty");
  await mark(marking, await maskOfRegions(regions));
}

/** Fills in a mask, and shows what it marks. */
async function mark(marking: Marking, mask: Buffer): Promise<void> {
  const { context, draft, sheet, field } = marking;
  const picture = pictureOf(marking);
  const preview = await previewMask(() => context.openMedia(picture), mask, context.host.scratch);
  const file = await keepFile(context, draft.owner, mask);
  await showPicture(context, withField(draft, sheet, field, file), preview);
}

function pictureOf({ draft, field }: Marking): MediaRef {
  const picture = draft.values[field.over ?? ""];
  if (!isMediaRef(picture)) throw new ReelayError("field_required", { field: field.over ?? field.name });
  return picture;
}
