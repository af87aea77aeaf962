import { z } from "zod";
import { STATEMENT_NAMES } from "../../../src/seam/values.ts";
import type { CommandSpec, Suggestion } from "../../../src/seam/fields.ts";
import { type Locale, translator } from "../../../src/common/i18n.ts";
import { exampleOf } from "./field-example.ts";
import { inputSchemaOf } from "./input-schema.ts";
import { listSchema, pageSchema } from "./list.ts";

/** Something that can be made. */
export const operationSchema = z
  .object({
    object: z.literal("operation"),
    id: z.string().meta({ example: "video" }),
    title: z.string().meta({ example: "Video from a photo" }),
    description: z.string().meta({ example: "Turn a photo into a short video" }),
    result: z.enum(["video", "image"]),
    subscription: z
      .literal("pro")
      .nullable()
      .meta({ description: "What the account at the service must have for it." }),
    input_schema: z.record(z.string(), z.unknown()).meta({
      description:
        "JSON Schema (2020-12) of `input`. `x-catalogue` names where a field's values come from, `x-file` says that it takes a `picture` or a `sound`.",
    }),
    example: z.record(z.string(), z.unknown()).meta({
      description: "An `input` that will do.",
      example: { image: "https://example.com/photo.jpg", prompt: "slow zoom, golden light" },
    }),
  })
  .meta({ id: "Operation" });

/** Everything that can be made. */
export const operationListSchema = listSchema(operationSchema).meta({ id: "OperationList" });

/** What something will cost. */
export const quoteSchema = z
  .object({
    tokens: z.number().nullable().meta({ description: "Null where nothing is known yet.", example: 2.7 }),
    basis: z.enum(["exact", "learned", "unknown"]).meta({
      description:
        "`exact`: by the service's published formula. `learned`: what the same choices cost last time.",
    }),
    balance: z.number().nullable().meta({
      description:
        "What the key of yours that pays has left; null where somebody else's pays, or where it could not be read in time.",
    }),
    range: z.object({ least: z.number(), most: z.number() }).exactOptional().meta({
      description:
        "Where the price is not known: what jobs of the same operation and length cost here lately.",
    }),
    asks: z
      .array(z.object({ name: z.enum(STATEMENT_NAMES), version: z.string(), url: z.url().exactOptional() }))
      .meta({ description: "What the person is still to state with this request, as `agreed`." }),
  })
  .meta({ id: "Quote" });

/** One entry of a catalogue. */
export const choiceSchema = z
  .object({
    value: z.string().meta({ description: "What a field takes.", example: "slow-dance" }),
    title: z.string().meta({ example: "Slow dance" }),
    description: z.string().nullable(),
    category: z.string().nullable().meta({ example: "Dance" }),
    marks: z.array(z.enum(["new", "featured"])),
    pictures: z.int().meta({ description: "How many pictures it needs." }),
    variants: z.int().meta({ description: "How many variants it has; `of` lists them." }),
  })
  .meta({ id: "Choice" });

/** One page of a catalogue. */
export const choiceListSchema = pageSchema(choiceSchema).meta({ id: "ChoiceList" });

/** What can be chosen from. */
export const catalogueListSchema = listSchema(
  z.object({
    id: z.string().meta({ example: "video-templates" }),
    used_by: z.array(
      z.object({
        operation: z.string().meta({ example: "video" }),
        field: z.string().meta({ example: "template" }),
      }),
    ),
  }),
).meta({ id: "CatalogueList" });

/** An operation, as partners read it. */
export function operationBody(
  { name, label, description, result = "video", subscription, fields }: CommandSpec,
  locale: Locale,
): z.output<typeof operationSchema> {
  const translate = translator(locale);
  const needed = fields.filter(({ required, unless }) => required || unless !== undefined);
  return {
    object: "operation",
    id: name,
    title: translate(label),
    description: translate(description),
    result,
    subscription: subscription ?? null,
    input_schema: inputSchemaOf(fields, translate),
    example: Object.fromEntries(needed.map((field) => [field.name, exampleOf(field)])),
  };
}

/** An entry of a catalogue, as partners read it. */
export function choiceBody(entry: Suggestion): z.output<typeof choiceSchema> {
  const { value, title, description = null, category = null, marks, pictures = 1, variants } = entry;
  return { value, title, description, category, marks: [...marks], pictures, variants };
}
