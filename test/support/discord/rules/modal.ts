import { ComponentType } from "discord.js";
import { z } from "zod";
import { customId, customIds, nativeSelect, stringSelect } from "./components.ts";
import { complain, complainOfTwins, list, text } from "./field.ts";

const length = z.int().min(0).max(4000).nullish();

const textInput = z
  .looseObject({
    type: z.literal(ComponentType.TextInput),
    custom_id: customId,
    style: z.literal([1, 2]),
    label: text(45).nullish(),
    placeholder: z.string().max(100, "Must be 100 or fewer in length.").nullish(),
    value: z.string().max(4000, "Must be 4000 or fewer in length.").nullish(),
    min_length: length,
    max_length: length,
  })
  .superRefine(({ value, min_length: least, max_length: most }, context) => {
    if (least && most && least > most) {
      complain(context, ["min_length"], "NUMBER_TYPE_MAX", "Must be less than or equal to max_length");
    }
    // Discord refuses a form that is filled in with what could not be sent.
    if (value && (value.length > (most ?? 4000) || value.length < (least ?? 0))) {
      complain(context, ["value"], "BASE_TYPE_BAD_LENGTH", "Must fit min_length and max_length");
    }
  });

const fileUpload = z.looseObject({
  type: z.literal(ComponentType.FileUpload),
  custom_id: customId,
  min_values: z.int().min(0).max(10).nullish(),
  max_values: z.int().min(1).max(10).nullish(),
});

const labelled = z.looseObject({
  type: z.literal(ComponentType.Label),
  label: text(45),
  description: text(100).nullish(),
  component: z.discriminatedUnion("type", [textInput, stringSelect, nativeSelect, fileUpload]),
});

const row = z.looseObject({
  type: z.literal(ComponentType.ActionRow),
  components: z
    .array(textInput.refine(({ label }) => label, { path: ["label"], error: "A label is required" }))
    .length(1),
});

const words = z.looseObject({ type: z.literal(ComponentType.TextDisplay), content: text(4000) });

/** interactions/receiving-and-responding: `data` of a MODAL answer. */
export const modal = z
  .looseObject({
    custom_id: customId,
    title: text(45),
    components: list(z.discriminatedUnion("type", [labelled, row, words]), 5).min(
      1,
      "Must be between 1 and 5 in length.",
    ),
  })
  .superRefine(({ components }, context) => {
    const ids = customIds(components).map(({ text, path }) => ({ text, path: ["components", ...path] }));
    const message = "Component custom id cannot be duplicated";
    complainOfTwins(context, ids, "COMPONENT_CUSTOM_ID_DUPLICATED", message);
  });
