import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { keptName } from "../../../src/seam/text/kept-name.ts";
import type { HeldFiles, Hold } from "../../../src/infrastructure/media/files/held-files.ts";
import { BODY_BOUNDS } from "./bounds.ts";

/** The files of one request: stored as they come, each with a placeholder that stands for it in the fields. */
export class IncomingFiles {
  /** By placeholder. */
  readonly stored = new Map<string, MediaRef>();
  /** What is wrong with those that could not be stored, by placeholder. */
  readonly refused = new Map<string, ReelayError>();
  /** Those that were strings of base64 and nothing else, by placeholder: they may have been meant as text. */
  readonly bare = new Set<string>();
  readonly #files: HeldFiles;
  readonly #hold: Hold;
  /** Nobody can make it up: it is new with each request and never leaves it. */
  readonly #mark = `file:${randomUUID()}:`;
  #count = 0;

  constructor(files: HeldFiles, hold: Hold) {
    this.#files = files;
    this.#hold = hold;
  }

  /**
   * The placeholder of one more file.
   * @throws ReelayError `too_many_files`
   */
  next(): string {
    const max = BODY_BOUNDS.files;
    if (this.#count === max) throw new ReelayError("too_many_files", { max });
    return this.#mark + String(this.#count++);
  }

  /** Stores a file, or notes why it cannot be one. What else goes wrong, such as a body that breaks off, is thrown. */
  async store(placeholder: string, source: Readable, name?: string): Promise<void> {
    try {
      const { id, bytes } = await this.#files.put(source, BODY_BOUNDS.fileBytes, this.#hold);
      this.stored.set(placeholder, {
        surface: "http",
        id,
        bytes,
        ...(name && { name: keptName(name) }),
      });
    } catch (error) {
      const isWrong =
        error instanceof ReelayError && (error.code === "field_not_file" || error.code === "media_too_large");
      if (!isWrong) throw error;
      this.refused.set(placeholder, error);
    }
  }
}
