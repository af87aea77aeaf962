import type { ServiceJob } from "../../infrastructure/api/media-api.ts";

/** Where the files of a job are, as its record says; nothing where it does not. */
export function resultOf({ resultUrls, videoUrl, imageUrl }: ServiceJob): readonly string[] {
  if (resultUrls.length > 0) return resultUrls;
  const url = videoUrl ?? imageUrl;
  return url === null ? [] : [url];
}
