import { createHash, createHmac, randomBytes } from "node:crypto";
import { FileTrouble } from "../file-trouble.ts";
import type { Clock } from "../telegram/clock.ts";
import { isPlayable } from "./film.ts";
import type { WhatsappLiberties } from "./liberties.ts";
import type { WhatsappLimits } from "./limits.ts";
import { noSuchObject, Refusal } from "./refusal.ts";

/** A file that is sent. */
export interface File {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly fileName?: string | undefined;
}

/** A file that WhatsApp keeps. */
export interface StoredFile extends File {
  readonly id: string;
  /** Of all of it, also where the bytes are not kept. */
  readonly size: number;
  readonly sha256: Buffer;
  readonly goneAt: number;
}

interface Entry extends StoredFile {
  isGone: boolean;
  asked: number;
}

/** How a message carries a file. */
export type FileKind = "image" | "video" | "audio" | "document" | "sticker";

/** reference/media, "type": what an upload may be. */
const TYPES: Readonly<Record<string, FileKind>> = {
  "image/jpeg": "image",
  "image/png": "image",
  "image/webp": "sticker",
  "video/mp4": "video",
  "video/3gpp": "video",
  "audio/aac": "audio",
  "audio/amr": "audio",
  "audio/mp4": "audio",
  "audio/mpeg": "audio",
  "audio/ogg": "audio",
  "audio/opus": "audio",
  "text/plain": "document",
  "application/pdf": "document",
  "application/msword": "document",
  "application/vnd.ms-excel": "document",
  "application/vnd.ms-powerpoint": "document",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "document",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "document",
};

const ANIMATION = Buffer.from("ANIM");

/** The beginning of each picture's file. */
const MAGIC: Readonly<Record<string, string>> = { "image/jpeg": "ffd8ff", "image/png": "89504e47" };

/** Every file that people and the business sent. */
export class Media {
  /** Known once the server listens. */
  url = "";
  /** What strikes when files are fetched. */
  readonly trouble = new FileTrouble();
  readonly #clock: Clock;
  readonly #limits: WhatsappLimits;
  readonly #liberties: WhatsappLiberties;
  readonly #looksInside: boolean;
  readonly #keepsUploads: boolean;
  readonly #secret = randomBytes(16);
  readonly #byId = new Map<string, Entry>();

  constructor(
    clock: Clock,
    limits: WhatsappLimits,
    liberties: WhatsappLiberties,
    { looksInside, keepsUploads }: { readonly looksInside: boolean; readonly keepsUploads: boolean },
  ) {
    this.#clock = clock;
    this.#limits = limits;
    this.#liberties = liberties;
    this.#looksInside = looksInside;
    this.#keepsUploads = keepsUploads;
  }

  /** Takes in a person's file. */
  add(file: File): StoredFile {
    return this.#add(file, this.#limits.receivedMs);
  }

