import { createHash } from "node:crypto";
import { readFile, unlink } from "node:fs/promises";
import { Remembered } from "../remembered.ts";
import { lookOf } from "./look.ts";

/** What a frame of a film is recognised by. */
export interface FramePrint {
  /** SHA-256 of its file, in hex. */
  readonly digest: string;
  /** See `lookOf`; null as well where it could not be looked at. */
  readonly look: string | null;
  /** Why it could not be. */
  readonly failure?: string;
}

/** Frames that were written as PNG, and whether they stay. */
export interface FramesOrder {
  readonly paths: readonly string[];
  readonly keep: boolean;
}

/** A result that did not arrive is fetched again, and has the same frames. */
const looks = new Remembered<string | null>();

/** What frames are recognised by, of one film at once: each request costs whoever asks. Null for one that is missing, or empty. */
export async function framePrints({ paths, keep }: FramesOrder): Promise<(FramePrint | null)[]> {
  const prints: (FramePrint | null)[] = [];
  for (const path of paths) {
    const content = await readFile(path).catch(() => undefined);
    prints.push(content?.length ? await printOf(path, content) : null);
    if (content && !keep) await unlink(path);
  }
  return prints;
}

async function printOf(path: string, content: Buffer): Promise<FramePrint> {
  const digest = createHash("sha256").update(content).digest("hex");
  try {
    return { digest, look: await looks.of(digest, () => lookOf({ path, kind: "PNG" })) };
  } catch (error) {
    return { digest, look: null, failure: String(error) };
  }
}
