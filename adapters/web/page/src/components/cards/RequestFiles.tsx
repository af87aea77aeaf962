import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import { isMediaRef, mediaIn, type Values } from "../../../../../../src/seam/values.ts";
import { MarkedPicture } from "../inputs/MarkedPicture.tsx";
import { Sound } from "../inputs/Sound.tsx";

/** The files of a request: pictures, with what was marked in them, and sounds. */
export function RequestFiles({ fields, values }: { fields: readonly FieldSpec[]; values: Values }) {
  const pictures = fields
    .filter(({ control }) => control === "image" || control === "images")
    .flatMap(({ name }) => mediaIn(values[name]).map((picture) => ({ name, picture })));
  const sounds = fields
    .filter(({ control }) => control === "sounds")
    .flatMap(({ name }) => mediaIn(values[name]));
  const maskOver = (picture: string) => {
    const mask = values[fields.find(({ over }) => over === picture)?.name ?? ""];
    return isMediaRef(mask) ? mask : undefined;
  };
  return (
    <>
      {pictures.length > 0 && (
        <ul class={pictures.length > 1 ? "given several" : "given"}>
          {pictures.map(({ name, picture }, index) => (
            <li key={index}>
              <MarkedPicture picture={picture} mask={maskOver(name)} />
            </li>
          ))}
        </ul>
      )}
      {sounds.length > 0 && (
        <ul class="sounds">
          {sounds.map((sound, index) => (
            <Sound key={index} media={sound} />
          ))}
        </ul>
      )}
    </>
  );
}
