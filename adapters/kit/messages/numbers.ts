import { platformOf, type UserId } from "../../../src/seam/values.ts";

/** The person who is a number's holder. @param nth undefined for the first */
export const holderOf = (platform: string, chat: string, nth: number | undefined): UserId =>
  `${platform}:${chat}${nth === undefined ? "" : `.${nth}`}` as UserId;

/** The number of a person, whichever of its holders they are, or the id that stands for it: that is nobody else's ever. */
export const numberOf = (user: UserId): string =>
  user.slice(platformOf(user).length + 1).replace(/^(\d+)\.\d+$/, "$1");
