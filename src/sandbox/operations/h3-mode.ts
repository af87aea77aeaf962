import type { H3_BOUNDS } from "../../common/contract.ts";
import { Refusal } from "../records/refusal.ts";

/** A mode of H3 video (section 4.7). */
type Mode = (typeof H3_BOUNDS.modes)[number];

/** The pictures that a request brings. */
interface Sent {
  readonly image: string | undefined;
  readonly references: readonly string[] | undefined;
}

/**
 * The mode of a request: as asked, or found out from its pictures; a template with no mode, or with text-to-video,
 * makes it reference-to-video (rule 2).
 */
export function h3Mode(asked: Mode | undefined, template: boolean, { image, references }: Sent): Mode {
  if (template && asked !== "i2v") return "r2v";
  if (asked) return asked;
  if (references) return "r2v";
  return image === undefined ? "t2v" : "i2v";
}

/**
 * The pictures that a mode works with, each with its field. Where references are wanted, the input image will do as one.
 * @throws Refusal 400 when it lacks a picture, or has one that it does not take
 */
export function h3Pictures(
  mode: Mode,
  { image, references }: Sent,
): readonly (readonly [field: string, picture: string])[] {
  if (references && mode !== "r2v") throw new Refusal(400, "reference_images: only with mode r2v");
  if (references && image !== undefined) throw new Refusal(400, "image_base64: not with reference_images");
  if (references) return references.map((value, index) => [`reference_images.${index}`, value]);
  if (mode === "t2v" && image !== undefined) throw new Refusal(400, "image_base64: not with mode t2v");
  if (mode === "t2v") return [];
  if (image === undefined)
    throw new Refusal(
      400,
      `${mode === "i2v" ? "image_base64" : "reference_images"}: is required for mode ${mode}`,
    );
  return [["image_base64", image]];
}
