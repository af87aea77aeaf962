import { rename } from "node:fs/promises";
import type { PictureTask } from "./task.ts";

/**
 * Draws a picture and stores it whole or not at all.
 * @param path where to; its extension says in which format
 */
export async function renderPicture(task: PictureTask, path: string): Promise<void> {
  const picture = await task.draw();
  const partial = `${path}.part`;
  await (path.endsWith(".png") ? picture.png() : picture.jpeg({ quality: 92 })).toFile(partial);
  await rename(partial, path);
}
