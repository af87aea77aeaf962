import type { Home } from "../../support/crash-child.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";

/**
 * What the whole program needs to be there: a service that the operator pays for, and a Discord as it is published.
 * @param timeScale how slowly Discord's time goes
 */
export async function surroundings({ timeScale = 1 } = {}) {
  const sandbox = await testSandbox();
  const discord = await FakeDiscord.start({ timeScale });
  const home: Home = {
    data: temporaryFolder(),
    env: {
      REELAY_API_URL: sandbox.url,
      REELAY_API_KEY: sandbox.keys.ultra,
      REELAY_OPERATOR_KEY_FOR: "all",
      REELAY_SECRET: "a secret for tests only",
      REELAY_RATE_WINDOW_MS: "1200",
      REELAY_POLL_MS: "100",
      DISCORD_BOT_TOKEN: discord.token,
      DISCORD_API_ROOT: discord.url,
    },
  };
  return {
    sandbox,
    discord,
    home,
    async [Symbol.asyncDispose]() {
      await discord.stop();
      await sandbox.stop();
    },
  };
}
