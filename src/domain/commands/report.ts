import { isLeftToOperators, type ReportState } from "../reports/report.ts";
import type { MessageKey } from "../../common/i18n.ts";
import { button } from "./command.ts";

/** What somebody is told whose report was counted; an operator who looked at it before is not asked to do so again. */
const THANKS = {
  open: "report.thanks.open",
  withheld: "report.thanks.withheld",
  settled: "report.thanks.settled",
} as const satisfies Record<ReportState, MessageKey>;

/** Reports a result, by anybody in the group that it was made in. Who it was is told to nobody there. */
export const report = button(
  "report",
  "action.report",
  async ({ reports, origin, reply }, of) => {
    const { report: counted, changed } = await reports.add(of, origin);
    const isLeftHere = counted.state === "settled" && isLeftToOperators(counted);
    const thanks = isLeftHere ? "report.thanks.settled_here" : THANKS[counted.state];
    await reply({ kind: "notice", text: { key: changed ? thanks : "report.thanks.before" } });
  },
  { traits: { aside: true } },
);
