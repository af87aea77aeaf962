import { ConfigError } from "../../src/common/config-error.ts";
import { readConfig } from "../../src/app/config.ts";

/** The mistakes that an environment has. */
export function mistakes(env: Record<string, string>) {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}
