/** Until a test gives up waiting, in milliseconds: slow machines may take their time, but not for ever. */
export const PATIENCE_MS = 240_000;
