import { Readable } from "node:stream";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import type { View } from "../../src/seam/views.ts";
import type { Size } from "../../src/infrastructure/media/decoder/size.ts";
import { fileName } from "../../src/infrastructure/media/files/file-name.ts";
import type { ResultMedia } from "../../src/infrastructure/media/files/result-media.ts";
import { probeImage, probeVideo } from "../../src/infrastructure/media/video/probe.ts";
import type { Conversation } from "./conversation.ts";
import { shownType } from "./media.ts";
import { posterOf } from "./poster.ts";
import type { StoredMedia, StoredView, UploadedFile } from "./wire.ts";

/** The largest result that is kept in the data folder, in bytes. */
export const MAX_RESULT_BYTES = 2 ** 30;

/** What a file of a kind says of its size. */
const PROBES = { video: probeVideo, image: probeImage };

/**
 * Keeps what the page shows: the files of a view are stored before it is, so that none is ever missing.
 * @param stopped aborted when the surface stops
 */
export function createStore(host: Pick<SurfaceHost, "config" | "files" | "scratch">, stopped: AbortSignal) {
  async function store(conversation: Conversation, view: View): Promise<StoredView> {
    if (view.kind === "file") {
      const { name, type, content } = view.file;
      const source = Readable.from([Buffer.from(content)]);
      return { ...view, file: await storeFile(conversation, name, type, source) };
    }
    if (view.kind !== "result") return view;
    const media: StoredMedia[] = [];
    for (const made of view.media) media.push(await storeResult(conversation, made));
    return { ...view, media };
  }

  async function storeResult(conversation: Conversation, made: ResultMedia): Promise<StoredMedia> {
    const { type, stream } = await made.open(stopped);
    let size: Size | undefined;
    let poster: string | undefined;
    const file = await storeFile(conversation, fileName(made, type), type, stream, async (path) => {
      size = await PROBES[made.kind](path);
      if (made.kind === "video") poster = await storePoster(conversation, path);
    });
    return {
      kind: made.kind,
      ...file,
      ...(size && { size: { width: size.width, height: size.height } }),
      ...(poster !== undefined && { poster }),
    };
  }

  async function storePoster(conversation: Conversation, path: string): Promise<string | undefined> {
    const poster = await posterOf(host, path);
    return poster && (await storeFile(conversation, "poster.jpg", "image/jpeg", Readable.from([poster]))).id;
  }

  async function storeFile(
    conversation: Conversation,
    name: string,
    type: string,
    content: Readable,
    look?: (path: string) => Promise<void>,
  ): Promise<UploadedFile> {
    const { id, bytes } = await host.files.put(content, MAX_RESULT_BYTES, async (held, path) => {
      await Promise.all([conversation.hold(held), look?.(path)]);
    });
    await conversation.addMedia(id, shownType(type));
    return { id, name, bytes };
  }

  return { store, storeFile };
}
