import { z } from "zod";
import { LOCALES, translator } from "../../common/i18n.ts";
import { fieldsOf } from "../operations/fields.ts";
import { command, type Context } from "./command.ts";
import type { Fact } from "../../seam/views.ts";
import { textFact } from "./facts.ts";

const schema = z.strictObject({
  locale: z.enum(LOCALES).optional(),
  spend_below: z.number().min(0).max(1_000_000).optional(),
});

/** A person's own settings: shown as a form when nothing is given. */
export const settings = command({
  name: "settings",
  label: "command.settings",
  description: "command.settings.description",
  kind: "command",
  traits: { topic: "account", asks: "form" },
  schema,
  async run(context, { locale, spend_below: spendBelow }) {
    const { people, origin, reply, ask } = context;
    if (locale !== undefined || spendBelow !== undefined) {
      await people.update(origin.user, {
        ...(locale !== undefined && { locale }),
        ...(spendBelow !== undefined && { spendBelow }),
      });
      return reply({ kind: "notice", text: { key: "settings.done" }, facts: await settingsFacts(context) });
    }
    const person = await people.of(origin.user);
    return ask({
      id: "settings",
      title: { key: "command.settings" },
      fields: fieldsOf(schema),
      values: {
        ...(person.locale !== undefined && { locale: person.locale }),
        ...(person.spendBelow !== undefined && { spend_below: person.spendBelow }),
      },
      submit: { key: "form.save" },
    });
  },
});

/** Changes the language that Reelay speaks with somebody. */
export const language = command({
  name: "language",
  label: "command.language",
  description: "command.language.description",
  kind: "command",
  traits: { topic: "account", public: true },
  schema: z.strictObject({ locale: z.enum(LOCALES) }),
  async run({ people, origin, reply }, { locale }) {
    await people.update(origin.user, { locale });
    await reply({ kind: "notice", text: { key: "settings.done" } });
  },
});

/** What somebody set. */
export async function settingsFacts({
  people,
  origin,
}: Pick<Context, "people" | "origin">): Promise<readonly Fact[]> {
  const { locale, spendBelow } = await people.of(origin.user);
  return [
    ...(locale === undefined ? [] : [textFact("field.locale", translator(locale)("locale.name"))]),
    ...(spendBelow === undefined
      ? []
      : [
          {
            label: "field.spend_below",
            value: { key: "fact.tokens", params: { tokens: spendBelow } },
          } as const,
        ]),
  ];
}
