import { expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { Blocks } from "../../../src/domain/policy/blocks.ts";
import { OPERATORS } from "../../../src/domain/reports/report.ts";
import { LeftNotices } from "../../../src/domain/reports/left-notices.ts";
import { ReportNews } from "../../../src/domain/reports/report-news.ts";
import { ReportTeller } from "../../../src/domain/reports/report-teller.ts";
import { Reports } from "../../../src/domain/reports/reports.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../support/failing-folder.ts";
import { endedJob } from "../../support/job.ts";
import { MemorySurface } from "../../support/surface.ts";
import { GROUP, member, operator } from "./harness.ts";

it.each(FOLDER_FAULTS)(
  "operators are told once, although that they were could not be written at first: %s",
  async (fault) => {
    await using folder = new FailingFolder(fault);
    const database = await folder.open();
    const ledger = new Ledger(database, "one");
    const audit = await Audit.open(database, "digest");
    const news = new ReportNews(database, undefined);
    const reports = new Reports({ database, ledger, audit, news, toWithhold: 2, platforms: ["telegram"] });
    const surface = new MemorySurface("telegram");
    const log = makeLogger({ level: "silent" });
    const blocks = new Blocks(memory(database, "blocks"), []);
    const left = new LeftNotices(database);
    const readers = { of: OPERATORS, place: async () => operator.user } as const;
    const teller = new ReportTeller({ news, left, ledger, blocks, log, surface, readers });
    const asked = { user: "telegram:ann", chat: GROUP, surface: "telegram" } as const;
    const job = await endedJob(ledger, asked, { at: Date.now(), cost: 1, seconds: 5 });
    await reports.add(job, member("bob"));
    surface.beforePost = () => folder.fail();
    teller.start();
    await surface.until(() => surface.showing("notice").length > 0);
    await folder.mendOnceWaitedFor(teller.stop());
    expect(await news.noticeOf(job, OPERATORS)).toEqual({ index: 0 });
    // Whatever is left is to be told after a minute at the latest.
    expect(await news.claim(Date.now() + 3_600_000, OPERATORS)).toBeUndefined();
  },
);
