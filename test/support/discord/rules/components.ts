import { ButtonStyle, ComponentType } from "discord.js";
import { z } from "zod";
import { DISCORD_LIMITS } from "../limits.ts";
import { complain, complainOfTwins, list, text } from "./field.ts";

/** components/reference: `custom_id` of anything that answers. */
export const customId = text(100);

const emoji = z.looseObject({}).nullish();

const button = z
  .looseObject({
    type: z.literal(ComponentType.Button),
    style: z.enum(ButtonStyle),
    label: z.string().max(80, "Must be 80 or fewer in length.").nullish(),
    emoji,
    custom_id: customId.nullish(),
    url: z.string().max(512, "Must be 512 or fewer in length.").nullish(),
  })
  .superRefine(({ style, label, emoji, custom_id: id, url }, context) => {
    const isLink = style === ButtonStyle.Link;
    if (isLink && (url ?? "") === "") complain(context, ["url"], "BASE_TYPE_REQUIRED", "A url is required");
    if (isLink === ((id ?? "") !== "")) {
      const message = isLink ? "A custom id and url cannot both be specified" : "A custom id is required";
      complain(context, ["custom_id"], "BUTTON_COMPONENT_CUSTOM_ID", message);
    }
    if ((label ?? "") === "" && !emoji) {
      complain(context, ["label"], "BASE_TYPE_REQUIRED", "A label or an emoji is required");
    }
  });

const option = z.looseObject({
  label: text(100),
  value: text(100),
  description: z.string().max(100, "Must be 100 or fewer in length.").nullish(),
  emoji,
});

const selectFields = {
  custom_id: customId,
  placeholder: z.string().max(150, "Must be 150 or fewer in length.").nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().min(1).max(25).nullish(),
};

/** A menu of texts. */
export const stringSelect = z
  .looseObject({
    type: z.literal(ComponentType.StringSelect),
    ...selectFields,
    options: list(option, 25).min(1, "Must be between 1 and 25 in length."),
  })
  .superRefine(({ options, max_values: most }, context) => {
    const values = options.map(({ value: text }, index) => ({ text, path: ["options", index, "value"] }));
    complainOfTwins(
      context,
      values,
      "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
      "The specified option value is already used",
    );
    if ((most ?? 1) > options.length) {
      complain(context, ["max_values"], "NUMBER_TYPE_MAX", "There are fewer options than this");
    }
  });

/** A menu of what Discord knows: people, roles, channels. */
export const nativeSelect = z
  .looseObject({
    type: z.literal([
      ComponentType.UserSelect,
      ComponentType.RoleSelect,
      ComponentType.MentionableSelect,
      ComponentType.ChannelSelect,
    ]),
    ...selectFields,
    default_values: z
      .array(z.looseObject({ id: z.string().regex(/^\d+$/), type: z.enum(["user", "role", "channel"]) }))
      .nullish(),
  })
  .superRefine(({ default_values: chosen, min_values: least, max_values: most }, context) => {
    if (chosen && (chosen.length < (least ?? 1) || chosen.length > (most ?? 1))) {
      complain(context, ["default_values"], "BASE_TYPE_BAD_LENGTH", "As many as can be picked");
    }
  });

const row = z
  .looseObject({
    type: z.literal(ComponentType.ActionRow),
    components: list(z.discriminatedUnion("type", [button, stringSelect, nativeSelect]), 5).min(1),
  })
  .superRefine(({ components }, context) => {
    const menus = components.filter(({ type }) => type !== ComponentType.Button).length;
    if (menus > 0 && components.length > 1) {
      complain(context, ["components"], "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A menu needs a row of its own");
    }
  });

const withTwins = <T extends z.ZodType<readonly object[]>>(components: T) =>
  components.superRefine((rows, context) => {
    const message = "Component custom id cannot be duplicated";
    complainOfTwins(context, customIds(rows), "COMPONENT_CUSTOM_ID_DUPLICATED", message);
  });

/** The rows under a message. */
export const rows = withTwins(list(row, DISCORD_LIMITS.rows));

/** A picture or a video with its alt text. */
const mediaItem = z.looseObject({
  description: z.string().min(1).max(1024, "Must be 1024 or fewer in length.").nullish(),
});

/** With IS_COMPONENTS_V2: counted here; the official description knows each kind. */
export const componentsV2 = withTwins(
  z
    .array(z.looseObject({ type: z.int(), items: z.array(mediaItem).optional() }))
    .superRefine((components, context) => {
      if (count(components) > DISCORD_LIMITS.componentsV2) {
        complain(context, [], "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The maximum of components is 40");
      }
      if (words(components) > DISCORD_LIMITS.textV2) {
        const message = "The maximum of characters in all components is 4000";
        complain(context, [], "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message);
      }
    }),
);

/** Whatever holds other components holds them in one of these. */
function inside(component: object): { readonly child: object; readonly path: PropertyKey[] }[] {
  const {
    components = [],
    accessory,
    component: labelled,
  } = component as {
    components?: readonly object[];
    accessory?: object;
    component?: object;
  };
  return [
    ...components.map((child, index) => ({ child, path: ["components", index] })),
    ...(accessory ? [{ child: accessory, path: ["accessory"] }] : []),
    ...(labelled ? [{ child: labelled, path: ["component"] }] : []),
  ];
}

const count = (components: readonly object[]): number =>
  components.reduce((sum, one) => sum + 1 + count(inside(one).map(({ child }) => child)), 0);

/** Characters over all text displays. */
const words = (components: readonly object[]): number =>
  components.reduce((sum, one) => {
    const own = "content" in one && typeof one.content === "string" ? one.content.length : 0;
    return sum + own + words(inside(one).map(({ child }) => child));
  }, 0);

/** Every custom id, with its place. */
export function customIds(components: readonly object[]): { text: string; path: PropertyKey[] }[] {
  const find = (component: object, path: PropertyKey[]): { text: string; path: PropertyKey[] }[] => [
    ...("custom_id" in component && typeof component.custom_id === "string"
      ? [{ text: component.custom_id, path: [...path, "custom_id"] }]
      : []),
    ...inside(component).flatMap((one) => find(one.child, [...path, ...one.path])),
  ];
  return components.flatMap((component, index) => find(component, [index]));
}
