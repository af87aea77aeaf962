import { decode } from "../decoder/decoder.ts";
import type { VideoFacts } from "../decoder/probe.ts";
import type { Size } from "../decoder/size.ts";

/** Size and length of a video; undefined for what is none, is damaged, or does not say. */
export async function probeVideo(path: string): Promise<VideoFacts | undefined> {
  return (await decode("probeVideo", { path }).catch(() => null)) ?? undefined;
}

/** Size of a picture; undefined for what is none. */
export function probeImage(path: string): Promise<Size | undefined> {
  return decode("probeImage", { path }).catch(() => undefined);
}
