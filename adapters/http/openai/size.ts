import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { Json } from "../../../src/common/json.ts";
import type { Values } from "../../../src/seam/values.ts";

/** Ratios for which `720p` and the like name pixels that everybody counts alike. */
const RATIOS = [
  ["16:9", 16 / 9],
  ["9:16", 9 / 16],
] as const;

type Sides = readonly [width: number, height: number];

/** A film's size by its name, such as `720p`, and its ratio; undefined where that makes no whole pixels. */
function pixelsOf(size: string, ratio: number): Sides | undefined {
  const short = Number(/^(\d+)p$/.exec(size)?.[1]);
  const long = Math.round(short * Math.max(ratio, 1 / ratio) * 1e6) / 1e6;
  if (!Number.isInteger(long)) return undefined;
  return ratio > 1 ? [long, short] : [short, long];
}

const written = ([width, height]: Sides) => `${width}x${height}`;

/** The sizes that an operation has names for, each with what its fields say then. */
function named(fields: readonly FieldSpec[]): readonly (readonly [string, Record<string, Json>])[] {
  const sizes = fields.find(({ name }) => name === "size")?.choices ?? [];
  const ratios = fields.find(({ name }) => name === "aspect_ratio")?.choices ?? [];
  return sizes.flatMap(({ value: size }) =>
    RATIOS.flatMap(([aspect_ratio, ratio]) => {
      const pixels = ratios.some(({ value }) => value === aspect_ratio) && pixelsOf(String(size), ratio);
      return pixels ? [[written(pixels), { size, aspect_ratio }] as const] : [];
    }),
  );
}

/**
 * What an operation's fields say for a size of OpenAI's.
 * @returns what would fit, in words, where this does not: no size is taken for another
 */
export function sizeInput(
  fields: readonly FieldSpec[],
  size: string,
): Readonly<Record<string, Json>> | string {
  const has = (name: string) => fields.find((field) => field.name === name);
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  const own = has("size");
  if (own && (!own.choices || own.choices.some(({ value }) => value === size))) return { size };
  const known = named(fields);
  const found = known.find(([pixels]) => pixels === size);
  if (found) return found[1];
  if (known.length > 0) return ["auto", ...known.map(([pixels]) => pixels)].join(", ");
  if (!has("width") || !has("height")) return "auto";
  if (width === undefined || height === undefined) return "auto, 1024x1024";
  return { width: Number(width), height: Number(height) };
}

/** The size that a job was asked for with; `auto` where its picture or the service decides. */
export function sizeOf(fields: readonly FieldSpec[], { width, height, size, aspect_ratio }: Values): string {
  if (typeof width === "number" && typeof height === "number") return written([width, height]);
  const found = named(fields).find(
    ([, said]) => said["size"] === size && said["aspect_ratio"] === aspect_ratio,
  );
  return found?.[0] ?? "auto";
}
