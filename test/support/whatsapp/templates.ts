import { Refusal } from "./refusal.ts";
import type { MessageBody } from "./wire.ts";

/** A template that the operator entered at Meta. */
export interface Template {
  readonly name: string;
  /** "en", "en_US". */
  readonly language: string;
  /** With its places: "Your {{1}} is ready." */
  readonly body: string;
  /** Labels of its quick replies. */
  readonly buttons?: readonly string[];
  /** Only an approved one may be sent. */
  readonly status?: "APPROVED" | "PENDING" | "REJECTED" | "PAUSED";
}

/** A template as it stands in a chat. */
interface Filled {
  readonly text: string;
  readonly choices: readonly { readonly id: string; readonly title: string }[];
}

/**
 * What a message by a template says.
 * @throws Refusal for one that is not there or not approved, and for parameters that do not fit
 */
export function filled(templates: readonly Template[], sent: NonNullable<MessageBody["template"]>): Filled {
  const { name, language, components = [] } = sent;
  const template = templates.find((one) => one.name === name && one.language === language.code);
  if (!template || template.status === "PENDING" || template.status === "REJECTED")
    throw new Refusal(132001, `template name (${name}) does not exist in ${language.code}`);
  if (template.status === "PAUSED") throw new Refusal(132015, "Template is paused due to low quality");
  const body = components.find(({ type }) => type === "body")?.parameters ?? [];
  const places = new Set(template.body.match(/\{\{\d+\}\}/g)).size;
  if (body.length !== places)
    throw new Refusal(
      132000,
      `body: number of localizable_params (${body.length}) does not match the expected number of params (${places})`,
    );
  const text = template.body.replaceAll(/\{\{(\d+)\}\}/g, (_, place: string) =>
    parameter(body[Number(place) - 1]?.text),
  );
  if (text.length > 1024) throw new Refusal(132005, "The translated text is too long");
  const titles = template.buttons ?? [];
  for (const { type, sub_type: kind, index } of components)
    if (type === "button" && (kind !== "quick_reply" || titles[Number(index)] === undefined))
      throw new Refusal(132012, `The template has no button ${index} of this kind`);
  const choices = titles.map((title, place) => {
    const part = components.find(({ type, index }) => type === "button" && Number(index) === place);
    // "Quick reply buttons": the label where no payload was given.
    return { id: part?.parameters?.[0]?.payload ?? title, title };
  });
  return { text, choices };
}

/** "Param text cannot have new-line/tab characters or more than 4 consecutive spaces". */
function parameter(text: string | undefined): string {
  if (text === undefined || text === "") throw new Refusal(132012, "A parameter of the body must be a text");
  if (/[\n\t]| {5}/.test(text))
    throw new Refusal(
      132012,
      "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
    );
  return text;
}
