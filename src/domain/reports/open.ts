import type { Surfaces } from "../../seam/surface/surfaces.ts";
import { platformOf, type UserId } from "../../seam/values.ts";
import { ConfigError } from "../../common/config-error.ts";
import { checkedUrl } from "../../infrastructure/net/guarded.ts";
import type { Blocks } from "../policy/blocks.ts";
import type { PolicyConfig } from "../policy/config.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { Deliveries, OPERATOR } from "../webhooks/deliveries.ts";
import { ReportNews, type TellAddress } from "./report-news.ts";
import { ReportTeller } from "./report-teller.ts";
import { Reports, type ReportsParts } from "./reports.ts";

/** What reports are opened with. */
interface OpenParts extends Pick<ReportsParts, "database" | "ledger" | "audit"> {
  readonly policy: Pick<PolicyConfig, "operators" | "reportsTo" | "reportsToWithhold">;
  readonly privateHosts: readonly string[];
  readonly surfaces: Surfaces;
  readonly blocks: Blocks;
  readonly log: Logger;
}

/** Reports, and who tells operators of them, in a process that is connected to where they are told. */
export interface OpenReports {
  readonly reports: Reports;
  readonly news: ReportNews;
  readonly tellers: readonly ReportTeller[];
}

/** @throws ConfigError for an address that may not be called */
export function openReports(parts: OpenParts): OpenReports {
  const { database, surfaces, policy } = parts;
  const { reportsTo: to, reportsToWithhold: toWithhold } = policy;
  const isAddress = /^https?:/.test(to);
  const news = new ReportNews(database, isAddress ? callerOf(to, parts) : undefined);
  const reports = new Reports({ ...parts, news, toWithhold, platforms: surfaces.names });
  const recipient = to as UserId;
  const surface = surfaces.all.find(({ name }) => !isAddress && name === platformOf(recipient));
  return {
    reports,
    news,
    tellers: surface ? [new ReportTeller({ ...parts, news, surface, recipient })] : [],
  };
}

function callerOf(url: string, { database, privateHosts }: OpenParts): TellAddress {
  try {
    checkedUrl(url, privateHosts);
  } catch {
    const wanted = "a public https address, or one of a host that REELAY_PRIVATE_HOSTS names";
    throw new ConfigError([{ setting: "REELAY_REPORTS_TO", found: JSON.stringify(url), wanted }]);
  }
  const deliveries = new Deliveries(database);
  return (db, type, job, data) => deliveries.addReport(db, { user: OPERATOR, url }, type, job, data);
}
