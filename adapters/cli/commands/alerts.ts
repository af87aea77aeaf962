import { EXIT } from "../output/exit-codes.ts";
import { isToldEverywhere } from "../output/text.ts";
import { group } from "./definition.ts";
import { noFlags } from "./grouped.ts";

/** Defines `reelay alerts`. */
export const defineAlerts = group([
  {
    usage: "list",
    description: "cli.alerts.list",
    addFlags: noFlags,
    async run({ runtime, printer }) {
      printer.print({ event: "alerts", alerts: await runtime.alerts((desk) => desk.list()) });
      return EXIT.ok;
    },
  },
  {
    usage: "test",
    description: "cli.alerts.test",
    addFlags: noFlags,
    async run({ runtime, printer }) {
      const places = await runtime.alerts((desk) => desk.test());
      printer.print({ event: "alerts_tested", places });
      return isToldEverywhere(places) ? EXIT.ok : EXIT.failed;
    },
  },
]);
