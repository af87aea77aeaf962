import { createReadStream } from "node:fs";
import type { Examiner } from "../results/examiner.ts";
import type { Moderator } from "./moderator.ts";
import type { ModerationSettings } from "./settings.ts";

/** What a result is flagged for that the endpoint could not be shown: somebody has to look at it. */
const UNSEEN = "unseen";

/** The operator's moderation endpoint as one who looks at results. */
export function moderatedResults(
  moderator: Pick<Moderator, "examine">,
  { url, model, whenDown }: Pick<ModerationSettings, "url" | "model" | "whenDown">,
): Examiner {
  return {
    name: `moderation ${model} at ${new URL(url).host}`,
    mature: ["sexual"],
    unseen: whenDown === "open" ? "passed_by" : "unchecked",
    async look({ path }, signal) {
      const open = async () => createReadStream(path);
      const verdict = await moderator.examine({ text: "", pictures: [open] }, signal);
      switch (verdict.kind) {
        case "passed":
          return [];
        case "flagged":
          return verdict.pictures;
        case "down":
          return whenDown === "open" ? "passed_by" : "unchecked";
        case "busy":
        case "unreadable":
          return "unchecked";
        case "unseen":
          return verdict.code === "moderation_down" ? "unchecked" : [UNSEEN];
        default:
          return verdict satisfies never;
      }
    },
  };
}
