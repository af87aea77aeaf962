import { AsyncLocalStorage } from "node:async_hooks";

const testing = new AsyncLocalStorage<true>();

/**
 * Does something for test tokens: whatever it begins, and what that begins, {@link isTestMode} knows. What is told to all who listen in
 * this process (numbers, spans, alerts) would be taken for the service's else.
 */
export const inTestMode = <T>(work: () => T): T => testing.run(true, work);

/** Whether this is done for test tokens. */
export const isTestMode = (): boolean => testing.getStore() === true;
