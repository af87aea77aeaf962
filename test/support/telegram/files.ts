import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileTrouble } from "../file-trouble.ts";
import type { Clock } from "./clock.ts";
import type { TelegramLiberties } from "./liberties.ts";
import type { TelegramLimits } from "./limits.ts";
import { badRequest } from "./refusal.ts";
import type { FileFields, MediaFile } from "./wire.ts";

/** What Telegram calls the kinds of files in its errors. */
export type FileKind =
  | "photo"
  | "video"
  | "animation"
  | "document"
  | "audio"
  | "voice"
  | "sticker"
  | "video_note"
  | "thumbnail";

/** What messages tell of a file: its name, size in pixels, length. */
export type FileDetails = Omit<MediaFile, keyof FileFields>;

/** A file on the fake's servers. */
export interface StoredFile<D extends FileDetails = FileDetails> {
  readonly kind: FileKind;
  readonly bytes: Buffer;
  readonly details: D;
  /** As sendVideo said: no message tells it. */
  readonly supportsStreaming?: boolean;
}

interface Entry extends StoredFile {
  readonly fields: FileFields;
  readonly path: string;
  expired: boolean;
  linkUntil: number;
  asked: number;
}

const FOLDERS: Readonly<Record<FileKind, string>> = {
  photo: "photos/file.jpg",
  video: "videos/file.mp4",
  animation: "animations/file.mp4",
  document: "documents/file",
  audio: "music/file.mp3",
  voice: "voice/file.oga",
  sticker: "stickers/file.webp",
  video_note: "video_notes/file.mp4",
  thumbnail: "thumbnails/file.jpg",
};

/** Every file that people and the bot sent. */
export class Files {
  /** What strikes when files are fetched. */
  readonly trouble = new FileTrouble();
  readonly #clock: Clock;
  readonly #limits: TelegramLimits;
  readonly #liberties: TelegramLiberties;
  readonly #local: boolean;
  readonly #keepBytes: boolean;
  readonly #byId = new Map<string, Entry>();
  readonly #byPath = new Map<string, Entry>();
  readonly #unique = new WeakMap<Buffer, string>();
  #folder: string | undefined;

  /**
   * @param local whether this is a local Bot API server: no limit to downloads, and paths on the disk
   * @param keepUploads whether the bytes of what the bot sends are kept
   */
  constructor(
    clock: Clock,
    limits: TelegramLimits,
    local: boolean,
    keepUploads: boolean,
    liberties: TelegramLiberties,
  ) {
    this.#clock = clock;
    this.#liberties = liberties;
    this.#limits = limits;
    this.#local = local;
    this.#keepBytes = keepUploads;
  }

  /** Takes in a person's file. Returns how messages tell of it. */
  add<D extends FileDetails>(file: StoredFile<D>): FileFields & D {
    const number = this.#byId.size + 1;
    const unique = this.#unique.get(file.bytes) ?? `AQAD${number}`;
    this.#unique.set(file.bytes, unique);
    const fields = {
      file_id: `AgACAgIAAxkBAA-${randomUUID()}`,
      file_unique_id: unique,
      file_size: file.bytes.length,
    };
    const path = FOLDERS[file.kind].replace("file", `file_${number}`);
    const entry = { ...file, fields, path, expired: false, linkUntil: 0, asked: 0 };
    this.#byId.set(fields.file_id, entry);
    this.#byPath.set(path, entry);
    return { ...file.details, ...fields };
  }

  /** Takes in a file of the bot's; without its bytes, if none are to be kept. */
  addUpload<D extends FileDetails>(file: StoredFile<D>): FileFields & D {
    const added = this.add(this.#keepBytes ? file : { ...file, bytes: Buffer.alloc(0) });
    return { ...added, file_size: file.bytes.length };
  }

  /** A file that is known to be there, even if it expired for the bot. */
  stored(fileId: string): StoredFile {
    const entry = this.#byId.get(fileId);
    if (!entry) throw new Error(`There is no file ${fileId}.`);
    return entry;
  }

  /**
   * A file that the bot names by its id.
   * @throws Refusal when there is none
   */
  find(fileId: string): StoredFile & { readonly fields: FileFields } {
    const entry = this.#byId.get(fileId);
    if (!entry || entry.expired) throw badRequest("wrong file identifier/HTTP URL specified");
    return entry;
  }

  /**
   * Answers getFile.
   * @throws Refusal for an unknown or expired file, and for one too large to be fetched
   */
  link(fileId: string): FileFields & { readonly file_path?: string } {
    const entry = this.#byId.get(fileId);
    if (!entry || entry.expired) throw badRequest("wrong file_id or the file is temporarily unavailable");
    if (this.#local) return { ...entry.fields, file_path: this.#onDisk(entry) };
    if (entry.bytes.length > this.#limits.downloadBytes) throw badRequest("file is too big");
    entry.asked += 1;
    const { filePath, firstLink } = this.#liberties;
    if (filePath === "later" && entry.asked === 1) return { ...entry.fields };
    const isExpired = firstLink === "expired" && entry.asked <= (filePath === "later" ? 2 : 1);
    entry.linkUntil = isExpired ? 0 : this.#clock.now() + this.#limits.linkMs;
    return { ...entry.fields, file_path: entry.path };
  }

  /** The bytes behind a link; nothing when it was never given out or has run out. */
  download(path: string): Buffer | undefined {
    const entry = this.#byPath.get(path);
    return entry && !entry.expired && this.#clock.now() < entry.linkUntil ? entry.bytes : undefined;
  }

  /** Makes a file unavailable for good. */
  expire(fileId: string): void {
    const entry = this.#byId.get(fileId);
    if (!entry) throw new Error(`There is no file ${fileId}.`);
    entry.expired = true;
  }

  /** Removes what a local server put on the disk. */
  clear(): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }

  #onDisk(entry: Entry): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), "fake-telegram-"));
    const path = join(this.#folder, entry.path.replace("/", "-"));
    writeFileSync(path, entry.bytes);
    return path;
  }
}
