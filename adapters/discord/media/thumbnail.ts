import { readFile } from "node:fs/promises";
import { isPicture } from "../../../src/seam/forms/filling.ts";
import { mediaIn, type MediaRef } from "../../../src/seam/values.ts";
import type { JobSummary } from "../../../src/seam/views.ts";
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

/** A small picture of what a job is made of, as JPEG; undefined where that is none, or cannot be read any more. */
export async function thumbnailOf(
  { host, intake, openMedia }: Pick<Services, "host" | "intake" | "openMedia">,
  { id, operation, values }: JobSummary,
): Promise<Buffer | undefined> {
  const spec = intake.commands.find(({ name }) => name === operation);
  const [picture] = (spec?.fields ?? []).filter(isPicture).flatMap(({ name }) => mediaIn(values[name]));
  if (!picture) return undefined;
  try {
    return await smallPicture({ host, openMedia }, picture);
  } catch (err) {
    // The result is worth having without it.
    host.log.debug({ err, job: id }, "What a job was made of could not be shown");
    return undefined;
  }
}
