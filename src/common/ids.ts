/** How the ids of jobs begin that are given at a time: nine digits of milliseconds in base 36. @param at milliseconds since 1970 */
export function idsFrom(at: number): string {
  return Math.max(0, at).toString(36).padStart(9, "0");
}
