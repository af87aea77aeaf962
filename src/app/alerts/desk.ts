import { sleep } from "../../common/time.ts";
import { Deliveries, OPERATOR } from "../../domain/webhooks/deliveries.ts";
import { isAddress } from "../../domain/alerts/alerts.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { AlertDesk, AlertTest } from "../../seam/access/alerts.ts";
import { alertsIn, type ToldBy } from "./open.ts";

/** How long is waited for what becomes of a test, in milliseconds: a server looks every few seconds. */
const WAIT_MS = 20_000;
const LOOK_MS = 250;

/** What an operator may do about alerts, over a database that servers use meanwhile. */
export function openAlertDesk(settings: ToldBy, database: Database, waitMs = WAIT_MS): AlertDesk {
  const alerts = alertsIn(settings, database);
  const deliveries = new Deliveries(database);

  const outcomeAt = async (place: string, id: string): Promise<AlertTest["outcome"]> => {
    if (isAddress(place)) {
      const { state, attempts } = await deliveries.find(OPERATOR, id);
      if (state === "delivered") return "told";
      return attempts.length > 0 ? "failed" : "waiting";
    }
    const failures = await alerts.failuresOf("test", id);
    if (failures === undefined) return "told";
    return failures > 0 ? "failed" : "waiting";
  };

  return {
    list: () => alerts.list(),
    async test() {
      const told = await alerts.test();
      for (let left = waitMs; ; left -= LOOK_MS) {
        const tests = await Promise.all(
          told.map(async ({ place, id }) => ({ place: shown(place), outcome: await outcomeAt(place, id) })),
        );
        if (left <= 0 || tests.every(({ outcome }) => outcome !== "waiting")) return tests;
        await sleep(LOOK_MS);
      }
    },
  };
}

/** A place as it may be shown: what follows an address's host often opens something. */
const shown = (place: string) => (isAddress(place) ? new URL(place).origin : place);