  /**
   * Takes in a file of the business.
   * @throws Refusal for a type that is none of WhatsApp's, and for too large a file
   */
  upload(file: File): StoredFile {
    const kind = TYPES[file.mimeType];
    if (!kind)
      throw new Refusal(
        100,
        `Param file must be a file with one of the following types: ${Object.keys(TYPES).join(", ")}. Received file of type '${file.mimeType}'.`,
      );
    const { documentBytes } = this.#limits;
    const isFilmAsFile = kind === "video" && this.#liberties.largeFilm === "taken";
    if (file.bytes.length > (isFilmAsFile ? documentBytes : this.#mostBytes(kind, file)))
      throw new Refusal(100, `Param file is too large for ${file.mimeType}: ${file.bytes.length} bytes`);
    if (file.bytes.length === 0) throw new Refusal(100, "Param file must not be empty");
    const stored = this.#add(file, this.#limits.uploadMs);
    if (!this.#keepsUploads) this.#byId.set(stored.id, { ...this.#entry(stored.id), bytes: Buffer.alloc(0) });
    return stored;
  }

  /**
   * A file of the business for a message.
   * @throws Refusal 100 for one that is not there, 131053 for one that cannot be sent so
   */
  use(id: string, kind: FileKind): { readonly file: StoredFile; readonly flaw: Refusal | undefined } {
    const file = this.#byId.get(id);
    if (!file || this.#isGone(file))
      throw new Refusal(
        100,
        `Param ${kind}['id'] is not a valid whatsapp business account media attachment ID`,
      );
    return { file, flaw: this.#flaw(file, kind) };
  }

  /**
   * Answers GET media.
   * @throws Refusal for an unknown or expired file
   */
  link(id: string): object {
    const entry = this.#entry(id);
    entry.asked += 1;
    const isExpired = this.#liberties.firstLink === "expired" && entry.asked === 1;
    const ext = Math.floor((this.#clock.now() + (isExpired ? -1000 : this.#limits.linkMs)) / 1000);
    const { size, mimeType, sha256 } = entry;
    return {
      url: `${this.url}?mid=${id}&ext=${ext}&hash=${this.#sign(id, String(ext))}`,
      mime_type: mimeType,
      sha256: sha256.toString("hex"),
      file_size: this.#liberties.fileSize === "text" ? String(size) : size,
      id,
      messaging_product: "whatsapp",
    };
  }

  /** The file behind a link; nothing when the link was tampered with or has run out. */
  open(query: URLSearchParams): StoredFile | undefined {
    const { mid = "", ext = "", hash = "" } = Object.fromEntries(query);
    const entry = this.#byId.get(mid);
    const isValid = hash === this.#sign(mid, ext) && this.#clock.now() < Number(ext) * 1000;
    return isValid && entry && !entry.isGone ? entry : undefined;
  }

  /**
   * Deletes a file.
   * @throws Refusal for one that is not there
   */
  remove(id: string): void {
    this.#entry(id).isGone = true;
  }

  #add(file: File, keptMs: number): Entry {
    const entry: Entry = {
      ...file,
      id: String(1_000_000_000_000_000 + this.#byId.size + 1),
      size: file.bytes.length,
      sha256: createHash("sha256").update(file.bytes).digest(),
      goneAt: this.#clock.now() + keptMs,
      isGone: false,
      asked: 0,
    };
    this.#byId.set(entry.id, entry);
    return entry;
  }

  #entry(id: string): Entry {
    const entry = this.#byId.get(id);
    if (!entry || this.#isGone(entry)) throw noSuchObject(id);
    return entry;
  }

  #isGone({ isGone, goneAt }: Entry): boolean {
    return isGone || this.#clock.now() >= goneAt;
  }

  #mostBytes(kind: FileKind, { bytes }: File): number {
    const { imageBytes, videoBytes, audioBytes, documentBytes, stickerBytes, animatedStickerBytes } =
      this.#limits;
    const sticker = bytes.subarray(0, 64).includes(ANIMATION) ? animatedStickerBytes : stickerBytes;
    return { image: imageBytes, video: videoBytes, audio: audioBytes, document: documentBytes, sticker }[
      kind
    ];
  }

  /** Why a file is not shown as such a kind; any may be a document. */
  #flaw(file: StoredFile, kind: FileKind): Refusal | undefined {
    const { mimeType, bytes, size } = file;
    if (kind === "document") return undefined;
    if (TYPES[mimeType] !== kind)
      return new Refusal(131053, `Downloaded file type ${mimeType} is not supported as ${kind}.`);
    if (size > this.#mostBytes(kind, file))
      return new Refusal(131053, `${kind} file size is ${size} bytes, which is too large.`);
    if (!this.#looksInside || bytes.length === 0) return undefined;
    const magic = MAGIC[mimeType];
    if (magic && !bytes.toString("hex", 0, 4).startsWith(magic))
      return new Refusal(131053, `File was said to be ${mimeType}, and is not.`);
    if (kind === "video" && !isPlayable(bytes))
      return new Refusal(
        131053,
        "Video file uploaded with a codec that is not supported: H.264 and AAC are.",
      );
    return undefined;
  }

  #sign(id: string, ext: string): string {
    return createHmac("sha256", this.#secret).update(`${id} ${ext}`).digest("base64url");
  }
}
