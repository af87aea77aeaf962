import type { Check } from "../../../src/seam/surface/runtime.ts";

/** How long the doctor waits for a platform, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** What differs from platform to platform. */
interface PlatformRules {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** What to do about a token that it does not know. */
  readonly tokenAdvice: string;
  readonly isUnknownToken: (error: unknown) => boolean;
  /** The setting that says where it is, where that is not as usual. */
  readonly rootSetting: string;
}

/** Whether a platform can be reached with the token that is set, and what it says. */
export async function examinePlatform(
  { name, title, tokenAdvice, isUnknownToken, rootSetting }: PlatformRules,
  look: (signal: AbortSignal) => Promise<Omit<Check, "name">>,
): Promise<Check> {
  try {
    return { name, ...(await look(AbortSignal.timeout(TIMEOUT_MS))) };
  } catch (error) {
    if (isUnknownToken(error))
      return { name, ok: false, found: `${title} does not know the token`, advice: tokenAdvice };
    const found = error instanceof Error ? error.message : String(error);
    const advice = `Check the network of this machine, and ${rootSetting} if it is set.`;
    return { name, ok: false, found, advice };
  }
}
