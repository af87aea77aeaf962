import { IMAGE_EDIT_TEMPLATES, type ImageEditTemplate } from "../catalogues/image-edit-templates.ts";
import { Refusal } from "../records/refusal.ts";

/**
 * The image-edit template that a request names, whether or not a host's catalogue shows it.
 * @throws Refusal 400 for one that does not exist
 */
export function chooseEditTemplate(id: string | undefined): ImageEditTemplate | undefined {
  if (id === undefined) return undefined;
  const template = IMAGE_EDIT_TEMPLATES.find((entry) => entry.id === id);
  if (!template) throw new Refusal(400, `template_id: no template ${JSON.stringify(id)}`);
  return template;
}
