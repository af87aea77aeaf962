/** What a deep link to a template begins with. */
export const TEMPLATE_LINK = "t_";

/** What the deep link of a template carries. Telegram takes A-Z, a-z, 0-9, _ and -, at most 64 of them. */
export const templateLink = (code: string) => `${TEMPLATE_LINK}${code}`;

/** The link that opens the private chat and starts with something. */
export const deepLink = (username: string, start: string) => `https://t.me/${username}?start=${start}`;
