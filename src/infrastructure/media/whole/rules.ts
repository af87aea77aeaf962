import { sniff, SNIFF_BYTES } from "../files/sniff.ts";
import { isoMedia } from "./iso.ts";
import { matroska } from "./matroska.ts";
import { gif, jpeg, png, riff } from "./pictures.ts";
import { NotWhole, type FormatRules } from "./reading.ts";

type Kind = "video" | "image";

/** What is known of a kind of files by {@link sniff}. */
interface Format {
  readonly type: string;
  /** What a result of this kind may be; what moves may be either. */
  readonly is: readonly Kind[];
  readonly rules: (kind: Kind) => FormatRules;
}

/** How a file that nothing is known of is whole: it is there. */
function* anything(): FormatRules {
  yield { skip: Infinity, orEnd: true };
}

const BOTH = ["video", "image"] as const;

const FORMATS: Readonly<Record<string, Format>> = {
  MP4: { type: "video/mp4", is: ["video"], rules: isoMedia },
  MOV: { type: "video/quicktime", is: ["video"], rules: isoMedia },
  "3GP": { type: "video/3gpp", is: ["video"], rules: isoMedia },
  WebM: { type: "video/webm", is: ["video"], rules: matroska },
  AVI: { type: "video/x-msvideo", is: ["video"], rules: riff },
  Ogg: { type: "video/ogg", is: ["video"], rules: anything },
  AVIF: { type: "image/avif", is: BOTH, rules: isoMedia },
  HEIC: { type: "image/heic", is: BOTH, rules: isoMedia },
  WebP: { type: "image/webp", is: BOTH, rules: riff },
  GIF: { type: "image/gif", is: BOTH, rules: gif },
  PNG: { type: "image/png", is: BOTH, rules: png },
  JPEG: { type: "image/jpeg", is: ["image"], rules: jpeg },
  TIFF: { type: "image/tiff", is: ["image"], rules: anything },
  BMP: { type: "image/bmp", is: ["image"], rules: anything },
};

/** What neither a video nor a picture begins with: gzip, ZIP, PDF, and the marks of UTF-16. */
const NEVER = ["1f8b", "504b0304", "255044462d", "feff", "fffe"].map((hex) => Buffer.from(hex, "hex"));

/** Types under which pages and messages come; a file may come under any other. */
const PAGES = /^(text\/|application\/([\w.+-]*json|[\w.+-]*xml)\b)/i;

/** What a file is by its first bytes. */
export interface Recognised {
  /** Its MIME type; what its sender announced, where its bytes do not tell. */
  readonly type: string;
  /** How it is whole. */
  readonly rules: () => FormatRules;
}

/** Nothing that can be shown is smaller. */
const LEAST_BYTES = 24;

/** How many of a file's first bytes {@link recognise} looks at. */
export const HEAD_BYTES = 512;

/**
 * Whether a file can be what was to be made, by its first bytes. Which formats the service sends is not documented, so all that
 * are known are taken, and nothing else: what nobody can show is no result.
 * @param announced its type, as its sender calls it
 * @throws NotWhole for a page, a message, nothing at all, or another kind of file
 */
export function recognise(head: Buffer, kind: Kind, announced: string): Recognised {
  if (head.length < LEAST_BYTES) throw new NotWhole(`It has ${head.length} bytes.`);
  const start = head.subarray(0, SNIFF_BYTES).toString("latin1");
  if (isText(head) || NEVER.some((magic) => head.subarray(0, magic.length).equals(magic)))
    throw new NotWhole("It is a page or a message.");
  const found = sniff(head) ?? olderQuickTime(start);
  const format = found === undefined ? undefined : FORMATS[found];
  if (format) {
    if (!format.is.includes(kind)) throw new NotWhole(`It is of the kind ${found}.`);
    return { type: format.type, rules: () => format.rules(kind) };
  }
  if (PAGES.test(announced) || found !== undefined) throw new NotWhole("It is something else.");
  const other = OTHERS.find(({ begins }) => begins.test(head.toString("hex")));
  if (!other?.is.includes(kind)) throw new NotWhole("It is no video or picture that is known.");
  return { type: other.type, rules: anything };
}

/** Formats that players show and {@link sniff} does not tell, by how they begin in hex. */
const OTHERS: readonly (Omit<Format, "rules"> & { readonly begins: RegExp })[] = [
  // MPEG's transport stream, in packets of 188 bytes or with a time before each; its program stream.
  { begins: /^47.{374}47|^.{8}47.{382}47/, type: "video/mp2t", is: ["video"] },
  { begins: /^000001b[a3]/, type: "video/mpeg", is: ["video"] },
  // Flash video; ASF; JPEG XL, bare or in boxes; JPEG 2000, likewise.
  { begins: /^464c5601/, type: "video/x-flv", is: ["video"] },
  { begins: /^3026b2758e66cf11/, type: "video/x-ms-wmv", is: ["video"] },
  { begins: /^ff0a|^0000000c4a584c20/, type: "image/jxl", is: ["image"] },
  { begins: /^0000000c6a502020|^ff4fff51/, type: "image/jp2", is: ["image"] },
];

/** Before there was a box to begin with. */
function olderQuickTime(start: string): string | undefined {
  return /^[^]{4}(moov|mdat|wide|free|skip|pnot)/.test(start) ? "MOV" : undefined;
}

/** Whether everything in it can be read as text. */
function isText(head: Buffer): boolean {
  if (head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
