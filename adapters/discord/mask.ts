import { Readable } from "node:stream";
import { noteFile } from "../../src/chat/kept-files.ts";
import type { MediaRef, UserId } from "../../src/chat/values.ts";
import { ReelayError } from "../../src/errors.ts";
import { maskFrom } from "../../src/media/mask-from.ts";
import { previewMask } from "../../src/media/mask-preview.ts";
import type { Office } from "./desk.ts";
import { scratchOf } from "./scratch.ts";

/**
 * The mask that a copy of a picture stands for: something is painted over it, or it is black and white.
 * @throws ReelayError `field_required` without a picture; else as `maskFrom`
 */
export async function readMask(
  { host, memory }: Pick<Office, "host" | "memory">,
  owner: UserId,
  picture: MediaRef | undefined,
  copy: MediaRef,
): Promise<MediaRef> {
  if (!picture) throw new ReelayError("field_required", { field: "image" });
  const { files } = host;
  const mask = await maskFrom({
    picture: () => files.open(picture.id),
    marked: () => files.open(copy.id),
    dir: scratchOf(host),
  });
  const { id } = await files.put(Readable.from([mask]), mask.length);
  await noteFile(memory, owner, id);
  return { surface: "discord", id, bytes: mask.length };
}

/** What a mask marks, shown in its picture: a JPEG. @throws ReelayError as `previewMask` */
export async function showMask(
  { host }: Pick<Office, "host">,
  picture: MediaRef,
  mask: MediaRef,
): Promise<Buffer> {
  const { files } = host;
  const marked = await files.open(mask.id);
  return previewMask(() => files.open(picture.id), Buffer.concat(await marked.toArray()), scratchOf(host));
}
