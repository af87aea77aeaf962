import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInMessageActionRow,
  type APIMessageComponentInteraction,
  type APISelectMenuOption,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
} from "discord.js";
import { cut } from "../../../src/chat/cut.ts";
import { say as sayMessage } from "../../../src/chat/say.ts";
import type { Action, MenuItem } from "../../../src/chat/views.ts";
import type { Translate } from "../../../src/i18n.ts";
import { ownId } from "../context/context.ts";
import { DISCORD } from "../api/limits.ts";

/** A row below a message: up to five buttons, or one menu. */
export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** The mark of menus whose entries are the core's tokens. */
const PICK = "m";

const STYLES = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const;

/** As Discord counts, or more: so what fits here fits there. */
const units = (text: string) => text.length;

/** A text that is shown as it is, cut where Discord would refuse it. @param limit in characters */
export const fit = (text: string, limit: number) => cut(text, limit, units);

/** Buttons beside each other, in as few rows as hold them. */
export function buttonRows(say: Translate, actions: readonly Action[] = []): Row[] {
  return rowsOf(actions.map((action) => buttonOf(say, action)));
}

/** Any buttons, in as few rows as hold them. */
function rowsOf(buttons: readonly APIButtonComponent[]): Row[] {
  const starts = Array.from({ length: Math.ceil(buttons.length / DISCORD.rowButtons) }, (_, row) => row);
  return starts.map((row) => ({
    type: ComponentType.ActionRow,
    components: buttons.slice(row * DISCORD.rowButtons, (row + 1) * DISCORD.rowButtons),
  }));
}

/** A button that hands its token back. */
function buttonOf(say: Translate, { token, label, style }: Action): APIButtonComponent {
  const text = fit(sayMessage(say, label), DISCORD.buttonLabel);
  return { type: ComponentType.Button, style: STYLES[style], label: text, custom_id: token };
}

/**
 * What can be done with the items of a menu: a row for each, with its number, as long as there are rows for all; else
 * a list for each thing that can be done, such as "Delete", to pick the item from. A page of the core's holds fewer
 * items than a list may have.
 */
export function menuRows(say: Translate, items: readonly MenuItem[], actions?: readonly Action[]): Row[] {
  const below = buttonRows(say, actions);
  const beside = items.flatMap((item, index) => buttonRows(say, numbered(say, item, index)));
  const above = beside.length + below.length <= DISCORD.rows ? beside : lists(say, items);
  return [...above, ...below];
}

/** Its first button says which item the row belongs to. */
function numbered(say: Translate, { actions }: MenuItem, index: number): Action[] {
  return actions.map((action, nth) => {
    const text = `${index + 1}. ${sayMessage(say, action.label)}`;
    return nth === 0 ? { ...action, label: { key: "fact.text", params: { text } } } : action;
  });
}

/** One thing that can be done with one item. */
interface Entry {
  readonly item: MenuItem;
  readonly index: number;
  readonly action: Action;
}

function lists(say: Translate, items: readonly MenuItem[]): Row[] {
  const entries = items.flatMap((item, index) =>
    item.actions.map((action): Entry => ({ item, index, action })),
  );
  const byLabel = Map.groupBy(entries, ({ action }) => sayMessage(say, action.label));
  return [...byLabel].map(([label, those], nth) => {
    const list: APIStringSelectComponent = {
      type: ComponentType.StringSelect,
      custom_id: ownId(PICK, String(nth)),
      placeholder: fit(`${label}…`, DISCORD.placeholder),
      options: those.map((entry) => optionOf(say, entry)),
    };
    return { type: ComponentType.ActionRow, components: [list] };
  });
}

function optionOf(say: Translate, { item, index, action }: Entry): APISelectMenuOption {
  return {
    label: fit(`${index + 1}. ${sayMessage(say, item.title)}`, DISCORD.selectText),
    value: action.token,
    ...(item.detail && { description: fit(sayMessage(say, item.detail), DISCORD.selectText) }),
  };
}

/** The core's token that a pressed button or a picked entry carries; undefined for the adapter's own. */
export function coreTokenOf({ data }: Pick<APIMessageComponentInteraction, "data">): string | undefined {
  const { custom_id: id } = data;
  if (!id.startsWith("~")) return id;
  return id.startsWith(ownId(PICK, "")) && "values" in data ? data.values[0] : undefined;
}
