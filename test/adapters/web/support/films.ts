import type { StoredMedia } from "../../../../adapters/web/wire.ts";
import { history } from "./client.ts";
import type { Site } from "./site.ts";

/**
 * Fills a conversation with a film and as many more, all of them made long ago.
 * @returns the files of each
 */
export async function tellFilms({ core, memory, url }: Site, count: number): Promise<readonly StoredMedia[]> {
  const createdAt = Date.UTC(2020, 0, 1);
  await core.deliverResult({ id: "job-1", operation: "video", values: { prompt: "number 1" }, createdAt });
  const [first] = await history(url);
  if (first?.body.kind !== "result") throw new Error("There is no result.");
  const { job, media } = first.body;
  for (let number = 1; number <= count; number++) {
    const body = { ...first.body, job: { ...job, values: { prompt: `film ${number}` } } };
    const message = { ...first, id: `film-${number}`, at: first.at + number, body };
    await memory.set(`message:${message.id}`, message);
  }
  return media;
}
