import { Audit } from "../domain/audit/audit.ts";
import { openOperators } from "../domain/operators/open.ts";
import { partnerStates } from "../domain/policy/budgets.ts";
import { sumDays } from "../domain/usage/day-sums.ts";
import { dayOf } from "../domain/usage/forecast.ts";
import { openWebhooks } from "../domain/webhooks/open.ts";
import { currentTime } from "../common/time.ts";
import type { OperatorHost } from "../seam/surface/host.ts";
import { partnerUser } from "../seam/access/partners.ts";
import type { PartnerAdminHost } from "./partner-admin.ts";

/**
 * What those who run Reelay do on the page, by the same use cases as on the command line. They are loaded at the first call: few ever
 * open that page.
 */
export async function openOperatorHost(parts: Omit<PartnerAdminHost, "by">): Promise<OperatorHost> {
  const { config, database, vault, log } = parts;
  const inSandbox = parts.shared === "sandbox";
  const audit = await Audit.open(database, "digest");
  return {
    operators: await openOperators({ settings: config, database, vault }),
    async partners(by) {
      const { openPartnerAdmin } = await import("./partner-admin.ts");
      return openPartnerAdmin({ ...parts, by });
    },
    async safety(by) {
      const { openSafetyAdmin } = await import("./safety-admin.ts");
      return openSafetyAdmin(database, vault.known, by);
    },
    webhooks(by) {
      const { privateHosts } = config;
      return openWebhooks({ database, vault, log, audit, surface: "web", by, privateHosts }).webhooks;
    },
    async keys(by) {
      const { openKeyDesk } = await import("./key-admin.ts");
      return openKeyDesk({ config, database, vault, log, by });
    },
    async keyCards() {
      const { lookAtKeys } = await import("./key-admin.ts");
      return lookAtKeys({ config, database, vault, log });
    },
    async partnerSums(since) {
      const sums = await sumDays(database, { since, until: dayOf(currentTime()) }, ["partner"], inSandbox);
      return new Map(sums.map((row) => [row.partner ?? "", row]));
    },
    budgetsOf: (partner) =>
      partnerStates(database, partnerUser(partner), undefined, currentTime(), inSandbox),
  };
}
