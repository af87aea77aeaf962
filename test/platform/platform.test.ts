import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { NO_BELL } from "../../src/common/bell.ts";
import { ownRole } from "../../src/common/role.ts";
import { readConfig } from "../../src/app/config.ts";
import { openMediaFiles } from "../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../src/infrastructure/media/files/links.ts";
import { memory } from "../../src/infrastructure/storage/key-value.ts";
import { openDatabase } from "../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { createServer } from "../../src/app/server.ts";
import { surfaceContract } from "../contract/surface.ts";
import { openAdapter } from "../support/adapter.ts";
import { TIME_SCALE } from "../support/core.ts";
import { haveStated } from "../support/stated.ts";
import { temporaryFolder, testSandbox } from "../support/sandbox.ts";
import { createTestSurface } from "./adapter/surface.ts";
import { NAME } from "./adapter/context.ts";
import { TestChat } from "./chat/server.ts";

const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: "teal" } })
  .jpeg()
  .toBuffer();
const pictureBytes = Buffer.from("a picture");

surfaceContract("the test platform", async () => {
  const chat = await TestChat.start();
  const data = temporaryFolder();
  const database = await openDatabase(join(data, "reelay.db"));
  const files = await openMediaFiles(join(data, "media"));
  const host = {
    config: readConfig({ REELAY_DATA: data }),
    log: makeLogger({ level: "silent" }),
    memory: () => memory(database, NAME),
    bell: NO_BELL,
    hold: () => {},
    role: ownRole,
    sealed: () => memory(database, `${NAME}-sealed`),
    files,
    scratch: join(data, "scratch"),
    links: openLinks(files, memory(database, "links")),
    routes: createServer(async () => []).routes,
    leaving: new AbortController().signal,
    sandbox: true,
  };
  const surface = createTestSurface(host, chat.url);
  return {
    surface,
    address: { chat: "ann", locale: "en" },
    picture: { surface: NAME, id: chat.keeps(pictureBytes) },
    pictureBytes,
    gone: { surface: NAME, id: "gone" },
    filesOf: async () => chat.seenBy("ann").flatMap(({ file }) => file ?? []),
    async [Symbol.asyncDispose]() {
      await surface.stop();
      await database.close();
      await chat[Symbol.asyncDispose]();
    },
  };
});

it("is as small as the guide says", () => {
  const guide = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
  const folder = new URL("adapter/", import.meta.url);
  const rows = readdirSync(folder).map((file) => {
    const lines = readFileSync(new URL(file, folder), "utf8").split("\n").length - 1;
    return [file, lines] as const;
  });
  const listed = [...guide.matchAll(/^\| `(\w+\.ts)` *\| *(\d+) \|/gm)].map(
    ([, file = "", lines]) => [file, Number(lines)] as const,
  );
  expect(new Map(listed)).toEqual(new Map(rows));
  const all = rows.reduce((sum, [, lines]) => sum + lines, 0);
  const commands = rows.find(([file]) => file === "commands.ts")?.[1] ?? 0;
  expect(guide.replaceAll(/\s+/g, " ")).toContain(
    `in ${all - commands} lines, and with typed commands, the catalogue and keys in ${all}.`,
  );
});

describe("a platform over the kit", () => {
  it("makes a film of a photo that somebody sends, once however often they press", async () => {
    await using at = await withCore();
    const { chat } = at;
    await haveStated(at.adapter.database, `${NAME}:ann`);
    chat.sends("ann", { text: "slow zoom", file: photo });
    await chat.until("ann", ({ text }) => text.includes("2.7 tokens"));
    chat.presses("ann", "Generate");
    chat.presses("ann", "Generate");
    const { file, text, rows } = await chat.until("ann", ({ file: film }) => film !== undefined);
    expect(file?.subarray(4, 8).toString()).toBe("ftyp");
    expect(text).toContain("2.7");
    expect(rows.flat().map((button) => button.text)).toContain("Details");
    const { submissions } = await at.sandbox.ledger();
    expect(submissions.map(({ prompt }) => prompt)).toEqual(["slow zoom"]);
  });

  it("says what a newcomer states by pressing, and makes the film with that one press", async () => {
    await using at = await withCore();
    const { chat } = at;
    chat.sends("ann", { text: "slow zoom", file: photo });
    await chat.until("ann", ({ text }) => text.includes("2.7 tokens"));
    const [{ text } = { text: "" }] = chat.seenBy("ann");
    expect(text).toContain("Do you accept this?");
    expect(text).toContain("must have agreed");
    chat.presses("ann", "Yes, generate");
    const { file } = await chat.until("ann", ({ file: film }) => film !== undefined);
    expect(file?.subarray(4, 8).toString()).toBe("ftyp");
  });

  it("takes a key out of what is said with a photo, and connects it", async () => {
    await using at = await withCore(false);
    const { chat, sandbox } = at;
    const message = chat.sends("ann", { text: sandbox.keys.pro, file: photo });
    await chat.until("ann", ({ text }) => text.includes("Your key works"));
    expect(chat.has("ann", message)).toBe(false);
    expect(JSON.stringify(chat.seenBy("ann"))).not.toContain(sandbox.keys.pro);
  });

  it("knows the commands that people type, and the way on from one that there is none of", async () => {
    await using at = await withCore();
    const { chat } = at;
    chat.sends("ann", { text: "/start" });
    await chat.until("ann", ({ text }) => text.includes("photo"));
    chat.presses("ann", "Templates");
    await chat.until("ann", ({ text }) => text.startsWith("Templates are"));
    chat.sends("ann", { text: "/halpp" });
    const { rows } = await chat.until("ann", ({ text }) => text.includes("/help"));
    expect(rows.flat().map(({ text }) => text)).toEqual(["/help"]);
  });
});

async function withCore(paid = true) {
  const sandbox = await testSandbox();
  const chat = await TestChat.start();
  const config = readConfig({
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
    REELAY_RATE_WINDOW_MS: String(60_000 * TIME_SCALE),
    REELAY_POLL_MS: String(5_000 * TIME_SCALE),
  });
  const adapter = await openAdapter(config, sandbox, {
    paid,
    make: (host) => createTestSurface(host, chat.url),
  });
  return {
    chat,
    sandbox,
    adapter,
    async [Symbol.asyncDispose]() {
      await adapter.stop();
      await chat[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}
