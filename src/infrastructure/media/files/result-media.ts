import type { Readable } from "node:stream";
import type { FileOnDisk } from "./files.ts";
import type { WrittenContent } from "./written.ts";

/** A finished file, opened as late as possible and streamed from the service to the platform. */
export interface ResultMedia {
  readonly kind: "video" | "image";
  /** A name to save it under, without an extension: its type is known once it is open (`fileName`). */
  readonly name: string;
  /** Opens the stream; may be called again after a failed delivery. */
  open(signal?: AbortSignal): Promise<MediaStream>;
  /** Looks once more at what has come of it, now that all of it is on our disk. @throws ReelayError `result_late` */
  check?(content: WrittenContent, type: string): Promise<void>;
  /** Where it lies on our disk, until it was shown; whoever keeps it for good may take it away instead of opening it. */
  readonly taken?: FileOnDisk & { readonly type: string };
}

/** A stream with what is known of it beforehand. */
interface MediaStream {
  readonly stream: Readable;
  readonly type: string;
  /** Undefined where the sender did not say. */
  readonly bytes?: number | undefined;
}
