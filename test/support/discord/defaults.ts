import { type APIEmbed, ComponentType, EmbedType } from "discord.js";
import type { Content } from "./post.ts";

/** A component as it came, with whatever it holds. */
interface Component {
  readonly type: ComponentType;
  readonly id?: number;
  readonly components?: readonly Component[];
  readonly accessory?: Component;
}

const MENU = { min_values: 1, max_values: 1 };

/** What Discord writes where a body says nothing: components/reference. */
const DEFAULTS: Partial<Record<ComponentType, object>> = {
  [ComponentType.StringSelect]: MENU,
  [ComponentType.UserSelect]: MENU,
  [ComponentType.RoleSelect]: MENU,
  [ComponentType.MentionableSelect]: MENU,
  [ComponentType.ChannelSelect]: MENU,
  [ComponentType.Container]: { accent_color: null, spoiler: false },
  [ComponentType.Separator]: { divider: true, spacing: 1 },
};

/** Components with what Discord adds: a number for each, in order, and defaults. */
export function numbered(components: Content["components"]): Content["components"] {
  let count = 0;
  const fill = (component: Component): Component => {
    count += 1;
    return {
      ...DEFAULTS[component.type],
      ...component,
      id: component.id ?? count,
      ...(component.components && { components: component.components.map(fill) }),
      ...(component.accessory && { accessory: fill(component.accessory) }),
    };
  };
  return (components as readonly Component[]).map(fill) as Content["components"];
}

/** An embed with what Discord adds. */
export function completed(embed: APIEmbed): APIEmbed {
  const { fields } = embed;
  const filled = fields && {
    fields: fields.map(({ name, value, inline = false }) => ({ name, value, inline })),
  };
  return { ...embed, type: EmbedType.Rich, ...filled };
}
