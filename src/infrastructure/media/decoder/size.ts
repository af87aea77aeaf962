import { ReelayError } from "../../../common/errors.ts";
import { BUDGET } from "./budget.ts";

/** How large a picture is, in pixels, as it is shown. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Holds what a picture says of itself against the budget.
 * @throws ReelayError `media_dimensions`
 */
export function checkSize({ width, height }: Size, pixels: number): void {
  const sides = [width, height].toSorted((a, b) => a - b);
  const [short = 0, long = 0] = sides;
  if (short >= 1 && long <= BUDGET.aspect * short && width * height <= pixels) return;
  const { aspect } = BUDGET;
  throw new ReelayError("media_dimensions", { width, height, megapixels: pixels / 1e6, aspect });
}
