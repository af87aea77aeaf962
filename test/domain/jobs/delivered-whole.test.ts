import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { MediaRef } from "../../../src/seam/values.ts";
import { type Answer, between, type Passing } from "../../support/between.ts";
import { testCore, type TestCore } from "../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox, tinyClip } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

let photo: MediaRef;
let clip: Buffer;

beforeAll(async () => {
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  photo = { surface: "web", id: path };
  clip = await readFile(tinyClip());
});

const ask = (core: TestCore) =>
  core.surface.intake.command(person("ann"), "video", { image: photo, prompt: "slow zoom" });
const isFile = ({ path }: Passing) => path.startsWith("/results/");
const isRecord = ({ method, path }: Passing) => method === "GET" && /^\/api\/jobs?\//.test(path);
const phases = (core: TestCore) =>
  core.surface.messages
    .flatMap(({ views }) => views)
    .flatMap((view) => (view.kind === "progress" ? view.phase : []));

async function stateInList(core: TestCore): Promise<unknown> {
  await core.surface.intake.command(person("ann"), "jobs", {});
  return core.surface.showing("menu").at(-1)?.items[0]?.detail?.params?.["state"];
}

const notices = (core: TestCore) =>
  core.surface.showing("problem").filter(({ problem }) => problem.code === "key_refused");

describe.concurrent("a 200 that is no result", () => {
  const page = `<!doctype html><title>Log in</title>${"<p>words</p>".repeat(200)}`;
  const answers: [string, () => Answer][] = [
    ["a page", () => ({ headers: { "content-type": "text/html" }, body: page })],
    ["a page that is called a film", () => ({ headers: { "content-type": "video/mp4" }, body: page })],
    ["nothing", () => ({ headers: { "content-type": "video/mp4" } })],
    [
      "a part",
      () => ({ headers: { "content-type": "video/mp4" }, body: clip.subarray(0, clip.length - 100) }),
    ],
    ["a message", () => ({ headers: { "content-type": "application/json" }, body: '{"status":"pending"}' })],
    ["a way to a login", () => ({ status: 302, headers: { location: "/login" } })],
    ["not found", () => ({ status: 404, body: '{"error":"Not found","code":404}' })],
    ["gone", () => ({ status: 410 })],
    ["a failure", () => ({ status: 500 })],
  ];

  it.each(answers)(
    "but %s is asked for again, where people see it, until it is there",
    async (_name, wrong) => {
      await using sandbox = await testSandbox();
      await using service = await between(sandbox);
      // Within one try, a failure is asked about four times.
      let refusals = wrong().status === 500 ? 6 : 2;
      service.answer = (passing) => {
        if (passing.path === "/login") return { headers: { "content-type": "text/html" }, body: page };
        return isFile(passing) && refusals-- > 0 ? wrong() : undefined;
      };
      await using core = await testCore(service);
      await ask(core);
      await core.surface.until(() => phases(core).includes("awaiting_file"));
      expect(core.surface.showing("result")).toEqual([]);
      expect(await stateInList(core)).toBe("awaiting_file");
      await core.surface.results(1);
      const files = core.surface.messages.flatMap((message) => message.files);
      expect(files.map((file) => file.equals(clip))).toEqual([true]);
      expect((await sandbox.ledger()).submissions).toHaveLength(1);
    },
  );

  it("is not fetched where the record says that it is not ready, and fetched from where it comes to be", async () => {
    await using sandbox = await testSandbox();
    await using service = await between(sandbox);
    let early = 2;
    service.change = (passing, body) => {
      if (!isRecord(passing)) return undefined;
      const record = JSON.parse(body.toString()) as Record<string, unknown>;
      if (record["status"] !== "COMPLETED" || early-- <= 0) return undefined;
      const notYet = {
        ...record,
        video_url: null,
        result_urls: [],
        video_base64_error: "The file is not ready.",
      };
      return { headers: { "content-type": "application/json" }, body: JSON.stringify(notYet) };
    };
    await using core = await testCore(service);
    await ask(core);
    await core.surface.until(() => phases(core).includes("awaiting_file"));
    await core.surface.results(1);
    expect(service.passed.filter(isFile)).toHaveLength(1);
  });

  it("is fetched all the same where the record never stops to say that it is not ready", async () => {
    await using sandbox = await testSandbox();
    await using service = await between(sandbox);
    service.change = (passing, body) => {
      if (!isRecord(passing)) return undefined;
      const record = { ...(JSON.parse(body.toString()) as object), video_base64_error: "Too large." };
      return { headers: { "content-type": "application/json" }, body: JSON.stringify(record) };
    };
    await using core = await testCore(service);
    await ask(core);
    expect(await core.surface.results(1)).toHaveLength(1);
  });
});

