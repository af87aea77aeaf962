/** What a deep link to a template begins with; its code follows. */
export const TEMPLATE_LINK = "t_";

/** The link that opens the private chat and starts with something: A-Z, a-z, 0-9, _ and -, at most 64 of them. */
export const deepLink = (username: string, start: string) => `https://t.me/${username}?start=${start}`;
