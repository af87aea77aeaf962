/** What a deep link to a template begins with; its code follows. */
export const TEMPLATE_LINK = "t_";

/** What a deep link starts with that leads to a group's rules. */
export const rulesOf = (group: number) => `g_${group}`;

/** The group whose rules a deep link leads to. */
export function groupIn(start: string): number | undefined {
  const [, id] = /^g_(-\d{1,15})$/.exec(start) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The link that opens the private chat and starts with something: A-Z, a-z, 0-9, _ and -, at most 64 of them. */
export const deepLink = (username: string, start: string) => `https://t.me/${username}?start=${start}`;
