import { readFile } from "node:fs/promises";
import { isPicture } from "../../../src/seam/forms/filling.ts";
import { mediaIn, type MediaRef } from "../../../src/seam/values.ts";
import type { JobSummary } from "../../../src/seam/views.ts";
import { mosaicOf } from "../../../src/infrastructure/media/pictures/mosaic.ts";
import { prepareImage } from "../../../src/infrastructure/media/pictures/image.ts";
import type { Services } from "../context/context.ts";

/** As large as clients show it beside a text on a sharp screen, in pixels. */
const SIDE = 240;

/** A picture, small, as JPEG. @throws as `prepareImage` */
export async function smallPicture(
  { host, openMedia }: Pick<Services, "host" | "openMedia">,
  picture: MediaRef,
): Promise<Buffer> {
  const small = await prepareImage(() => openMedia(picture), { dir: host.scratch, maxSide: SIDE });
  try {
    return await readFile(small.path);
  } finally {
    await small.dispose();
  }
}

/**
 * A small picture of what a job is made of, as JPEG, of several pictures with all of them in it; undefined where there are
 * none, or one cannot be read any more.
 */
export async function thumbnailOf(
  { host, intake, openMedia }: Pick<Services, "host" | "intake" | "openMedia">,
  { id, operation, values }: JobSummary,
): Promise<Buffer | undefined> {
  const spec = intake.commands.find(({ name }) => name === operation);
  const pictures = (spec?.fields ?? []).filter(isPicture).flatMap(({ name }) => mediaIn(values[name]));
  const [picture] = pictures;
  try {
    if (pictures.length < 2) return picture && (await smallPicture({ host, openMedia }, picture));
    const opens = pictures.map((one) => () => openMedia(one));
    return await mosaicOf(opens, { dir: host.scratch, side: SIDE });
  } catch (err) {
    // The result is worth having without it.
    host.log.debug({ err, job: id }, "What a job was made of could not be shown");
    return undefined;
  }
}
