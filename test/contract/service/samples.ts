import { z } from "zod";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import { caller } from "../../sandbox/call.ts";
import type { Samples } from "./probes.ts";

const videoTemplates = z.object({
  templates: z.record(z.string(), z.object({ sub_templates: z.array(z.object({ id: z.string() })) })),
});
const imageModels = z.object({ models: z.record(z.string(), z.object({ has_lora: z.boolean() })) });
const editTemplates = z.object({
  templates: z.record(z.string(), z.object({ requires_second_image: z.boolean() })),
});
const h3Templates = z.object({
  templates: z.record(
    z.string(),
    z.object({ sub_templates: z.array(z.object({ id: z.string() })).default([]) }),
  ),
});

/** Values that have to exist at the service, taken from its catalogues, and values of a form of their own. */
export async function samplesOf({ url, keys }: Pick<Sandbox, "url" | "keys">): Promise<Samples> {
  const get = async (path: string) => (await caller(url, keys.boss)("GET", path)).body;
  const videos = videoTemplates.parse(await get("/templates")).templates;
  const { models } = imageModels.parse(await get("/image-models"));
  const edits = editTemplates.parse(await get("/image-edit-templates")).templates;
  const h3 = h3Templates.parse(await get("/h3-r2v-templates")).templates;
  const [video, videoEntry] = first(videos, ({ sub_templates }) => sub_templates.length > 0);
  const [h3Template, h3Entry] = first(h3, ({ sub_templates }) => sub_templates.length > 0);
  const [lora] = first(models, ({ has_lora }) => has_lora);
  const [edit] = first(edits, ({ requires_second_image }) => !requires_second_image);
  return {
    generateVideo: { lora_template: video, sub_template: videoEntry.sub_templates[0]?.id ?? "" },
    generateVideoAudio: { template: video },
    generateImageEdit: { template_id: edit },
    generateImage: { model: "Default", lora_template: lora },
    generateH3: {
      template_id: h3Template,
      sub_template_id: h3Entry.sub_templates[0]?.id ?? "",
      aspect_ratio: "16:9 (Landscape)",
    },
    generateImgproEdit: { size: "1024x1024", template_id: edit },
    generateImgproReference: { size: "2048x2048" },
    registerTemplate: { id: "contract-probe" },
    registerH3Template: { id: "contract-probe" },
  };
}

function first<T>(entries: Readonly<Record<string, T>>, wanted: (entry: T) => boolean): readonly [string, T] {
  const found = Object.entries(entries).find(([, entry]) => wanted(entry));
  if (!found) throw new Error("The catalogue has no such entry.");
  return found;
}
