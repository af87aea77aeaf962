import { existsSync } from "node:fs";
import type { MoveMark, Side } from "./side.ts";
import { SqliteSide } from "./sqlite-side.ts";

/**
 * Finishes a move that was cut off after its source had handed over, where that is the SQLite file of the settings.
 * @param openTarget opens the other side of it
 * @returns whether there was one
 */
export async function finishMoveTo(
  store: string,
  mark: MoveMark,
  openTarget: () => Promise<Side>,
): Promise<boolean> {
  const left = await markIn(store);
  if (mark.state !== "arriving" || left?.state !== "moved" || left.move !== mark.move) return false;
  const to = await openTarget();
  try {
    await takeOver(to);
    return true;
  } finally {
    await to.close();
  }
}

/** Has a side be in charge where everything has arrived. Its mark is read again: of several who finish one move, all do the same. */
export async function takeOver(to: Side): Promise<void> {
  await to.begin();
  const mark = await to.mark();
  if (mark?.state === "arriving") await to.setMark({ ...mark, state: "here" });
  await to.commit();
}

/** What the SQLite file at a path says of who is in charge; undefined where there is none. */
export async function markIn(store: string): Promise<MoveMark | undefined> {
  if (!existsSync(store)) return undefined;
  const side = new SqliteSide(store);
  try {
    return await side.mark();
  } finally {
    await side.close();
  }
}
