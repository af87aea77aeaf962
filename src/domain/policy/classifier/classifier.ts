import type { Check } from "../../../seam/surface/runtime.ts";
import { ConfigError } from "../../../common/config-error.ts";
import { decode } from "../../../infrastructure/media/decoder/decoder.ts";
import { asUnreadable } from "../../../infrastructure/media/pictures/picture.ts";
import type { ClassifierSetting } from "./setting.ts";

/** The name that flagged pictures are given, as moderation endpoints name it. */
export const EXPLICIT = "sexual";

/** Of nsfwjs: photos, and drawings. "Sexy" is what people wear on beaches. */
const CLASSES = ["Porn", "Hentai"] as const;

/** From here on a picture counts as explicit, of 1. */
const SURE = 0.7;

const PACKAGES = ["nsfwjs/core", "@tensorflow/tfjs", "@tensorflow/tfjs-backend-wasm"] as const;

const ADVICE = "npm install nsfwjs@4 @tensorflow/tfjs@4 @tensorflow/tfjs-backend-wasm@4";

/**
 * Whether a picture is explicit, as a model on this machine sees it: in the decoder's processes, within their budget.
 * @throws ReelayError `media_dimensions`, `media_unreadable`; the latter also where the model failed
 */
export async function isExplicit(
  picture: { readonly path: string; readonly kind: string },
  setting: ClassifierSetting,
): Promise<boolean> {
  const module = setting === "on" ? undefined : setting.module;
  const found = await decode("classify", { picture, module }).catch(asUnreadable);
  return CLASSES.reduce((sum, name) => sum + (found[name] ?? 0), 0) >= SURE;
}

/** The packages that the model takes and that are not installed. */
function missing(): readonly string[] {
  return PACKAGES.filter((name) => {
    try {
      return !import.meta.resolve(name);
    } catch {
      return true;
    }
  });
}

/** @throws ConfigError where the model is wanted and not installed */
export function checkClassifier(setting: ClassifierSetting | undefined): void {
  if (setting !== "on" || missing().length === 0) return;
  const found = `on, but ${missing().join(", ")} not installed`;
  throw new ConfigError([
    { setting: "REELAY_CLASSIFIER", found, wanted: `the packages (${ADVICE}), or off` },
  ]);
}

/** Says whether the model is there. */
export function examineClassifier(setting: ClassifierSetting): Check {
  const gone = setting === "on" ? missing() : [];
  const name = "classifier";
  if (gone.length === 0) return { name, ok: true, found: setting === "on" ? "nsfwjs" : setting.module };
  return { name, ok: false, found: `not installed: ${gone.join(", ")}`, advice: `Run: ${ADVICE}` };
}
