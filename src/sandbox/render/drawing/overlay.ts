import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp from "sharp";
import type { Finish } from "./looks.ts";

const FONT = join(
  dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")),
  "ttf/DejaVuSans.ttf",
);
const MAX_CAPTION = 42;
/** Below this many pixels nobody can read a line. */
const MIN_LINE = 6;

const FINISHES: Readonly<Record<Finish, (width: number, height: number) => string>> = {
  vignette: (width, height) =>
    `<defs><radialGradient id="v" r="0.75"><stop offset="0.55" stop-opacity="0"/><stop offset="1" stop-opacity="0.7"/></radialGradient></defs>
     <rect width="${width}" height="${height}" fill="url(#v)"/>`,
  letterbox: (width, height) => {
    const bar = Math.round(height * 0.09);
    return `<rect width="${width}" height="${bar}"/><rect y="${height - bar}" width="${width}" height="${bar}"/>`;
  },
  border: (width, height) => {
    const edge = Math.round(Math.min(width, height) * 0.045);
    return `<path fill="#f7f2e7" fill-rule="evenodd" d="M0,0H${width}V${height}H0Z M${edge},${edge}V${height - edge * 2.4}H${width - edge}V${edge}Z"/>`;
  },
};

/** What lies still over a picture: the finish, and the caption in the lower left corner where it has room. */
export async function drawOverlay(
  width: number,
  height: number,
  caption: string,
  finish: Finish | undefined,
): Promise<Buffer> {
  const drawing = finish ? FINISHES[finish](width, height) : "";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawing}</svg>`;
  const margin = Math.round(Math.min(width, height) * 0.03);
  const label = await drawCaption(caption, width - 2 * margin, height - 2 * margin);
  const { height: labelHeight = 0 } = label ? await sharp(label).metadata() : {};
  return sharp(Buffer.from(svg))
    .composite(label ? [{ input: label, left: margin, top: height - margin - labelHeight }] : [])
    .png()
    .toBuffer();
}

/** The caption on a dark, see-through box; undefined when nothing of it can be written. */
async function drawCaption(
  caption: string,
  maxWidth: number,
  maxHeight: number,
): Promise<Buffer | undefined> {
  const line = shorten(caption);
  const pad = 8;
  const room = { width: maxWidth - 2 * pad, height: maxHeight - 2 * pad };
  if (line === "" || Math.min(room.width, room.height) < MIN_LINE) return undefined;
  const text = await sharp({
    text: {
      text: `<span foreground="white">${line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</span>`,
      font: "DejaVu Sans 18",
      fontfile: FONT,
      dpi: 72,
      rgba: true,
    },
  })
    .png()
    .toBuffer();
  const { data, info } = await sharp(text)
    .resize({ ...room, fit: "inside", withoutEnlargement: true })
    .toBuffer({ resolveWithObject: true });
  const box = { width: info.width + 2 * pad, height: info.height + 2 * pad };
  return sharp({ create: { ...box, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } })
    .composite([{ input: data }])
    .png()
    .toBuffer();
}

/** One line without what the font cannot draw (pictographs, control characters), cut with an ellipsis. */
function shorten(caption: string): string {
  const line = caption
    .replaceAll(/[\p{Extended_Pictographic}\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const letters = Array.from(line);
  return letters.length > MAX_CAPTION
    ? `${letters
        .slice(0, MAX_CAPTION - 1)
        .join("")
        .trimEnd()}…`
    : line;
}
