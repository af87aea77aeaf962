import type { MediaRef } from "../../../../../../src/seam/values.ts";
import { mediaUrl } from "../../state/api.ts";
import { Picture } from "./Well.tsx";

/** A picture, tinted where a mask is white. */
export function MarkedPicture({ picture, mask }: { picture: MediaRef; mask: MediaRef | undefined }) {
  return (
    <>
      <Picture media={picture} />
      {mask && <span class="tint" style={{ maskImage: `url("${mediaUrl(mask.id)}")` }} />}
    </>
  );
}
