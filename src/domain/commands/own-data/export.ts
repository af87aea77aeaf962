import type { FileView } from "../../../seam/views.ts";
import { command, pressableSchema } from "../command.ts";

/** About 12,000 jobs; every platform takes files of this size, in bytes. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Gives a person everything that is kept about them, as JSON: one file, or several where there is more. */
export const exportData = command({
  name: "export",
  label: "command.export",
  description: "command.export.description",
  kind: "command",
  traits: { topic: "privacy", handsOut: true },
  forEverybody: true,
  schema: pressableSchema,
  async run(context) {
    const { audit, origin, reply, surfaces } = context;
    const { user, platform } = origin;
    const maxBytes = Math.min(surfaces.of(platform).limits.maxUploadBytes, MAX_FILE_BYTES);
    // Few ever ask for it.
    const { exportParts } = await import("../../people/export-parts.ts");
    const { entriesOf, headOf } = await import("./export-entries.ts");
    let part = 0;
    for await (const content of exportParts(await headOf(context), entriesOf(context), maxBytes)) {
      part += 1;
      await reply(fileView(part, content));
    }
    await audit.write({ act: "export", user, surface: platform });
  },
});

function fileView(part: number, content: string): FileView {
  return {
    kind: "file",
    text: part === 1 ? { key: "export.text" } : { key: "export.part", params: { part } },
    file: {
      name: part === 1 ? "reelay-export.json" : `reelay-export-${part}.json`,
      type: "application/json",
      content,
    },
  };
}
