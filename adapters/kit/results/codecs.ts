import { probeVideo } from "../../../src/infrastructure/media/video/probe.ts";

/** What files call the codecs that platforms name. */
const NAMES = { "H.264": ["avc1", "avc3"], AAC: ["mp4a"] } as const;

/** Whether a video can be read, and has no other codecs than these. */
export async function hasCodecs(path: string, codecs: readonly (keyof typeof NAMES)[]): Promise<boolean> {
  const taken = new Set<string>(codecs.flatMap((codec) => NAMES[codec]));
  const found = (await probeVideo(path))?.codecs ?? [];
  return found.length > 0 && found.every((codec) => taken.has(codec));
}
