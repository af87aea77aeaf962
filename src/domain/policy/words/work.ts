/**
 * What matching has done since the start, in steps from a letter to the next: a test counts them, because time says
 * more about the machine.
 */
export const work = { steps: 0 };
