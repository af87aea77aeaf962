import type { Surfaces } from "../../seam/surface/surfaces.ts";
import { type ChatId, type Platform, platformOf, type UserId } from "../../seam/values.ts";
import type { Groups } from "../groups/groups.ts";
import type { Blocks } from "../policy/blocks.ts";
import type { PolicyConfig } from "../policy/config.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { Deliveries } from "../webhooks/deliveries.ts";
import { LeftNotices } from "./left-notices.ts";
import { ReportNews, type TellAddress } from "./report-news.ts";
import { OPERATORS } from "./report.ts";
import { type Readers, ReportTeller } from "./report-teller.ts";
import { Reports, type ReportsParts } from "./reports.ts";

/** What reports are opened with. */
interface OpenParts extends Pick<ReportsParts, "database" | "ledger" | "audit"> {
  readonly policy: Pick<PolicyConfig, "reportsTo" | "reportsToWithhold">;
  readonly surfaces: Surfaces;
  readonly blocks: Blocks;
  readonly groups: Groups;
  readonly log: Logger;
}

/** Reports, and who tells operators of them, in a process that is connected to where they are told. */
export interface OpenReports {
  readonly reports: Reports;
  readonly news: ReportNews;
  readonly left: LeftNotices;
  readonly tellers: readonly ReportTeller[];
}

/** Opens them; whether an address may be called was seen when the settings were read. */
export function openReports(parts: OpenParts): OpenReports {
  const { database, surfaces, policy } = parts;
  const { reportsTo: to, reportsToWithhold: toWithhold } = policy;
  const isAddress = /^https?:/.test(to);
  const news = new ReportNews(database, isAddress ? callerOf(to, database) : undefined);
  const left = new LeftNotices(database);
  const reports = new Reports({ ...parts, news, toWithhold, platforms: surfaces.names });
  const tellers = surfaces.all.flatMap((surface) => {
    const readers = [managersOn(surface.name, parts.groups)];
    if (!isAddress && surface.name === platformOf(to as UserId))
      readers.push({ of: OPERATORS, place: async () => to as UserId });
    return readers.map((those) => new ReportTeller({ ...parts, news, left, surface, readers: those }));
  });
  return { reports, news, left, tellers };
}

/** Those who manage groups on a platform: each group's where they chose to be told. */
const managersOn = (platform: Platform, groups: Groups): Readers => ({
  of: platform,
  async place(audience) {
    const { log } = await groups.of(audience as ChatId);
    return log?.isLost ? undefined : log?.to;
  },
  lose: (audience, place) => groups.loseLog(audience as ChatId, place),
});

function callerOf(url: string, database: OpenParts["database"]): TellAddress {
  const deliveries = new Deliveries(database);
  return async (db, type, job, data) => {
    await deliveries.addForOperator(db, url, type, job, data);
  };
}