describe.concurrent("a key that is refused while its jobs run", () => {
  const KEY = "a-key-of-the-dashboard-1";
  const OTHER = "a-key-of-the-dashboard-2";

  async function harness() {
    const sandbox = await testSandbox();
    const service = await between(sandbox);
    const revoked = new Set<string>();
    for (const key of [KEY, OTHER]) service.aliases.set(key, sandbox.keys.ultra);
    // Nothing is finished before the key is refused, however slow this machine is.
    let wasRefused = false;
    service.answer = ({ key }) => {
      if (!revoked.has(key)) return undefined;
      wasRefused = true;
      return { status: 401, body: '{"error":"Invalid API key","code":401}' };
    };
    service.change = ({ path }, body) =>
      path.startsWith("/api/job") && !wasRefused
        ? {
            headers: { "content-type": "application/json" },
            body: body.toString().replaceAll('"COMPLETED"', '"IN_PROGRESS"'),
          }
        : undefined;
    const core = await testCore(service, { sharedKey: undefined });
    await core.surface.intake.command(person("ann"), "connect", { key: KEY });
    return {
      sandbox,
      service,
      revoked,
      core,
      async [Symbol.asyncDispose]() {
        await core[Symbol.asyncDispose]();
        await service[Symbol.asyncDispose]();
        await sandbox.stop();
      },
    };
  }

  it("is told of once, and they go on with another one of its account", async () => {
    await using at = await harness();
    const { core, revoked, service, sandbox } = at;
    for (const prompt of ["first", "second"])
      await core.surface.intake.command(person("ann"), "video", { image: photo, prompt });
    const running = core.database.kysely.selectFrom("jobs").select("id").where("state", "=", "running");
    await vi.waitUntil(async () => (await running.execute()).length === 2, { timeout: PATIENCE_MS });
    revoked.add(KEY);
    await core.surface.until(() => notices(core).length > 0);
    expect(notices(core)[0]?.actions?.[0]?.label.key).toBe("command.connect");
    expect(await stateInList(core)).toBe("awaiting_key");
    await core.surface.intake.command(person("ann"), "connect", { key: OTHER });
    await core.surface.results(2);
    expect(notices(core)).toHaveLength(1);
    expect((await sandbox.ledger()).submissions).toHaveLength(2);
    const rows = await core.database.kysely.selectFrom("jobs").select(["key_id", "awaits"]).execute();
    expect(new Set(rows.map((row) => row.key_id)).size).toBe(1);
    expect(rows.map((row) => row.awaits)).toEqual([null, null]);
    // Once for the key, not once for each job, and ever more rarely.
    const asked = service.passed.filter((passing) => passing.key === KEY && isRecord(passing));
    expect(asked.length).toBeLessThan(40);
  });

  it("goes on by itself when it is accepted again", async () => {
    await using at = await harness();
    const { core, revoked } = at;
    await ask(core);
    await core.surface.until(() => phases(core).includes("running"));
    revoked.add(KEY);
    await core.surface.until(() => phases(core).includes("awaiting_key"));
    revoked.clear();
    await core.surface.results(1);
    expect(notices(core).length).toBeLessThan(2);
  });

  it("is said to be of another account where it cannot read them", async () => {
    await using at = await harness();
    const { core, revoked, sandbox } = at;
    await ask(core);
    await core.surface.until(() => phases(core).includes("running"));
    revoked.add(KEY);
    await core.surface.until(() => phases(core).includes("awaiting_key"));
    await core.surface.intake.command(person("ann"), "connect", { key: sandbox.keys.pro });
    await core.surface.until(() =>
      core.surface.showing("notice").some(({ text }) => text.key === "connect.other_account"),
    );
    await core.surface.intake.command(person("ann"), "connect", { key: OTHER });
    expect(await core.surface.results(1)).toHaveLength(1);
  });

  it("waits for one, too, when its file is fetched", async () => {
    await using at = await harness();
    const { core, revoked, service } = at;
    const before = service.answer;
    service.change = () => undefined;
    service.answer = (passing) => {
      if (isFile(passing) && !revoked.has("seen")) {
        revoked.add("seen").add(KEY);
        return { status: 404 };
      }
      return before(passing);
    };
    await ask(core);
    await core.surface.until(() => phases(core).includes("awaiting_key"));
    await core.surface.intake.command(person("ann"), "connect", { key: OTHER });
    expect(await core.surface.results(1)).toHaveLength(1);
  });
});

describe.concurrent("a 404 on a status read", () => {
  it("is a question: the job goes on when it is known again", async () => {
    await using sandbox = await testSandbox();
    await using service = await between(sandbox);
    let unknown = 3;
    service.answer = (passing) => {
      const isAsked = isRecord(passing) || passing.path.startsWith("/api/jobs?");
      return isAsked && unknown-- > 0
        ? { status: 404, body: '{"error":"Job not found","code":404}' }
        : undefined;
    };
    await using core = await testCore(service);
    await ask(core);
    await core.surface.results(1);
    expect(core.surface.showing("problem")).toEqual([]);
  });

  it("is answered by the list where the record's own path does not know it", async () => {
    await using sandbox = await testSandbox();
    await using service = await between(sandbox);
    service.answer = (passing) =>
      isRecord(passing) ? { status: 404, body: '{"error":"Job not found","code":404}' } : undefined;
    await using core = await testCore(service);
    await ask(core);
    await core.surface.results(1);
    expect(phases(core)).not.toContain("awaiting_record");
  });
});
