import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { ResultMedia } from "../../../src/infrastructure/media/files/result-media.ts";
import {
  type DownloadOptions,
  type ResultFile,
  withResultFile,
} from "../../../src/infrastructure/media/files/result-file.ts";
import { shareResult } from "../../../src/infrastructure/media/files/share.ts";
import { smallerPicture, smallerVideo } from "../../../src/infrastructure/media/video/smaller.ts";

/** A finished file on our disk, and what it is. */
export type FinishedFile = ResultFile & Pick<ResultMedia, "kind">;

/** A smaller one of a file. */
export interface SmallerForm {
  readonly as: "smaller";
  readonly file: ResultFile;
  readonly original: {
    readonly bytes: number;
    /** Its address on our own server; undefined where people cannot reach that. */
    readonly url: string | undefined;
  };
}

/** What a file is posted as: itself, a smaller one of it, or its address on our own server. */
type Form =
  | { readonly as: "whole"; readonly file: ResultFile }
  | SmallerForm
  | { readonly as: "link"; readonly url: string };

/** What is to be known of one, its file aside. */
type Noted<F = Form> = F extends Form ? Omit<F, "file"> : never;

interface FormOptions {
  readonly host: Pick<SurfaceHost, "config" | "files" | "links">;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The best form of a file that fits.
 * @returns undefined where none does
 * @throws the signal's reason
 */
export async function bestForm(
  file: FinishedFile,
  { host, maxBytes, signal }: FormOptions,
): Promise<Form | undefined> {
  if (file.bytes <= maxBytes) return { as: "whole", file };
  const smaller = await smallerForm(file, { host, maxBytes, signal });
  if (smaller) return smaller;
  const url = await shareResult(host, file);
  return url === undefined ? undefined : { as: "link", url };
}

/**
 * A smaller one of a file that fits, with the way to the original.
 * @returns undefined where it cannot be made to fit
 * @throws the signal's reason
 */
export async function smallerForm(
  file: FinishedFile,
  { host, maxBytes, signal }: FormOptions,
): Promise<SmallerForm | undefined> {
  const smaller = await (file.kind === "video"
    ? smallerVideo(file, { maxBytes, ffmpeg: host.config.ffmpeg, signal })
    : smallerPicture(file, maxBytes));
  if (!smaller) return undefined;
  return {
    as: "smaller",
    file: smaller,
    original: { bytes: file.bytes, url: await shareResult(host, file) },
  };
}

/**
 * Tries one way to post after the other until the platform takes one.
 * @param isRefusal whether an error means that it does not take that way, and not that it cannot be reached
 * @returns undefined when it takes none
 */
export async function firstTaken<T>(
  ways: readonly (() => Promise<T | undefined>)[],
  isRefusal: (error: unknown) => boolean,
): Promise<T | undefined> {
  for (const way of ways) {
    try {
      const taken = await way();
      if (taken !== undefined) return taken;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return undefined;
}

/** Has all files of a result on the disk at once for as long as they are used. */
export async function withResultFiles<T>(
  [first, ...others]: readonly ResultMedia[],
  download: DownloadOptions,
  use: (files: readonly FinishedFile[]) => Promise<T>,
): Promise<T> {
  if (!first) return use([]);
  return withResultFile(first, download, (file) =>
    withResultFiles(others, download, (rest) => use([{ ...file, kind: first.kind }, ...rest])),
  );
}

/** What is said beside a file that is not posted as it is. */
export interface FormNote {
  readonly text: string;
  /** Where it leads to; undefined for what leads nowhere. */
  readonly url: string | undefined;
}

/**
 * What is to be said of the form that a file is posted in: that it is smaller than it was made, and where the original is.
 * @param platform its name as people write it
 */
export function notesOf(say: Translate, form: Noted, platform: string): readonly FormNote[] {
  if (form.as === "whole") return [];
  if (form.as === "link") return [{ text: say("view.link"), url: form.url }];
  const { bytes, url } = form.original;
  return [
    { text: say("view.smaller", { platform }), url: undefined },
    { text: say(url === undefined ? "view.original.size" : "view.original", { bytes }), url },
  ];
}

/**
 * A link to a finished file on our own server, below what is said of it.
 * @returns undefined where people cannot reach the server
 */
export async function linkTo(
  host: FormOptions["host"],
  file: ResultFile,
  said: string,
  say: Translate,
): Promise<{ readonly url: string; readonly text: string } | undefined> {
  const url = await shareResult(host, file);
  return url === undefined
    ? undefined
    : { url, text: [said, say("view.link"), url].filter(Boolean).join("\n") };
}
