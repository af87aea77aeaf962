/** What is counted beside the statements: writes that are a transaction by themselves. */
export const BY_ITSELF = "a write by itself";
