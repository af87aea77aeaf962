import type { FieldSpec } from "../../../src/seam/fields.ts";
import { messageKey, type Translate } from "../../../src/common/i18n.ts";
import { REGIONS_PER_SIDE } from "../../../src/infrastructure/media/pictures/mask-regions.ts";
import { inRows, type Rows } from "../messages/buttons.ts";
import { button, type Format } from "./page-parts.ts";

const REGIONS = Array.from({ length: REGIONS_PER_SIDE ** 2 }, (_, region) => region);

/**
 * Nine regions to choose from, for those who do not want to paint; chosen ones are red. In a list they have names, since none stands where
 * its region is, and what uses them comes first: a list may end before it.
 */
export function maskRows(
  { inList }: Pick<Format, "inList">,
  say: Translate,
  { name }: FieldSpec,
  chosen: readonly number[],
): Rows {
  const buttons = REGIONS.map((region) => {
    const isChosen = chosen.includes(region);
    const mark = isChosen ? "🟥" : "⬜";
    const next = isChosen ? chosen.filter((one) => one !== region) : [...chosen, region];
    const label = inList ? `${mark} ${regionName(say, region)}` : mark;
    return button(label, "regions", name, writeRegions(next));
  });
  const grid = inRows(buttons, inList ? 1 : REGIONS_PER_SIDE);
  if (chosen.length === 0) return grid;
  const use = [button(say("draft.mask.use"), "mark", name, writeRegions(chosen))];
  return inList ? [use, ...grid] : [...grid, use];
}

/** The names of chosen regions. */
export const regionNames = (say: Translate, chosen: readonly number[]): string =>
  REGIONS.filter((region) => chosen.includes(region))
    .map((region) => regionName(say, region))
    .join(", ");

const regionName = (say: Translate, region: number) => say(messageKey(`page.mask.cell.${region}`));

/** Regions as a button carries them: their digits. */
const writeRegions = (regions: readonly number[]) => regions.toSorted((a, b) => a - b).join("");

/** The regions that a button carries. */
export const readRegions = (digits: string): readonly number[] =>
  digits
    .split("")
    .map(Number)
    .filter((region) => REGIONS.includes(region));
