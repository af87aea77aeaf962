import { createHmac, randomBytes } from "node:crypto";
import sharp from "sharp";
import { FileTrouble } from "../file-trouble.ts";
import type { Clock } from "../telegram/clock.ts";
import type { DiscordLimits } from "./limits.ts";

/** A file for Discord to keep. */
export interface File {
  readonly bytes: Buffer;
  readonly name: string;
  readonly contentType: string;
}

/** A file that Discord keeps. */
export interface StoredFile extends File {
  readonly id: string;
  readonly size: number;
  /** Pixels, where it is a picture. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly path: string;
}

/** Where attachments lie: under links that are signed and run out. */
export class Cdn {
  /** Known once the server listens. */
  url = "";
  /** What strikes when files are fetched. */
  readonly trouble = new FileTrouble();
  readonly #clock: Clock;
  readonly #limits: DiscordLimits;
  readonly #keepsBytes: boolean;
  readonly #secret = randomBytes(32);
  readonly #byPath = new Map<string, StoredFile>();

  /** @param keepsBytes whether the bytes of files are kept */
  constructor(clock: Clock, limits: DiscordLimits, keepsBytes: boolean) {
    this.#clock = clock;
    this.#limits = limits;
    this.#keepsBytes = keepsBytes;
  }

  /** Takes in a file. */
  async add(id: string, folder: string, file: File): Promise<StoredFile> {
    const size = file.contentType.startsWith("image/") ? await pixels(file.bytes) : undefined;
    const stored: StoredFile = {
      ...file,
      name: file.name.replaceAll(/[^\w.-]+/g, "_"),
      bytes: this.#keepsBytes ? file.bytes : Buffer.alloc(0),
      id,
      size: file.bytes.length,
      width: size?.width,
      height: size?.height,
      path: `/${folder}/${id}/${file.name.replaceAll(/[^\w.-]+/g, "_")}`,
    };
    this.#byPath.set(stored.path, stored);
    return stored;
  }

  /** A link that works from now on for a day. */
  link({ path }: StoredFile): string {
    const issued = Math.floor(this.#clock.now() / 1000);
    const expires = issued + this.#limits.linkMs / 1000;
    const query = `ex=${expires.toString(16)}&is=${issued.toString(16)}`;
    return `${this.url}${path}?${query}&hm=${this.#sign(path, query)}`;
  }

  /** A fresh link for an old one; nothing for a link of somebody else's. */
  refreshed(link: string): string | undefined {
    if (!link.startsWith(`${this.url}/`)) return undefined;
    const file = this.#byPath.get(new URL(link).pathname.slice(new URL(this.url).pathname.length));
    return file && this.link(file);
  }

  /** The file behind a link; nothing when the link was tampered with or has run out. */
  open(path: string, query: URLSearchParams): StoredFile | undefined {
    const { ex = "", is = "", hm = "" } = Object.fromEntries(query);
    const isValid = hm === this.#sign(path, `ex=${ex}&is=${is}`);
    return isValid && this.#clock.now() < parseInt(ex, 16) * 1000 ? this.#byPath.get(path) : undefined;
  }

  #sign(path: string, query: string): string {
    return createHmac("sha256", this.#secret).update(`${path}?${query}`).digest("hex");
  }
}

const measured = new WeakMap<Buffer, Promise<{ width: number; height: number } | undefined>>();

/** Discord measures a picture as it is shown; what is none has no size. */
function pixels(bytes: Buffer): Promise<{ width: number; height: number } | undefined> {
  const known =
    measured.get(bytes) ??
    sharp(bytes)
      .metadata()
      .then(
        ({ autoOrient }) => autoOrient,
        () => undefined,
      );
  measured.set(bytes, known);
  return known;
}
