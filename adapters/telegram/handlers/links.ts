/** What a deep link to a template begins with; its code follows. */
export const TEMPLATE_LINK = "t_";

/** What a deep link starts with that leads to a group's rules. */
export const rulesOf = (group: number) => `g_${group}`;

/** What a deep link starts with that leads to what was reported in a group. */
export const reportsOf = (group: number) => `r_${group}`;

/** The group that a deep link is about, and whether it leads to its rules (`g`) or to what was reported there (`r`). */
export function groupIn(start: string): { readonly group: number; readonly what: "g" | "r" } | undefined {
  const [, what, id] = /^([gr])_(-\d{1,15})$/.exec(start) ?? [];
  return id === undefined ? undefined : { group: Number(id), what: what === "g" ? "g" : "r" };
}

/** The link that opens the private chat and starts with something: A-Z, a-z, 0-9, _ and -, at most 64 of them. */
export const deepLink = (username: string, start: string) => `https://t.me/${username}?start=${start}`;
