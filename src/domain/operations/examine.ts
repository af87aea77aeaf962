import type { FieldSpec } from "../../seam/fields.ts";
import { isAddress, type Surfaces } from "../../seam/surface/surfaces.ts";
import { mediaIn, type MediaRef, type Values } from "../../seam/values.ts";
import type { Problem } from "../../seam/views.ts";
import { ReelayError } from "../../common/errors.ts";
import { unfetched } from "../../common/unfetched.ts";
import { checkImage, wasInOrder } from "../../infrastructure/media/pictures/image.ts";
import { checkMask } from "../../infrastructure/media/pictures/mask.ts";
import { MAX_PICTURE_BYTES } from "../../infrastructure/media/pictures/picture.ts";
import { receiveFile } from "../../infrastructure/media/files/prepared.ts";
import { knownPrint, printOf } from "../../infrastructure/media/pictures/print.ts";
import { prepareSound } from "../../infrastructure/media/sounds/sound.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { checkTogether } from "./order.ts";

/** Where files come from, and where they are looked at. */
interface ExamineParts {
  readonly surfaces: Pick<Surfaces, "openMedia" | "digestIn" | "checkAddress">;
  /** A folder for temporary files. */
  readonly dir: string;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Looks at every file among values as it is looked at when it is sent. A file that is given by its address has not come:
 * only where that leads is checked.
 * @returns what can never be sent, one problem a field; what may be in order another time is none
 */
export async function examine(
  fields: readonly FieldSpec[],
  values: Values,
  parts: ExamineParts,
): Promise<readonly Problem[]> {
  const looks = fields.map(async (field) => {
    try {
      await examineField(field, mediaIn(values[field.name]), parts);
      return [];
    } catch (error) {
      if (error instanceof ReelayError && error.code === "internal") throw error;
      if (error instanceof ReelayError && !error.retryable)
        return [{ code: error.code, params: error.params, field: field.name }];
      parts.log.warn({ err: error, ...unfetched(error) }, "A file could not be looked at when it came");
      return [];
    }
  });
  return (await Promise.all(looks)).flat();
}

async function examineField(
  field: FieldSpec,
  files: readonly MediaRef[],
  parts: ExamineParts,
): Promise<void> {
  let seconds = 0;
  for (const ref of files) {
    if (isAddress(ref)) await parts.surfaces.checkAddress(ref);
    else seconds += await examineFile(field, ref, parts);
  }
  checkTogether(field, seconds);
}

/** @returns how long a sound is, in seconds */
async function examineFile(
  { sounds: bounds, over }: FieldSpec,
  ref: MediaRef,
  { surfaces, dir }: ExamineParts,
): Promise<number> {
  const open = () => surfaces.openMedia(ref);
  if (bounds) {
    const sound = await prepareSound(open, { dir, bounds });
    await sound.dispose();
    return sound.seconds;
  }
  const digest = over === undefined ? surfaces.digestIn(ref) : undefined;
  if (digest !== undefined && (await wasInOrder(digest)) && (await knownPrint(digest))) return 0;
  await using file = await receiveFile(open, dir, MAX_PICTURE_BYTES);
  await (over === undefined ? checkImage(file) : checkMask(file));
  // Asked for again when something is made of it, while somebody waits.
  await printOf(file);
  return 0;
}
