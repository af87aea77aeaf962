import { extname } from "node:path";

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

/** What files of a MIME type end in, as their sender announced it; undefined for one that says nothing. */
export const extensionOf = (type: string) => EXTENSIONS[type.split(";")[0]?.trim().toLowerCase() ?? ""];

/** Whether a name's end says that it is something else. */
export function isMisnamed(name: string, extension: string): boolean {
  const end = extname(name).toLowerCase().replace(".jpeg", ".jpg");
  return end !== extension && Object.values(EXTENSIONS).includes(end);
}

/**
 * What a file is saved under.
 * @param file its name without an extension, and what it is
 * @param type its MIME type, as its sender announced it
 */
export function fileName({ name, kind }: { name: string; kind: keyof typeof USUAL }, type: string): string {
  return name + (extensionOf(type) ?? USUAL[kind]);
}
