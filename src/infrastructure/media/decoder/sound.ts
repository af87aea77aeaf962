import { parseFile } from "music-metadata";

/** What is known of a sound file by its content. */
export interface SoundFacts {
  readonly hasAudio: boolean;
  readonly hasVideo: boolean;
  /** 0 where it does not say and cannot be counted. */
  readonly seconds: number;
}

/** Reads a sound. @throws for what cannot be read */
export async function soundFacts({ path }: { readonly path: string }): Promise<SoundFacts> {
  // `duration`: an MP3 without a header is counted frame by frame.
  const { format } = await parseFile(path, { duration: true, skipCovers: true });
  const { hasAudio = false, hasVideo = false, duration: seconds = 0 } = format;
  return { hasAudio, hasVideo, seconds };
}
