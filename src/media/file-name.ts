const EXTENSIONS: Readonly<Record<string, string>> = {
  "video/mp4": ".mp4",
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/webp": ".webp",
};

/**
 * What a file is saved under.
 * @param name without an extension
 * @param type its MIME type, as its sender announced it
 * @returns the name with the type's extension; `.bin` for types that no result has
 */
export function fileName(name: string, type: string): string {
  const mime = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return name + (EXTENSIONS[mime] ?? ".bin");
}
