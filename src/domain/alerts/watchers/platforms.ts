import { translator } from "../../../common/i18n.ts";
import type { Surface } from "../../../seam/surface/surface.ts";
import type { Watcher } from "../watcher.ts";

/** A platform, as far as it can be asked whether people reach it. */
type Reachable = Pick<Surface, "name" | "ready">;

/** Sees that people do not reach Reelay on a platform. */
export function watchPlatforms(platforms: () => readonly Reachable[]): Watcher {
  return {
    look: async () =>
      platforms()
        .filter((one) => !one.ready())
        // Of chat platforms the name is the same in every language.
        .map(({ name: of }) => ({
          kind: "platform_gone",
          of,
          params: { platform: translator("en")(`platform.${of}`) },
        })),
  };
}
