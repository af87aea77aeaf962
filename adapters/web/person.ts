import type { Origin } from "../../src/seam/origin.ts";
import type { Address, UserId } from "../../src/seam/values.ts";

/** Somebody whom the page serves, and where messages for them go. */
export interface PagePerson extends Pick<Origin, "user"> {
  readonly platform: "web";
  readonly audience: "private";
  readonly address: { readonly conversation: string };
}

/** Whoever runs Reelay. */
export const OPERATOR: PagePerson = {
  platform: "web",
  user: "web:me",
  address: { conversation: "me" },
  audience: "private",
};

/** Somebody by the name that they have everywhere here: on everybody's page that of their chat. */
export function personOf(user: UserId): PagePerson {
  return user === OPERATOR.user ? OPERATOR : { ...OPERATOR, user, address: { conversation: user } };
}

/** Whose conversation an address or a receipt is in. Before there were several, receipts did not say so. */
export function userAt({ conversation = "me" }: Address): UserId {
  return conversation === OPERATOR.address.conversation ? OPERATOR.user : (conversation as UserId);
}
