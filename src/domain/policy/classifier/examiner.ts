import type { Examiner } from "../results/examiner.ts";
import { EXPLICIT, isExplicit } from "./classifier.ts";
import type { ClassifierSetting } from "./setting.ts";

/** The local classifier as one who looks at pictures. */
export function classifying(setting: ClassifierSetting): Examiner {
  return {
    name: setting === "on" ? "classifier" : `classifier ${setting.module}`,
    mature: [EXPLICIT],
    unseen: "unchecked",
    async look({ path, kind }, signal) {
      signal.throwIfAborted();
      if (kind === undefined) return "unchecked";
      try {
        return (await isExplicit({ path, kind }, setting)) ? [EXPLICIT] : [];
      } catch {
        return "unchecked";
      }
    },
  };
}
