import type { Result } from "./operation.ts";

/**
 * A record's `video_base64` or `image_base64`; the `_error` field instead while the file cannot be read (section 2.4).
 * @param mime makes it a data URI; plain base64 without
 */
export async function inBase64(
  kind: "video" | "image",
  result: Result,
  mime?: string,
): Promise<Record<string, string>> {
  const prefix = mime === undefined ? "" : `data:${mime};base64,`;
  return result.read().then(
    (file) => ({ [`${kind}_base64`]: prefix + file.toString("base64") }),
    () => ({ [`${kind}_base64_error`]: "The result file is not available." }),
  );
}

/** The type of a picture that is a data URI; undefined where pictures are plain base64. */
export function plainOr(mime: string, { liberties }: Result): string | undefined {
  return liberties.imageBase64 === "plain" ? undefined : mime;
}
