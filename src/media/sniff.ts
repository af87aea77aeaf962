/** What a picture file may be. */
export type PictureType = "JPEG" | "PNG" | "WebP" | "AVIF" | "GIF";

/** How many of a file's first bytes {@link sniff} looks at. */
export const SNIFF_BYTES = 64;

/** Kinds of files by their first bytes; names and announced types are never believed. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\xff\xd8\xff/, "JPEG"],
  [/^\x89PNG\r\n/, "PNG"],
  [/^GIF8[79]a/, "GIF"],
  [/^RIFF[^]{4}WEBP/, "WebP"],
  // ISO media: the major brand, then a version, then compatible brands. AVIF may come under a general brand.
  [/^[^]{4}ftyp(avi[fs]|(mif1|msf1)[^]{4}([^]{4})*?avi[fs])/, "AVIF"],
  [/^[^]{4}ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)/, "HEIC"],
  [/^[^]{4}ftyp/, "MP4"],
  [/^(II\*|MM[^]\*)/, "TIFF"],
  [/^BM/, "BMP"],
  [/^%PDF-/, "PDF"],
  [/^\s*<(\?xml|!doctype svg|svg)/i, "SVG"],
];

/** The kind of a file by its first bytes; undefined where they say nothing. */
export function sniff(head: Buffer): string | undefined {
  const text = head.subarray(0, SNIFF_BYTES).toString("latin1");
  return SIGNATURES.find(([signature]) => signature.test(text))?.[1];
}

const PICTURES: ReadonlySet<string> = new Set<PictureType>(["JPEG", "PNG", "WebP", "AVIF", "GIF"]);

/** Whether pictures of this kind can be read. */
export function isPictureType(kind: string): kind is PictureType {
  return PICTURES.has(kind);
}
