import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { REGIONS_PER_SIDE } from "../../../src/infrastructure/media/pictures/mask-regions.ts";
import { button, inRows, type PageRows } from "./page-parts.ts";

/** Nine regions to choose from, for those who do not want to paint; chosen ones are red. */
export function maskRows(say: Translate, { name }: FieldSpec, regions: readonly number[]): PageRows {
  const grid = Array.from({ length: REGIONS_PER_SIDE ** 2 }, (_, region) => {
    const isChosen = regions.includes(region);
    const next = isChosen ? regions.filter((one) => one !== region) : [...regions, region];
    return button(isChosen ? "🟥" : "⬜", "regions", name, writeRegions(next));
  });
  const use = button(say("draft.mask.use"), "mark", name, writeRegions(regions));
  return [...inRows(grid, REGIONS_PER_SIDE), ...(regions.length > 0 ? [[use]] : [])];
}

/** Regions as a button carries them: their digits. */
const writeRegions = (regions: readonly number[]) => regions.toSorted((a, b) => a - b).join("");

/** The regions that a button carries. */
export const readRegions = (digits: string): readonly number[] =>
  digits
    .split("")
    .map(Number)
    .filter((region) => region < REGIONS_PER_SIDE ** 2);
