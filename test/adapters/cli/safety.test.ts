import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../../adapters/cli/cli.ts";
import { blockedLines } from "../../../adapters/cli/output/safety-text.ts";
import { translator } from "../../../src/common/i18n.ts";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import type { Partner } from "../../../src/seam/access/partners.ts";
import { openSafetyAdmin } from "../../../src/app/safety-admin.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { scriptedRuntime } from "./support/runtime.ts";
import { Terminal } from "./support/terminal.ts";

const PHOTO = "a photo";

/** Runs the command line over a data folder, piped. */
async function reelay(data: string, ...args: readonly string[]) {
  const terminal = new Terminal({ env: { LANG: "en" }, cwd: data });
  const { runtime } = scriptedRuntime({
    runtime: {
      safety: async (work) => {
        const database = await openDatabase(join(data, "reelay.db"));
        try {
          return await work(
            await openSafetyAdmin(
              database,
              {
                findIn: async (text) =>
                  text.includes("a-key") ? { key: "a-key", of: "service" } : undefined,
              },
              "cli:me",
            ),
          );
        } finally {
          await database.close();
        }
      },
    },
  });
  const code = await runCli(args, runtime, terminal);
  return { code, stdout: terminal.stdout.text, stderr: terminal.stderr.text };
}

describe("reelay audit", () => {
  let data: string;

  beforeAll(async () => {
    data = temporaryFolder();
    await writeFile(join(data, "photo.jpg"), PHOTO);
    const database = await openDatabase(join(data, "reelay.db"));
    const audit = await Audit.open(database, "digest");
    const ann = { user: "telegram:1", surface: "telegram", chat: "telegram:-100" } as const;
    const video = { operation: "video", values: { prompt: "slow zoom" } };
    await audit.write({ act: "refuse", rule: "words_blocked", ...ann, ...video });
    await audit.write({ act: "allow", job: "job-1", ...ann, ...video });
    await audit.noteFile("job-1", createHash("sha256").update(PHOTO).digest("hex"));
    await audit.write({ act: "agree", rule: "terms 1", user: "discord:2", surface: "discord" });
    await audit.forget("discord:2");
    await database.close();
  });

  const entries = async (...args: readonly string[]) => {
    const { stdout, stderr } = await reelay(data, "audit", "--json", ...args);
    expect(stderr).toBe("");
    return JSON.parse(stdout).entries as readonly Record<string, unknown>[];
  };

  it("tells who, when, what and which rule, the latest first, and no words", async () => {
    const all = await entries();
    expect(all).toMatchObject([
      { act: "agree", rule: "terms 1", user: null, surface: "discord" },
      { act: "allow", rule: null, user: "telegram:1", job: "job-1", operation: "video", content: null },
      { act: "refuse", rule: "words_blocked", user: "telegram:1", chat: "telegram:-100", job: null },
    ]);
    expect(all[1]?.["digest"]).toBe(all[2]?.["digest"]);
    expect(JSON.stringify(all)).not.toContain("slow zoom");
  });

  it("finds the lines that are sought, also by the very file that was given", async () => {
    expect(await entries("--act", "refuse")).toHaveLength(1);
    expect(await entries("--user", "telegram:2")).toEqual([]);
    expect(await entries("--until", "2020-01-01")).toEqual([]);
    expect(await entries("--file", join(data, "photo.jpg"))).toMatchObject([{ job: "job-1" }]);
    const { code, stderr } = await reelay(data, "audit", "--file", join(data, "none.jpg"));
    expect(code).toBe(2);
    expect(stderr).toContain("none.jpg");
    const nobody = await reelay(data, "audit", "--user", "ann");
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain("--user");
  });

  it("is CSV for spreadsheets", async () => {
    const { stdout } = await reelay(data, "audit", "--csv", "--limit", "2");
    const [head, ...rows] = stdout.trimEnd().split("\r\n");
    expect(head).toBe("id,at,act,rule,user,username,chat,surface,operation,job,digest,files,content,by");
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatch(
      /^2,\d{4}-\d\d-\d\dT[\d:.]+Z,allow,,telegram:1,,telegram:-100,telegram,video,job-1,/,
    );
  });
});

describe("reelay block", () => {
  it("takes no key for a name or a reason", async () => {
    const data = temporaryFolder();
    for (const args of [["http:my-shop/a-key"], ["telegram:7", "--reason", "wrote a-key"]]) {
      const { code, stderr } = await reelay(data, "block", "add", ...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining("API key")]);
    }
    expect((await reelay(data, "block", "list", "--json")).stdout).toContain('"blocks":[]');
  });

  it("keeps a partner out who is not there yet, and says that there is none so far", async () => {
    const data = temporaryFolder();
    const added = async (who: string) => {
      const { block } = JSON.parse((await reelay(data, "block", "add", who)).stdout);
      return blockedLines(translator("en"), block).join("\n");
    };
    const none = "There is no partner “http:nosuch” here so far.";
    for (const who of ["http:nosuch", "http:nosuch/ann"]) expect(await added(who)).toContain(none);
    expect(await added("telegram:7")).toBe(translator("en")("cli.block.added", { who: "telegram:7" }));
    const database = await openDatabase(join(data, "reelay.db"));
    await new PartnerBook(database).copy({ id: "nosuch" } as Partner);
    await database.close();
    expect(await added("http:nosuch/ann")).not.toContain("There is no");
  });

  it("keeps the reason that was given before where none is given now", async () => {
    const data = temporaryFolder();
    await reelay(data, "block", "add", "telegram:7", "--reason", "spam");
    const again = await reelay(data, "block", "add", "telegram:7");
    expect(JSON.parse(again.stdout)).toMatchObject({ block: { subject: "telegram:7", reason: "spam" } });
    await reelay(data, "block", "add", "telegram:8");
    const list = async () => JSON.parse((await reelay(data, "block", "list")).stdout).blocks;
    expect(await list()).toMatchObject([
      { subject: "telegram:8" },
      { subject: "telegram:7", reason: "spam" },
    ]);
    await reelay(data, "block", "add", "telegram:7", "--reason", "threats");
    expect(await list()).toMatchObject([{ subject: "telegram:7", reason: "threats" }, {}]);
  });

  it("keeps somebody out and lets them in again, and writes both down", async () => {
    const data = temporaryFolder();
    const json = async (...args: readonly string[]) =>
      JSON.parse((await reelay(data, ...args, "--json")).stdout);
    expect(await json("block", "add", "telegram:7", "--reason", "spam")).toMatchObject({
      event: "blocked",
      block: { subject: "telegram:7", reason: "spam" },
    });
    expect(await json("block", "list")).toMatchObject({ blocks: [{ subject: "telegram:7" }] });
    expect(await json("block", "remove", " Telegram:7")).toMatchObject({ was: true });
    expect(await json("block", "remove", "telegram:7")).toMatchObject({ was: false });
    expect(await json("audit")).toMatchObject({
      entries: [
        { act: "unblock", rule: "telegram:7", user: "cli:me" },
        { act: "block", rule: "telegram:7", user: "cli:me" },
      ],
    });
    // Nobody would be kept out by it.
    for (const who of ["ann", "telegram:@ann"]) {
      const { code, stderr } = await reelay(data, "block", "add", who);
      expect(code).toBe(2);
      expect(stderr).toContain(who);
    }
  });
});
