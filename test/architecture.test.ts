import { globSync, readFileSync } from "node:fs";
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
      "src/seam",
      ...["config-error", "errors", "i18n", "json", "line", "memory", "rate-limit", "role", "time"].map(
        (name) => `src/common/${name}.ts`,
      ),
      "src/infrastructure/telemetry/access-log.ts",
      "src/infrastructure/telemetry/telemetry.ts",
      "src/infrastructure/media",
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
    const platforms = [
      "adapters/telegram",
      "adapters/discord",
      "adapters/whatsapp",
      "telegraf",
      "discord.js",
    ];
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

  it("the newest platform is small, and named by the list of platforms and its settings alone", () => {
    const lines = globSync("adapters/whatsapp/**/*.ts", { cwd: root }).map(
      (file) => readFileSync(join(root, file), "utf8").split("\n").length - 1,
    );
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1_500);
    const naming = globSync(["src/**/*.ts", "adapters/kit/**/*.ts"], { cwd: root }).filter((file) =>
      /whatsapp/i.test(readFileSync(join(root, file), "utf8")),
    );
    const known = ["src/app/alerts/doctor.ts", "src/app/config.ts", "src/app/settings/whatsapp.ts"];
    const own = [...known, "src/main.ts", "src/seam/config.ts", "src/seam/values.ts"];
    expect(naming.toSorted()).toEqual(own);
  });

  it("the core knows no adapter; only main loads them", () => {
    expect(
      breaches(
        (file) => file.startsWith("src/") && file !== "src/main.ts",
        (to) => to.startsWith("adapters/"),
      ),
    ).toEqual([]);
  });

  it.each([
    ["bottleneck", ["src/infrastructure/queue"]],
    ["keyv", ["src/infrastructure/storage"]],
    [
      "kysely",
      [
        "src/infrastructure/storage",
        "src/domain/jobs/row.ts",
        "src/infrastructure/queue/window-log.ts",
        "src/domain/usage",
        "src/domain/audit",
        "src/domain/webhooks/due.ts",
      ],
    ],
    ["@opentelemetry/api", ["src/app/tracing/exporter.ts"]],
    ["@opentelemetry/exporter-trace-otlp-http", ["src/app/tracing/exporter.ts"]],
    ["@opentelemetry/resources", ["src/app/tracing/exporter.ts"]],
    ["@opentelemetry/sdk-trace", ["src/app/tracing/exporter.ts"]],
    ["pg", ["src/infrastructure/storage/postgres"]],
    ["@aws-sdk/client-s3", ["src/infrastructure/media/bucket"]],
    [
      "undici",
      [
        "src/infrastructure/api/transport/egress.ts",
        "src/infrastructure/api/transport/transport.ts",
        "src/infrastructure/net",
        "adapters/kit/files/request.ts",
      ],
    ],
    [
      "sharp",
      [
        "src/infrastructure/media/decoder",
        "src/infrastructure/media/pictures/cover.ts",
        "src/infrastructure/media/pictures/mask-regions.ts",
        "src/sandbox",
      ],
    ],
    ["music-metadata", ["src/infrastructure/media/decoder", "src/sandbox"]],
    ["heic-decode", ["src/infrastructure/media/decoder"]],
    ["commander", ["adapters/cli"]],
    ["@modelcontextprotocol/server", ["adapters/http/mcp", "adapters/http/mcp-stdio.ts"]],
    ["preact", ["adapters/web/page"]],
    ["telegraf", ["adapters/telegram"]],
    ["discord.js", ["adapters/discord"]],
    ["@discordjs/ws", ["adapters/discord/gateway"]],
    [
      "node:sqlite",
      [
        "src/infrastructure/storage/archive.ts",
        "src/infrastructure/storage/checkpoint-worker.ts",
        "src/infrastructure/storage/copying/copier-child.ts",
        "src/infrastructure/storage/database.ts",
        "src/infrastructure/storage/stored-file.ts",
        "src/infrastructure/storage/moving/sqlite-side.ts",
        "src/infrastructure/storage/scratch.ts",
        "src/sandbox",
      ],
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
      if (
        !among(to, ["src/infrastructure/media/decoder"]) ||
        among(from, ["src/infrastructure/media/decoder"])
      )
        return false;
      const name = relative(dirname(from), to);
      // Its types are nobody's secret.
      return !new RegExp(`^import type [^;]*"${name}";$`, "m").test(readFileSync(join(root, from), "utf8"));
    });
    expect(loading.filter(({ to }) => to !== "src/infrastructure/media/decoder/decoder.ts")).toEqual([]);
  });

  it("the sandbox knows nothing of ours but the published facts", () => {
    const own = ["src/sandbox", "src/common/contract.ts"];
    expect(
      breaches(
        (file) => file.startsWith("src/sandbox/"),
        (to) => isOurs(to) && !among(to, own),
      ),
    ).toEqual([]);
  });

  it("the client of the service stands alone", () => {
    const own = ["src/infrastructure/api", "src/common/contract.ts", "src/common/errors.ts"];
    expect(
      breaches(
        (file) => file.startsWith("src/infrastructure/api/"),
        (to) => isOurs(to) && !among(to, own),
      ),
    ).toEqual([]);
  });

  it("pure files do no I/O", () => {
    const pure = new Set([
      "src/domain/jobs/job.ts",
      "src/domain/jobs/polling/poll-plan.ts",
      "src/domain/jobs/job-view.ts",
      "src/common/contract.ts",
      "src/common/errors.ts",
      "src/domain/policy/decision.ts",
      "src/domain/policy/host.ts",
      "src/domain/policy/mature.ts",
      "src/domain/policy/moderation/verdict.ts",
      "src/domain/policy/statements.ts",
      "src/domain/retention/plan.ts",
    ]);
    expect(
      breaches(
        (file) => pure.has(file),
        (to) => to.startsWith("node:"),
      ),
    ).toEqual([]);
  });
});
