const EXTENSIONS: Readonly<Record<string, string>> = {
  "video/mp4": ".mp4",
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/webp": ".webp",
  "image/gif": ".gif",
  "image/avif": ".avif",
  "video/webm": ".webm",
  "video/quicktime": ".mov",
};

/** For senders that do not announce what a file is. */
const USUAL = { video: ".mp4", image: ".png" } as const;

/**
 * What a file is saved under.
 * @param file its name without an extension, and what it is
 * @param type its MIME type, as its sender announced it
 */
export function fileName({ name, kind }: { name: string; kind: keyof typeof USUAL }, type: string): string {
  const mime = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return name + (EXTENSIONS[mime] ?? USUAL[kind]);
}
