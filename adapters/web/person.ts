import type { Origin } from "../../src/seam/origin.ts";
import { type Address, platformOf, type UserId } from "../../src/seam/values.ts";

/** Somebody whom the page serves, and where messages for them go. */
export interface PagePerson extends Pick<Origin, "user"> {
  readonly platform: "web";
  readonly audience: "private";
  readonly address: { readonly conversation: string };
}

/** Whoever has the terminal of Reelay, or the login token from there. */
export const OPERATOR: PagePerson = {
  platform: "web",
  user: "web:me",
  address: { conversation: "me" },
  audience: "private",
};

/** Somebody by the name that they have everywhere here: on everybody's page that of their chat, on the operators' their own. */
export function personOf(user: UserId): PagePerson {
  return user === OPERATOR.user ? OPERATOR : { ...OPERATOR, user, address: { conversation: user } };
}

/** Whether it is somebody who runs Reelay: no chat has brought them here. */
export const isOperators = (user: UserId): boolean => platformOf(user) === OPERATOR.platform;

/** The message that asked for what is told at an address, or shown by a receipt; nothing where no message did. */
export const askedAt = ({ asked }: Address): { readonly asked?: string } =>
  typeof asked === "string" ? { asked } : {};

/** Whose conversation an address or a receipt is in. Before there were several, receipts did not say so. */
export function userAt({ conversation = "me" }: Address): UserId {
  return conversation === OPERATOR.address.conversation ? OPERATOR.user : (conversation as UserId);
}
