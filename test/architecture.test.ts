import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;

/** Every import of every source file: files of ours by their path from the root, packages by their name. */
const imports: { from: string; to: string }[] = [];
for await (const file of glob(["src/**/*.ts", "adapters/**/*.{ts,tsx}"], { cwd: root })) {
  for (const [, target = ""] of readFileSync(join(root, file), "utf8").matchAll(
    /(?:from|import\()\s*"([^"]+)"/g,
  )) {
    imports.push({
      from: file,
      to: target.startsWith(".") ? relative(root, join(root, dirname(file), target)) : target,
    });
  }
}

const among = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`));

/** Which adapter a file belongs to. */
const adapter = (path: string) => path.split("/")[1];

/** The imports of some files that go to some targets other than those allowed. */
function breaches(from: (file: string) => boolean, forbidden: (to: string) => boolean): string[] {
  return imports.filter((one) => from(one.from) && forbidden(one.to)).map((one) => `${one.from} → ${one.to}`);
}

const isInKit = (path: string) => among(path, ["adapters/kit"]);

const isOurs = (path: string) => among(path, ["src", "adapters"]);

describe("who may import whom", () => {
  it("sees the sources at all", () => {
    expect(imports.length).toBeGreaterThan(200);
  });

  it("adapters know the seam, never the core behind it", () => {
    const seam = [
      "src/chat",
      "src/config.ts",
      "src/errors.ts",
      "src/i18n.ts",
      "src/telemetry.ts",
      "src/time.ts",
      "src/media",
    ];
    expect(
      breaches(
        (file) => file.startsWith("adapters/"),
        (to) => to.startsWith("src/") && !among(to, seam),
      ),
    ).toEqual([]);
  });

  it("no adapter knows another", () => {
    const crossing = imports.filter(
      ({ from, to }) =>
        from.startsWith("adapters/") &&
        to.startsWith("adapters/") &&
        adapter(from) !== adapter(to) &&
        adapter(to) !== "kit",
    );
    expect(crossing).toEqual([]);
  });

  it("what chat adapters share knows no platform", () => {
    const platforms = ["adapters/telegram", "adapters/discord", "telegraf", "discord.js"];
    expect(imports.some(({ from }) => isInKit(from))).toBe(true);
    expect(breaches(isInKit, (to) => among(to, platforms))).toEqual([]);
  });

  it.each([
    ["telegram", ["api", "context", "media", "messages", "drafts", "handlers"]],
    ["discord", ["api", "gateway", "context", "media", "messages", "commands", "drafts", "handlers"]],
    ["kit", ["throttle", "files", "messages", "results", "pipeline", "drafts", "handlers"]],
  ])(
    "each room of %s leads only to those before it, and has few enough files to be looked over",
    (name, rooms) => {
      const folder = `adapters/${name}`;
      // What lies beside the rooms puts them together.
      const floorOf = (path: string) =>
        path.split("/").length > 3 ? rooms.indexOf(path.split("/")[2] ?? "") : rooms.length;
      const within = imports.filter(({ from, to }) => among(from, [folder]) && among(to, [folder]));
      expect(within.length).toBeGreaterThan(100);
      expect(within.filter(({ from }) => floorOf(from) < 0)).toEqual([]);
      expect(within.filter(({ from, to }) => floorOf(to) > floorOf(from))).toEqual([]);
      for (const room of rooms) {
        const files = new Set(
          within.map(({ from }) => from).filter((from) => among(from, [`${folder}/${room}`])),
        );
        expect(files.size).toBeLessThanOrEqual(25);
      }
    },
  );

  it("the core knows no adapter; only main loads them", () => {
    expect(
      breaches(
        (file) => file.startsWith("src/") && file !== "src/main.ts",
        (to) => to.startsWith("adapters/"),
      ),
    ).toEqual([]);
  });

  it.each([
    ["bottleneck", ["src/queue"]],
    ["keyv", ["src/storage"]],
    [
      "kysely",
      [
        "src/storage",
        "src/jobs/row.ts",
        "src/queue/window-log.ts",
        "src/usage",
        "src/audit",
        "src/webhooks/due.ts",
      ],
    ],
    ["undici", ["src/api/transport.ts", "src/net"]],
    ["sharp", ["src/media/decoder", "src/media/cover.ts", "src/media/mask-regions.ts", "src/sandbox"]],
    ["music-metadata", ["src/media/decoder", "src/sandbox"]],
    ["heic-decode", ["src/media/decoder"]],
    ["commander", ["adapters/cli"]],
    ["@modelcontextprotocol/server", ["adapters/http/mcp"]],
    ["preact", ["adapters/web/page"]],
    ["telegraf", ["adapters/telegram"]],
    ["discord.js", ["adapters/discord"]],
    ["@discordjs/ws", ["adapters/discord/gateway"]],
    [
      "node:sqlite",
      ["src/storage/database.ts", "src/storage/examine.ts", "src/storage/scratch.ts", "src/sandbox"],
    ],
  ])("%s is used in its own place only", (name, places) => {
    const isIt = (to: string) => to === name || to.startsWith(`${name}/`);
    expect(breaches((file) => !among(file, places), isIt)).toEqual([]);
    expect(
      imports.some(({ to }) => isIt(to)),
      `${name} is not used at all`,
    ).toBe(true);
  });

  it("what decodes files is loaded by its own process only", () => {
    const loading = imports.filter(({ from, to }) => {
      if (!among(to, ["src/media/decoder"]) || among(from, ["src/media/decoder"])) return false;
      const name = to.slice("src/media/".length);
      // Its types are nobody's secret.
      return !new RegExp(`^import type [^;]*"\\./${name}";$`, "m").test(
        readFileSync(join(root, from), "utf8"),
      );
    });
    expect(loading.filter(({ to }) => to !== "src/media/decoder/decoder.ts")).toEqual([]);
  });

  it("the sandbox knows nothing of ours but the published facts", () => {
    const own = ["src/sandbox", "src/contract.ts"];
    expect(
      breaches(
        (file) => file.startsWith("src/sandbox/"),
        (to) => isOurs(to) && !among(to, own),
      ),
    ).toEqual([]);
  });

  it("the client of the service stands alone", () => {
    const own = ["src/api", "src/contract.ts", "src/errors.ts"];
    expect(
      breaches(
        (file) => file.startsWith("src/api/"),
        (to) => isOurs(to) && !among(to, own),
      ),
    ).toEqual([]);
  });

  it("the seam does not reach into the core", () => {
    const seam = [
      "src/chat",
      "src/config.ts",
      "src/errors.ts",
      "src/i18n.ts",
      "src/telemetry.ts",
      "src/media",
    ];
    expect(
      breaches(
        (file) => file.startsWith("src/chat/"),
        (to) => isOurs(to) && !among(to, seam),
      ),
    ).toEqual([]);
  });

  it("pure files do no I/O", () => {
    const pure = new Set([
      "src/jobs/job.ts",
      "src/jobs/poll-plan.ts",
      "src/jobs/job-view.ts",
      "src/contract.ts",
      "src/errors.ts",
      "src/policy/decision.ts",
      "src/policy/host.ts",
      "src/policy/mature.ts",
      "src/policy/moderation/verdict.ts",
      "src/policy/statements.ts",
      "src/retention/plan.ts",
    ]);
    expect(
      breaches(
        (file) => pure.has(file),
        (to) => to.startsWith("node:"),
      ),
    ).toEqual([]);
  });
});
