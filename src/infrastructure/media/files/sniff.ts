/** What a picture file may be. */
export const PICTURE_KINDS = ["JPEG", "PNG", "WebP", "AVIF", "HEIC", "GIF"] as const;

/** What a sound file may be, and its MIME type; MP4 and Ogg may turn out to hold a video. */
const SOUND_TYPES: ReadonlyMap<string, string> = new Map([
  ["MP3", "audio/mpeg"],
  ["WAV", "audio/wav"],
  ["M4A", "audio/mp4"],
  ["MP4", "audio/mp4"],
  ["AAC", "audio/aac"],
  ["Ogg", "audio/ogg"],
]);

/** How many of a file's first bytes {@link sniff} looks at. */
export const SNIFF_BYTES = 64;

/** Kinds of files by their first bytes; names and announced types are never believed. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\xff\xd8\xff/, "JPEG"],
  [/^\x89PNG\r\n/, "PNG"],
  [/^GIF8[79]a/, "GIF"],
  [/^RIFF[^]{4}WEBP/, "WebP"],
  [/^RIFF[^]{4}WAVE/, "WAV"],
  [/^RIFF[^]{4}AVI /, "AVI"],
  // ISO media: the major brand, then a version, then compatible brands. AVIF may come under a general brand.
  [/^[^]{4}ftyp(avi[fs]|(mif1|msf1)[^]{4}([^]{4})*?avi[fs])/, "AVIF"],
  [/^[^]{4}ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)/, "HEIC"],
  [/^[^]{4}ftypM4[AB] /, "M4A"],
  [/^[^]{4}ftypqt /, "MOV"],
  [/^[^]{4}ftyp3g/, "3GP"],
  [/^[^]{4}ftyp/, "MP4"],
  [/^OggS/, "Ogg"],
  [/^fLaC/, "FLAC"],
  [/^[^]E\xdf\xa3/, "WebM"],
  // MPEG audio, behind a tag or at once. Layer I is left out: a text in UTF-16 begins like that.
  [/^(ID3|\xff[\xe2-\xe5\xf2-\xf5\xfa-\xfd])/, "MP3"],
  // The same with layer 0: AAC in ADTS frames.
  [/^\xff[\xf0\xf1\xf8\xf9]/, "AAC"],
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

/** Whether pictures of this kind can be read. */
export function isPicture(kind: string): boolean {
  return PICTURE_KINDS.some((known) => known === kind);
}

/** The MIME type of a kind of pictures; undefined for every other kind. */
export function pictureTypeOf(kind: string): string | undefined {
  return isPicture(kind) ? `image/${kind.toLowerCase()}` : undefined;
}

/** The MIME type of a kind of sounds; undefined for every other kind. */
export function soundTypeOf(kind: string): string | undefined {
  return SOUND_TYPES.get(kind);
}

/** The kinds of sounds that have one of these MIME types. */
export function kindsOfSounds(types: readonly string[]): string[] {
  return [...SOUND_TYPES].filter(([, type]) => types.includes(type)).map(([kind]) => kind);
}
