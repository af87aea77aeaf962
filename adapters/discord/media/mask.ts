import { Readable } from "node:stream";
import type { RawFile } from "discord.js";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { keepFile } from "../../../src/seam/surface/kept-files.ts";
import { mediaIn, type MediaRef, type UserId, type Values } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { maskFrom } from "../../../src/infrastructure/media/pictures/mask-from.ts";
import { previewMask } from "../../../src/infrastructure/media/pictures/mask-preview.ts";
import type { Services } from "../context/context.ts";

/**
 * The mask that a copy of a picture stands for: something is painted over it, or it is black and white.
 * @throws ReelayError `field_required` without a picture; else as `maskFrom`
 */
export async function readMask(
  services: Pick<Services, "host" | "memory">,
  owner: UserId,
  picture: MediaRef | undefined,
  copy: MediaRef,
): Promise<MediaRef> {
  if (!picture) throw new ReelayError("field_required", { field: "image" });
  const { files, scratch: dir } = services.host;
  const mask = await maskFrom({
    picture: () => files.open(picture.id),
    marked: () => files.open(copy.id),
    dir,
  });
  return { surface: "discord", ...(await keepFile(services, owner, Readable.from([mask]), mask.length)) };
}

/** What each mask marks, shown in its picture, before anything is spent on it. @throws ReelayError as `previewMask` */
export async function showMasks(
  { host }: Pick<Services, "host">,
  fields: readonly FieldSpec[],
  values: Values,
): Promise<(RawFile & Pick<FieldSpec, "label">)[]> {
  const { files } = host;
  const masks = fields.flatMap(({ name, label, over = "" }) => {
    const [mask] = mediaIn(values[name]);
    const [picture] = mediaIn(values[over]);
    return mask && picture ? [{ name, label, mask, picture }] : [];
  });
  return Promise.all(
    masks.map(async ({ name, label, mask, picture }) => {
      const bytes = Buffer.concat(await (await files.open(mask.id)).toArray());
      const data = await previewMask(() => files.open(picture.id), bytes, host.scratch);
      return { name: `${name}.jpg`, label, data };
    }),
  );
}
