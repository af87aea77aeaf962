import { type Classify, SIDE } from "./model.ts";
import { pathToFileURL } from "node:url";
import { openPicture, type PictureFile } from "./picture.ts";

/** A picture, and what tells what it shows. */
export interface ClassifyOrder {
  readonly picture: PictureFile;
  /** Path of a module of the operator's own with a `load` as in `nsfw.ts`; undefined: that one. */
  readonly module?: string | undefined;
}

/** One for each module: it takes a moment to load, and stays. */
const loaded = new Map<string | undefined, Promise<Classify>>();

/**
 * Tells what a picture shows.
 * @throws ReelayError as `openPicture`; anything else for what cannot be read, or a module that cannot be loaded
 */
export async function classify({
  picture,
  module,
}: ClassifyOrder): Promise<Readonly<Record<string, number>>> {
  const read = await openPicture(picture);
  const pixels = await read()
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .resize(SIDE, SIDE, { fit: "fill" })
    .raw()
    .toBuffer();
  const loading = loaded.get(module) ?? load(module);
  loaded.set(module, loading);
  return (await loading)(pixels);
}

async function load(module: string | undefined): Promise<Classify> {
  // Large, and wanted by few.
  if (module === undefined) return (await import("./nsfw.ts")).load();
  const own = (await import(pathToFileURL(module).href)) as { readonly load: () => Promise<Classify> };
  return own.load();
}
