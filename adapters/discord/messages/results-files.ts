import { readFile } from "node:fs/promises";
import type { ResultMedia } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import type { Translate } from "../../../src/i18n.ts";
import { type DownloadOptions, type ResultFile, withResultFile } from "../../../src/media/result-file.ts";
import { shareResult } from "../../../src/media/share.ts";
import { smallerPicture, smallerVideo } from "../../../src/media/smaller.ts";
import type { MessageBody } from "../api/api.ts";
import type { Services } from "../context/context.ts";
import { DISCORD } from "../api/limits.ts";

/** Room for everything in a request but its files, in bytes. */
const REQUEST_REST = 64 * 1024;

/** Clients cover a picture or a video whose name begins so; discord.js, too, knows no other way. */
const COVERED = "SPOILER_";

/** Discord takes a result in no form. */
export class TakesNoForm extends ReelayError {
  constructor() {
    super("undeliverable");
  }
}

/** A finished file on our disk, and what it is. */
export type Finished = ResultFile & Pick<ResultMedia, "kind">;

/** What a file comes to in a message: itself or a smaller one of it, and what is said of that; or a link alone. */
interface Form {
  readonly file?: ResultFile;
  /** As Discord formats it. */
  readonly note?: string;
  /** Where it is instead. */
  readonly link?: string;
}

/** What forms are made with. */
interface FormParts {
  readonly host: Services["host"];
  readonly say: Translate;
  /** Whether they come covered until somebody wants to see them. */
  readonly covered: boolean;
  /** Gives up what takes long. */
  readonly signal: AbortSignal | undefined;
}

/** Files as a message carries them, with what is to be said of them. */
interface Enclosed extends Pick<MessageBody, "files" | "attachments"> {
  readonly notes: readonly string[];
  /** Where those are that are not in the message. */
  readonly links: readonly string[];
}

/** Has all files of a result on the disk at once for as long as they are used: a message shows them together. */
export async function withFiles<T>(
  [first, ...others]: readonly ResultMedia[],
  download: DownloadOptions,
  use: (files: readonly Finished[]) => Promise<T>,
): Promise<T> {
  if (!first) return use([]);
  return withResultFile(first, download, (file) =>
    withFiles(others, download, (rest) => use([{ ...file, kind: first.kind }, ...rest])),
  );
}

/**
 * Files in the best form that fits: as they are, made smaller, or as links to our own server.
 * @param fileLimit bytes of one that are taken
 * @throws TakesNoForm; the signal's reason
 */
export async function enclose(
  parts: FormParts,
  files: readonly Finished[],
  fileLimit: number,
): Promise<Enclosed> {
  const share = Math.floor((DISCORD.request - REQUEST_REST) / Math.max(1, files.length));
  const forms: Form[] = [];
  for (const file of files) forms.push(await formOf(parts, file, Math.min(fileLimit, share)));
  const enclosed = forms.flatMap(({ file }) =>
    file && parts.covered ? { ...file, name: COVERED + file.name } : (file ?? []),
  );
  return {
    // discord.js takes no streams.
    files: await Promise.all(
      enclosed.map(async ({ name, type, path }) => ({ name, contentType: type, data: await readFile(path) })),
    ),
    // Those that are named here are all that the message has after it.
    attachments: enclosed.map(({ name: filename }, id) => ({ id: String(id), filename })),
    notes: [...new Set(forms.flatMap(({ note }) => note ?? []))],
    links: forms.flatMap(({ link }) => link ?? []),
  };
}

async function formOf(
  { host, say, covered, signal }: FormParts,
  file: Finished,
  limit: number,
): Promise<Form> {
  if (file.bytes <= limit) return { file };
  const bounds = { maxBytes: limit, ffmpeg: host.config.ffmpeg, signal };
  const smaller =
    file.kind === "video" ? await smallerVideo(file, bounds) : await smallerPicture(file, limit);
  if (smaller) return { file: smaller, note: say("view.smaller", { platform: "Discord" }) };
  const url = await shareResult(host, file);
  if (url === undefined) throw new TakesNoForm();
  const note = `[${say("view.link")}](${url})`;
  return { link: url, note: covered ? `||${note}||` : note };
}
