import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { MediaApi } from "../../src/infrastructure/api/media-api.ts";

/** Ways of sending a picture as base64 in JSON. */
const WAYS = {
  streamed: async (baseUrl: string, path: string) => {
    const api = new MediaApi({ baseUrl, key: "key" });
    const { size: bytes } = await stat(path);
    await api.generateVideo({ image_base64: { bytes, open: () => createReadStream(path) }, prompt: "zoom" });
    await api.close();
  },
  whole: async (baseUrl: string, path: string) => {
    const image_base64 = (await readFile(path)).toString("base64");
    const headers = { "content-type": "application/json", "x-api-key": "key" };
    const body = JSON.stringify({ image_base64, prompt: "zoom" });
    await (await fetch(`${baseUrl}/generate/video`, { method: "POST", headers, body })).text();
  },
};

/** How the process sends. */
export type Way = keyof typeof WAYS;

/** What the process is told, as JSON in its first argument. */
export interface UploadTask {
  readonly way: Way;
  readonly baseUrl: string;
  /** Sent first and not measured: it loads what sending needs. */
  readonly small: string;
  readonly large: string;
}

const { way, baseUrl, small, large }: UploadTask = JSON.parse(process.argv[2] ?? "");
await WAYS[way](baseUrl, small);
const before = process.memoryUsage.rss();
let peak = before;
const note = () => (peak = Math.max(peak, process.memoryUsage.rss()));
// The system's own high-water mark begins with that of the process that forked this one.
const watching = setInterval(note, 1);
await WAYS[way](baseUrl, large);
clearInterval(watching);
note();
process.send?.(peak - before);
process.disconnect();
