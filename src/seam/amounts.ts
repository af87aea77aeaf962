export { decimal } from "../infrastructure/api/records/decimal.ts";

/** Token amounts are decimals (section 2.1): nearer than this they are the same. */
export const HALF_A_CENT = 0.005;
