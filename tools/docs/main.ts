/** Writes what is made of the code, the documentation and the compiled word lists: `npm run docs`. Tests compare both. */
import { writeFileSync } from "node:fs";
import { COMMAND_LINE_PAGE, commandLinePage } from "./command-line.ts";
import { README, readme } from "./operations.ts";
import { PLATFORMS_PAGE, platformsPage } from "./platforms.ts";
import { POLICY_PAGE, policyPage } from "./policy.ts";
import { SANDBOX_PAGE, sandboxPage } from "./sandbox.ts";
import { SETTINGS_PAGE, settingsPage } from "./settings.ts";
import { WORDS, wordsFile } from "./words.ts";

writeFileSync(COMMAND_LINE_PAGE, commandLinePage());
writeFileSync(README, readme());
writeFileSync(PLATFORMS_PAGE, platformsPage());
writeFileSync(POLICY_PAGE, policyPage());
writeFileSync(SANDBOX_PAGE, sandboxPage());
writeFileSync(SETTINGS_PAGE, settingsPage());
writeFileSync(WORDS, wordsFile());
