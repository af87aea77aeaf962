import type { Readable } from "node:stream";
import { isAddress } from "../../seam/surface/surfaces.ts";
import { isMediaList, isMediaRef, type MediaRef, type Value, type Values } from "../../seam/values.ts";
import { digestOf } from "../../infrastructure/media/files/hashed.ts";

/**
 * Holds files that were given by their address to what is there now: what is examined is what is sent, and nobody
 * exchanges it in between.
 * @throws ReelayError as `openMedia`, for an address that cannot be read
 */
export async function pinned(
  values: Values,
  openMedia: (ref: MediaRef) => Promise<Readable>,
): Promise<Values> {
  const pin = async (ref: MediaRef): Promise<MediaRef> =>
    isAddress(ref) ? { ...ref, digest: await digestOf(await openMedia(ref)) } : ref;
  const pinValue = async (value: Value | undefined) => {
    if (isMediaRef(value)) return pin(value);
    return isMediaList(value) ? Promise.all(value.map(pin)) : value;
  };
  const entries = Object.entries(values).map(async ([name, value]) => [name, await pinValue(value)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
