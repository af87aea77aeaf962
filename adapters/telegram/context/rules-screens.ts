/** What stands below a group's rules. */
export const SCREENS = ["main", "operations", "quota", "limit", "locale"] as const;

/** One of {@link SCREENS}. */
export type RulesScreen = (typeof SCREENS)[number];
