import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { endedJob } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const PROGRAM = fileURLToPath(new URL("../../../../tools/reelay.js", import.meta.url));

let data: string;

const shop = (inAppUsername: string) => ({ tags: { platform: "shop", inAppUsername } });

beforeAll(async () => {
  data = temporaryFolder();
  const database = await openDatabase(join(data, "reelay.db"));
  const ledger = new Ledger(database, "gone");
  const day = Date.UTC(2026, 0, 30);
  await endedJob(ledger, shop('ann, "the boss"'), { at: day, cost: 6.5, seconds: 90 });
  await endedJob(ledger, shop('ann, "the boss"'), { at: day, cost: 1234 });
  await endedJob(
    ledger,
    { ...shop("ben"), operation: "image" },
    { at: day + 24 * 60 * 60_000, cost: 1, seconds: 8 },
  );
  await endedJob(
    ledger,
    { tags: { platform: "web", inAppUsername: "cat" }, user: "web:cat" },
    { at: day, cost: 2, seconds: 4, toldAt: day },
  );
  await ledger.forget("web:cat");
  // What was tried out before there was a service.
  await endedJob(
    ledger,
    { ...shop("dan"), fingerprint: "sandbox", paidBy: "sandbox" },
    { at: day, cost: 99, seconds: 5 },
  );
  await database.close();
});

/** Where a service would be, which nothing here asks. */
const SERVICE = { REELAY_API_URL: "https://service.example/api" };

/** Runs a program in the data folder, where no `.env` of the checkout is read. */
async function run(
  file: string,
  args: readonly string[],
  service: Readonly<Record<string, string>> = SERVICE,
) {
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: data, ...service };
  return promisify(execFile)(file, args, { cwd: data, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const usage = (...args: readonly string[]) => run(process.execPath, [PROGRAM, "usage", ...args]);

describe.concurrent("reelay usage, as a process", () => {
  it("is one event when piped: by platform and operation, unless told otherwise", async () => {
    const { code, stdout, stderr } = await usage();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      event: "usage",
      by: ["platform", "operation"],
      rows: [
        { platform: "shop", operation: "image", jobs: 1, successes: 1, tokens: 1, seconds: 8 },
        { platform: "shop", operation: "video", jobs: 2, successes: 1, tokens: 1240.5, seconds: 90 },
        { platform: "web", operation: "video", jobs: 1, successes: 1, tokens: 2, seconds: 4 },
      ],
    });
    expect((await usage("--json")).stdout).toBe(stdout);
  });

  it("is of play money alone in the sandbox, and of none of it at a service", async () => {
    const { stdout } = await run(process.execPath, [PROGRAM, "usage"], {});
    expect(JSON.parse(stdout)).toMatchObject({
      rows: [{ platform: "shop", operation: "video", jobs: 1, tokens: 99 }],
    });
  });

  it("is a table on a terminal", async (context) => {
    if (process.platform !== "linux") context.skip("script(1) makes terminals the same way on Linux only");
    const command = [process.execPath, PROGRAM, "usage", "--by", "username,day"].join(" ");
    const { code, stdout } = await run("script", ["-qec", command, "/dev/null"]);
    expect(code).toBe(0);
    expect(stdout.split(/\r?\n/)).toEqual([
      "  username         day         jobs  successes   tokens  average time",
      "  (forgotten)      2026-01-30     1          1        2         4 sec",
      '  ann, "the boss"  2026-01-30     2          1  1,240.5  1 min 30 sec',
      "  ben              2026-01-31     1          1        1         8 sec",
      "",
    ]);
  });

  it("is CSV with --csv", async () => {
    const { code, stdout } = await usage("--csv", "--by", "day,username,operation,platform");
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "day,username,operation,platform,jobs,successes,tokens,seconds",
        "2026-01-30,,video,web,1,1,2,4",
        '2026-01-30,"ann, ""the boss""",video,shop,2,1,1240.5,90',
        "2026-01-31,ben,image,shop,1,1,1,8",
        "",
      ].join("\r\n"),
    );
  });

  it("counts what the filters let through alone", async () => {
    const filters = ["--platform", "shop", "--operation", "video", "--username", 'ann, "the boss"'];
    const dates = ["--since", "2026-01-30", "--until", "2026-01-30"];
    const { stdout } = await usage("--csv", "--by", "platform", ...filters, ...dates);
    expect(stdout.split("\r\n")[1]).toBe("shop,2,1,1240.5,90");
    expect(
      (await usage("--csv", "--by", "platform", "--since", "2026-02-01")).stdout.split("\r\n"),
    ).toHaveLength(2);
  });

  it.each([
    ["--by", "platform,planet"],
    ["--by", "day,day"],
    ["--by", ""],
    ["--since", "yesterday"],
    ["--until", "2026-02-30"],
    ["--operation", "juggle"],
    ["--json", "--csv"],
  ])("refuses %s %j", async (...flags) => {
    const { code, stderr } = await usage(...flags);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^(The value of --(by|since|until|operation) is not valid\. Expected: (platform, |a day |video, )|--csv cannot be combined)/,
    );
  });

  it("refuses an end before the beginning: nothing would be found, as if nothing had been made", async () => {
    const { code, stdout, stderr } = await usage("--csv", "--until", "2026-01-29", "--since", "2026-01-30");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe("The value of --until is not valid. Expected: 2026-01-30 or a later day (UTC).\n");
  });

  it("says a mistake on standard error alone when CSV is wanted", async () => {
    const { code, stdout, stderr } = await usage("--csv", "--since", "yesterday");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--since");
  });
});
