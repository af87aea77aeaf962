import type { Readable } from "node:stream";
import type { FieldSpec } from "../../seam/fields.ts";
import { mediaIn, type MediaRef, type Tags, type Values } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import { prepareImage, type PreparedImage } from "../../infrastructure/media/pictures/image.ts";
import { prepareMask } from "../../infrastructure/media/pictures/mask.ts";
import { prepareSound, type PreparedSound } from "../../infrastructure/media/sounds/sound.ts";

/** The files of an order, made fit to be sent, by field; a mask has the size of its picture. */
interface PreparedMedia {
  readonly images: Readonly<Record<string, readonly PreparedImage[]>>;
  readonly sounds: Readonly<Record<string, readonly PreparedSound[]>>;
}

/** A request that is ready to leave: checked values, prepared files, tags. */
export interface Order extends PreparedMedia {
  readonly values: Values;
  readonly tags: Tags;
}

/** The first picture of a field that cannot be without one. */
export function imageOf({ images }: Order, field: string): PreparedImage {
  const image = images[field]?.[0];
  if (!image) throw new Error(`The picture of ${field} was not prepared.`);
  return image;
}

/** Where files come from, and where they are worked on. */
export interface PrepareParts {
  readonly openMedia: (ref: MediaRef) => Promise<Readable>;
  /** A folder for prepared files. */
  readonly dir: string;
}

/**
 * Holds all sounds of a field together against what it takes.
 * @throws ReelayError `sounds_too_long`
 */
export function checkTogether({ sounds }: Pick<FieldSpec, "sounds">, seconds: number): void {
  if (sounds && seconds > sounds.maxSecondsTogether)
    throw new ReelayError("sounds_too_long", {
      seconds: Math.ceil(seconds),
      max: sounds.maxSecondsTogether,
    });
}

/**
 * Makes the files of an order, and keeps them until they are thrown away with `await using`.
 * They are opened here, as late as possible, not when the job was asked for.
 */
export class OrderFiles implements PreparedMedia, AsyncDisposable {
  readonly images: Record<string, PreparedImage[]> = {};
  readonly sounds: Record<string, PreparedSound[]> = {};

  /**
   * Opens and prepares every file among the values.
   * @throws ReelayError `media_*`, `sound_*` or `mask_empty` for the first file that cannot be sent
   */
  async prepare(fields: readonly FieldSpec[], values: Values, parts: PrepareParts): Promise<void> {
    // Masks come last: they take the size of their picture.
    for (const field of fields.toSorted(
      (a, b) => Number(a.over !== undefined) - Number(b.over !== undefined),
    ))
      for (const ref of mediaIn(values[field.name])) await this.#prepareOne(field, ref, parts);
    for (const field of fields) {
      const sounds = this.sounds[field.name] ?? [];
      checkTogether(
        field,
        sounds.reduce((sum, { seconds }) => sum + seconds, 0),
      );
    }
  }

  async #prepareOne(field: FieldSpec, ref: MediaRef, { openMedia, dir }: PrepareParts): Promise<void> {
    const open = () => openMedia(ref);
    if (field.sounds) {
      (this.sounds[field.name] ??= []).push(await prepareSound(open, { dir, bounds: field.sounds }));
      return;
    }
    const images = (this.images[field.name] ??= []);
    const under = field.over === undefined ? undefined : this.images[field.over]?.[0];
    if (under) images.push(await prepareMask(open, { dir, width: under.width, height: under.height }));
    else
      images.push(
        await prepareImage(open, {
          dir,
          ...(field.fitBytes !== undefined && { maxFileBytes: field.fitBytes }),
        }),
      );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const files = [...Object.values(this.images), ...Object.values(this.sounds)].flat();
    await Promise.all(files.map((file) => file.dispose()));
  }
}
