import { open } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import type { MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { MediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import type { BotApi } from "../api/client.ts";
import { contentsIn, fetchFile, type Patience, Unreached } from "../../kit/files/fetch-file.ts";
import { ownFile } from "../../kit/files/own-files.ts";
import { meaningOf } from "../api/errors.ts";
import { TELEGRAM } from "../api/limits.ts";
import type { Sender } from "../api/telegraf-sender.ts";

/** How many links are asked for: one may be missing, and one may have expired. */
const LINKS = 3;

/** Where files are. */
export interface MediaPlaces {
  readonly api: BotApi;
  readonly sender: Sender;
  /** Of those that were made here. */
  readonly files: MediaFiles;
}

/**
 * Opens a file that a person sent, or that was made here. Telegram's links last an hour, so that each opening
 * asks for a new one.
 * @param patience how long it is tried where Telegram's file server fails
 * @throws ReelayError `media_gone`, `media_too_large`; `media_unreached` where trying again may help
 */
export async function openMedia(
  { api, sender, files }: MediaPlaces,
  { id }: MediaRef,
  patience?: Patience,
): Promise<Readable> {
  const own = ownFile(id);
  if (own !== undefined) return files.open(own);
  return fetchFile((signal) => openTheirs(api, sender, id, signal), patience);
}

async function openTheirs(
  api: BotApi,
  sender: Sender,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  for (let asked = 1; ; asked++) {
    const path = await pathOf(sender, id);
    // A local server started with --local gives a path of the machine that it shares with us.
    if (path !== undefined && isAbsolute(path)) return openLocal(path);
    const found = path === undefined ? undefined : await download(api, path, signal);
    if (found) return found;
    if (asked === LINKS) throw new ReelayError("media_gone");
  }
}

/** @returns undefined where Telegram gives no path (File, `file_path`: optional) */
async function pathOf(sender: Sender, id: string): Promise<string | undefined> {
  try {
    const { file_path: path } = await sender.call("getFile", { file_id: id });
    return path;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === "file_too_large")
      throw new ReelayError("media_too_large", { max: TELEGRAM.download }, { cause: error });
    // It was tried again and again already.
    if (meaning === "down" || meaning === "flood")
      throw new ReelayError("media_unreached", {}, { cause: error });
    if (meaning !== "file_gone") throw error;
  }
  throw new ReelayError("media_gone");
}

async function openLocal(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path).catch((cause: unknown) => {
    throw new ReelayError("media_gone", {}, { cause });
  });
  return file.createReadStream() as AsyncIterable<Buffer>;
}

/** @returns undefined where there is nothing behind that link */
async function download(
  api: BotApi,
  path: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const answer = await api.download(path, signal).catch((cause: unknown) => {
    throw new Unreached("Telegram's file server did not answer", { cause });
  });
  return contentsIn(answer);
}
