import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import { isMediaRef, mediaIn, type Values } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";
import { MarkedPicture } from "../inputs/MarkedPicture.tsx";
import { Sound } from "../inputs/Sound.tsx";

/** The files of a request: pictures, with what was marked in them, and sounds. */
export function RequestFiles({ fields, values }: { fields: readonly FieldSpec[]; values: Values }) {
  const { say } = useChat();
  const pictures = fields
    .filter(({ control }) => control === "image" || control === "images")
    .flatMap(({ name, label }) => mediaIn(values[name]).map((picture) => ({ name, label, picture })));
  const sounds = fields
    .filter(({ control }) => control === "sounds")
    .flatMap(({ name }) => mediaIn(values[name]));
  // Where pictures are for different things, each says for which.
  const roles = new Set(pictures.map(({ name }) => name)).size;
  const maskOver = (picture: string) => {
    const mask = values[fields.find(({ over }) => over === picture)?.name ?? ""];
    return isMediaRef(mask) ? mask : undefined;
  };
  return (
    <>
      {pictures.length > 0 && (
        <ul class={pictures.length > 1 ? "given several" : "given"}>
          {pictures.map(({ name, label, picture }, index) => (
            <li key={index}>
              <MarkedPicture picture={picture} mask={maskOver(name)} />
              {roles > 1 && <span class="picture-name">{say(label)}</span>}
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
