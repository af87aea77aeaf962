import type { Check } from "../../../seam/surface/runtime.ts";
import { deadlineIn } from "./deadline.ts";
import { ModerationEndpoint } from "./endpoint.ts";
import type { ModerationSettings } from "./settings.ts";

const HARMLESS = "A cat sleeps on a chair in the sun.";

/** Asks the moderation endpoint about a harmless sentence. */
export async function examineModeration(settings: ModerationSettings): Promise<Check> {
  const input = [{ type: "text", text: HARMLESS }] as const;
  const answer = await new ModerationEndpoint(settings).ask(input, deadlineIn(settings.timeoutMs));
  const host = `${new URL(settings.url).host} (${settings.model})`;
  switch (answer.kind) {
    case "passed":
      return { name: "moderation", ok: true, found: `${host} answers` };
    case "flagged":
      return {
        name: "moderation",
        ok: false,
        found: `${host} flags a harmless sentence: ${answer.categories.join(", ")}`,
        advice: "Choose another REELAY_MODERATION_MODEL, or an endpoint that is less strict.",
      };
    default:
      return { name: "moderation", ok: false, found: `${host}: ${answer.found}`, advice: answer.advice };
  }
}
