import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { Values } from "../../../src/seam/values.ts";
import { pairOf } from "../../kit/drafts/pair.ts";
import type { Services } from "../context/context.ts";
import { smallPicture } from "../media/thumbnail.ts";
import type { ShownPicture } from "../messages/render.ts";

/** The two pictures of a draft that each have a field of their own, small and in their order; none where one cannot be read. */
export async function showPair(
  services: Pick<Services, "host" | "openMedia">,
  fields: readonly FieldSpec[],
  values: Values,
): Promise<readonly ShownPicture[]> {
  try {
    return await Promise.all(
      pairOf({ values }, fields).map(async ({ field: { name, label }, picture }) => ({
        name: `${name}.jpg`,
        label,
        data: await smallPicture(services, picture),
      })),
    );
  } catch (err) {
    // What is wrong with a picture is said when it is sent.
    services.host.log.debug({ err }, "The two pictures of a draft could not be shown");
    return [];
  }
}
