import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  type APIMessageComponentInteraction,
  type APISelectMenuComponent,
  type APISelectMenuOption,
  ButtonStyle,
  ComponentType,
} from "discord.js";
import { cut } from "../../../src/seam/text/cut.ts";
import { say as sayMessage } from "../../../src/seam/text/say.ts";
import type { Action, MenuItem } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { buttonRows as rowsOfActions, itemRows, type Rows } from "../../kit/messages/buttons.ts";
import { isOwnToken, ownPart, ownToken } from "../../../src/seam/text/actions.ts";
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

/** Buttons as Discord takes them: each hands its token back. */
export const componentsOf = (rows: Rows): Row[] =>
  rows.map((row) => ({
    type: ComponentType.ActionRow,
    components: row.map(({ text, token, style }) => ({
      type: ComponentType.Button,
      style: STYLES[style],
      label: fit(text, DISCORD.buttonLabel),
      custom_id: token,
    })),
  }));

/** Buttons beside each other, in as few rows as hold them. */
export const buttonRows = (say: Translate, actions?: readonly Action[]): Row[] =>
  componentsOf(rowsOfActions(say, actions, { perRow: DISCORD.rowButtons, primaryAlone: false }));

/**
 * What can be done with the items of a menu: a row for each, with its number, as long as there are rows for all; else
 * a list for each thing that can be done, such as "Delete", to pick the item from. A page of the core's holds fewer
 * items than a list may have.
 */
export function menuRows(say: Translate, items: readonly MenuItem[], actions?: readonly Action[]): Row[] {
  const below = buttonRows(say, actions);
  const distinct = withoutRepeated(items);
  const beside = componentsOf(itemRows(say, distinct));
  const above = beside.length + below.length <= DISCORD.rows ? beside : lists(say, distinct);
  return [...above, ...below];
}

/** Items without what another one before them does as well: Discord takes no id twice in a message (components/reference, "Custom ID"). */
function withoutRepeated(items: readonly MenuItem[]): MenuItem[] {
  const before = new Set<string>();
  return items.map((item) => {
    const actions = item.actions.filter(({ token }) => !before.has(token));
    for (const { token } of actions) before.add(token);
    return { ...item, actions };
  });
}

function lists(say: Translate, items: readonly MenuItem[]): Row[] {
  const entries = items.flatMap((item, index) =>
    item.actions.map((action) => ({
      label: sayMessage(say, action.label),
      option: {
        label: fit(`${index + 1}. ${sayMessage(say, item.title)}`, DISCORD.selectText),
        value: action.token,
        ...(item.detail && { description: fit(sayMessage(say, item.detail), DISCORD.selectText) }),
      },
    })),
  );
  return [...Map.groupBy(entries, ({ label }) => label)].map(([label, those], nth) => {
    const options = those.map(({ option }) => option);
    return listRow(ownToken(PICK, String(nth)), `${label}…`, options);
  });
}

/** A row with a list to pick from. */
export const listRow = (id: string, placeholder: string, options: APISelectMenuOption[]) =>
  menuRow({ type: ComponentType.StringSelect, custom_id: id, options }, placeholder);

/** A row with a menu. */
export const menuRow = (menu: APISelectMenuComponent, placeholder: string): Row => ({
  type: ComponentType.ActionRow,
  components: [{ ...menu, placeholder: fit(placeholder, DISCORD.placeholder) }],
});

/** The core's token that a pressed button or a picked entry carries; undefined for the adapter's own. */
export function coreTokenOf({ data }: Pick<APIMessageComponentInteraction, "data">): string | undefined {
  const { custom_id: id } = data;
  if (!isOwnToken(id)) return id;
  return ownPart(id, PICK) !== undefined && "values" in data ? data.values[0] : undefined;
}
