import type { Surface } from "../../seam/surface/surface.ts";
import type { ChatId } from "../../seam/values.ts";
import type { Message } from "../../seam/views.ts";

/** Posts a sentence in a chat of the operator's. @throws as `Surface.reach` and `Surface.deliver` */
export async function post(
  surface: Pick<Surface, "reach" | "deliver">,
  place: ChatId,
  text: Message,
): Promise<void> {
  await surface.deliver(await surface.reach(place), { kind: "notice", text });
}
