import { EXPORT_VERSION, type ExportHead, type ExportLists, type PersonExport } from "./export-format.ts";

const LISTS = ["jobs", "audit", "reports"] as const satisfies (keyof ExportLists)[];

/** One entry of one of the lists. */
export type ExportEntry = {
  [List in keyof ExportLists]: readonly [List, ExportLists[List][number]];
}[keyof ExportLists];

/** What stands around the lists: their names, brackets and commas. */
const FRAME_BYTES = 200;

/**
 * Writes an export as files, each of them JSON by itself (`PersonExport`), one after the other: no more than one is in
 * memory.
 * @param entries in any order; each list keeps its own
 * @param maxBytes of one file; only one entry that is larger by itself exceeds it
 */
export async function* exportParts(
  head: ExportHead,
  entries: AsyncIterable<ExportEntry>,
  maxBytes: number,
): AsyncGenerator<string> {
  let part = 1;
  let lists = emptyLists();
  const frameOf = (more: boolean) => {
    const format = { format: "reelay-export", version: EXPORT_VERSION, part, more } as const;
    return { ...format, ...(part === 1 && head) } satisfies Partial<PersonExport>;
  };
  const sizeOfFrame = () => Buffer.byteLength(JSON.stringify(frameOf(true))) + FRAME_BYTES;
  let bytes = sizeOfFrame();
  let empty = true;
  for await (const [list, entry] of entries) {
    const text = JSON.stringify(entry);
    const size = Buffer.byteLength(text) + 2;
    if (!empty && bytes + size > maxBytes) {
      yield written(frameOf(true), lists);
      part += 1;
      lists = emptyLists();
      bytes = sizeOfFrame();
    }
    lists[list].push(text);
    bytes += size;
    empty = false;
  }
  yield written(frameOf(false), lists);
}

type Lists = Record<keyof ExportLists, string[]>;

const emptyLists = (): Lists => ({ jobs: [], audit: [], reports: [] });

/** An entry a line: people open it in an editor. */
function written(frame: object, lists: Lists): string {
  const head = JSON.stringify(frame).slice(0, -1);
  return `${[head, ...LISTS.map((list) => `"${list}":[\n${lists[list].join(",\n")}\n]`)].join(",\n")}}\n`;
}
