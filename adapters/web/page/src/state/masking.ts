import { useEffect, useRef, useState } from "preact/hooks";
import type { MediaRef } from "../../../../../src/seam/values.ts";
import { mediaUrl } from "./api.ts";
import { markFrom, paintAll, resize, shareOf, type Mark, type CanvasSize } from "../form/paint.ts";

/** More is not seen on a screen, and would only make painting slow. */
const SHOWN_PIXELS = 2 ** 20;

/** What was marked in a picture. */
interface Marking {
  readonly marks: readonly Mark[];
  /** The mask that was made of it, or that it began with. */
  readonly mask: string | undefined;
  /** Whether it went on after that. */
  readonly unfinished: boolean;
}

/** By picture, as long as the page is open: closing a dialog or making something else loses no painting. */
const markings = new Map<string, Marking>();

/** What was marked in a picture, unless it has another mask by now. */
export function markingOf(picture: string, mask: string | undefined): Marking | undefined {
  const marking = markings.get(picture);
  return mask === undefined || marking?.mask === mask ? marking : undefined;
}

/** Keeps what is marked as the mask that was made of it. */
export function finish(picture: string, marks: readonly Mark[], mask: string): void {
  markings.set(picture, { marks, mask, unfinished: false });
}

/** What an earlier mask marks; nothing where it cannot be read any more. */
async function read({ id }: MediaRef): Promise<readonly Mark[]> {
  try {
    const file = await (await fetch(mediaUrl(id))).blob();
    return [markFrom(await createImageBitmap(file))];
  } catch {
    return [];
  }
}

/**
 * Marks in a picture and their canvas.
 * @param mask what they begin with, unless the picture was marked before
 */
export function useMarking(picture: MediaRef, mask: MediaRef | undefined) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<CanvasSize>();
  const [share, setShare] = useState(0);
  const [marks, setMarks] = useState<readonly Mark[]>(() => markingOf(picture.id, mask?.id)?.marks ?? []);

  function change(next: readonly Mark[]) {
    setMarks(next);
    markings.set(picture.id, { marks: next, mask: mask?.id, unfinished: true });
  }

  /** Marks what another mask marks, instead of everything before. */
  async function addImage(file: Blob) {
    const mark = markFrom(await createImageBitmap(file));
    change([...marks, mark]);
  }

  useEffect(() => {
    if (!mask || marks.length > 0) return;
    // What is painted while it is read comes over it.
    void read(mask).then((earlier) => setMarks((current) => [...earlier, ...current]));
  }, []);
  useEffect(() => {
    if (!canvas.current || !size) return;
    resize(canvas.current, size, SHOWN_PIXELS);
    paintAll(canvas.current, size, marks);
    setShare(shareOf(canvas.current));
  }, [size, marks]);

  return {
    canvas,
    size,
    setSize,
    share,
    marks,
    addImage,
    add: (mark: Mark) => change([...marks, mark]),
    undo: () => change(marks.slice(0, -1)),
  };
}
