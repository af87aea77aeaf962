/** Writes what the documentation tells of the code: `npm run docs`. Tests compare both. */
import { writeFileSync } from "node:fs";
import { POLICY_PAGE, policyPage } from "./policy.ts";
import { README, readmePage } from "./settings.ts";

writeFileSync(POLICY_PAGE, policyPage());
writeFileSync(README, readmePage());
