/** The one person that the page serves, and where messages for them go. */
export const PERSON = {
  platform: "web",
  user: "web:me",
  address: { conversation: "me" },
  audience: "private",
} as const;
