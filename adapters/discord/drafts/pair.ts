import type { FieldSpec } from "../../../src/seam/fields.ts";
import { mediaIn, type Values } from "../../../src/seam/values.ts";
import { pairOf } from "../../kit/drafts/pair.ts";
import type { Services } from "../context/context.ts";
import { smallPicture } from "../media/thumbnail.ts";
import type { ShownPicture } from "../messages/render.ts";

/** The pictures of a draft where there are several, small and in their order; none where one cannot be read. */
export async function showPictures(
  services: Pick<Services, "host" | "openMedia">,
  fields: readonly FieldSpec[],
  values: Values,
): Promise<readonly ShownPicture[]> {
  const pair = pairOf({ values }, fields);
  const several = pair.length > 0 ? pair : fields.flatMap((field) => seriesIn(field, values));
  try {
    return await Promise.all(
      several.map(async ({ field: { name, label }, picture }, index) => ({
        name: `${name}-${index + 1}.jpg`,
        label,
        data: await smallPicture(services, picture),
      })),
    );
  } catch (err) {
    // What is wrong with a picture is said when it is sent.
    services.host.log.debug({ err }, "The pictures of a draft could not be shown");
    return [];
  }
}

/** The pictures of a field that has several: nobody sees from their number which they are, and in which order. */
function seriesIn(field: FieldSpec, values: Values) {
  const pictures = field.control === "images" ? mediaIn(values[field.name]) : [];
  return pictures.length > 1 ? pictures.map((picture) => ({ field, picture })) : [];
}
