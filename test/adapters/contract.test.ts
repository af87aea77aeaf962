import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { z } from "zod";
import { createCliSurface } from "../../adapters/cli/session/surface.ts";
import { createHttpSurface } from "../../adapters/http/surface.ts";
import { createTelegramSurface } from "../../adapters/telegram/surface.ts";
import type { PageMessage } from "../../adapters/web/wire.ts";
import { createWebSurface } from "../../adapters/web/surface.ts";
import { NO_BELL } from "../../src/common/bell.ts";
import { ownRole } from "../../src/common/role.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { type JobRecord, NO_OUTLOOK } from "../../src/seam/access/job-record.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import { readConfig } from "../../src/app/config.ts";
import { translator } from "../../src/common/i18n.ts";
import { folderStore, openMediaFiles } from "../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../src/infrastructure/media/files/links.ts";
import { openPartnerHost } from "../../src/domain/partners/open.ts";
import { createServer } from "../../src/app/server.ts";
import { openDatabase } from "../../src/infrastructure/storage/database.ts";
import { memory } from "../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { intake, job, surfaceContract } from "../contract/surface.ts";
import { noJobs } from "../support/job-access.ts";
import { testOperatorHost } from "../support/operators.ts";
import { temporaryFolder } from "../support/sandbox.ts";
import { FakeTelegram } from "../support/telegram/fake-telegram.ts";
import { MemorySurface } from "../support/surface.ts";
import { testVault } from "../support/vault.ts";

const pictureBytes = Buffer.from("a picture");

/** What a partner is told of a file. */
const kept = z.object({ link: z.string() });

async function pictureFile(): Promise<string> {
  const path = join(temporaryFolder(), "picture.jpg");
  await writeFile(path, pictureBytes);
  return path;
}

surfaceContract("the command line", async () => {
  const folder = temporaryFolder();
  return {
    surface: createCliSurface({
      translate: translator("en"),
      commands: [],
      tell: () => {},
      asked: () => {},
      replaced: () => {},
    }),
    address: { folder, file: "clip.mp4", force: false },
    picture: { surface: "cli", id: await pictureFile() },
    pictureBytes,
    gone: { surface: "cli", id: join(temporaryFolder(), "gone.jpg") },
    filesOf: async () => Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name)))),
    [Symbol.asyncDispose]: async () => {},
  };
});

surfaceContract("the page", async () => {
  const data = temporaryFolder();
  const database = await openDatabase(join(data, "reelay.db"));
  const files = await openMediaFiles(join(data, "media"));
  const { id } = await files.put(Readable.from([pictureBytes]), 1_000);
  const state = memory(database, "web");
  const config = readConfig({ REELAY_DATA: data });
  const host: SurfaceHost = {
    config,
    log: makeLogger({ level: "silent" }),
    memory: () => state,
    bell: NO_BELL,
    hold: () => {},
    role: ownRole,
    sealed: () => state,
    files,
    scratch: join(data, "scratch"),
    links: openLinks(files, state),
    routes: createServer(async () => []).routes,
    leaving: new AbortController().signal,
    sandbox: true,
  };
  const surface = createWebSurface(host, await testOperatorHost(config, database));
  const picture: MediaRef = { surface: "web", id };
  return {
    surface,
    address: { conversation: "me" },
    picture,
    pictureBytes,
    gone: { surface: "web", id: "0".repeat(64) },
    async filesOf(job) {
      const messages = (await state.entries<PageMessage>()).map(([, message]) => message.body);
      const shown = messages.flatMap((body) =>
        body?.kind === "result" && body.job.id === job.id ? body.media : [],
      );
      return Promise.all(
        shown.map(async (media) => Buffer.concat(await (await files.open(media.id)).toArray())),
      );
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
});

surfaceContract("partners' programs", async () => {
  const data = temporaryFolder();
  const config = readConfig({ REELAY_DATA: data, REELAY_SECRET: "a secret for tests only" });
  const log = makeLogger({ level: "silent" });
  const database = await openDatabase(join(data, "reelay.db"));
  const vault = await testVault(config, database, log);
  const files = await openMediaFiles(join(data, "media"));
  const { host: forPartners } = await openPartnerHost({
    config,
    database,
    files: folderStore(data),
    vault,
    log,
  });
  const host: SurfaceHost = {
    config,
    log,
    memory: (surface) => memory(database, surface),
    bell: NO_BELL,
    hold: () => {},
    role: ownRole,
    sealed: (surface) => memory(database, `${surface}-sealed`),
    files,
    scratch: join(data, "scratch"),
    links: openLinks(files, memory(database, "links")),
    routes: createServer(async () => []).routes,
    leaving: new AbortController().signal,
    sandbox: true,
  };
  const user = "http:acme";
  const address = { user, files: `${user} input 1`, base: "https://reelay.example", metadata: {} };
  const { id } = await forPartners.held.put(Readable.from([pictureBytes]), 1_000, { owner: address.files });
  // As the ledger holds it while its result is on the way.
  const record: JobRecord = {
    ...job,
    user,
    address,
    tags: { platform: "acme", inAppUsername: "jo" },
    mature: false,
    receipt: null,
    status: "running",
    phase: "sending",
    progress: null,
    cost: null,
    problem: null,
    acceptedAt: null,
    endedAt: null,
    ...NO_OUTLOOK,
  };
  return {
    surface: createHttpSurface(host, forPartners),
    intake: { ...intake, jobs: { ...noJobs, find: async () => record } },
    address,
    picture: { surface: "http", id },
    pictureBytes,
    gone: { surface: "http", id: "0".repeat(64) },
    async filesOf({ id }) {
      const ends = (await forPartners.events.since(id, 0)).filter(({ type }) => type === "job.completed");
      const told = ends.flatMap(({ data }) => z.object({ media: z.array(kept) }).parse(data).media);
      return Promise.all(
        told.map(async ({ link }) => Buffer.from(await (await host.routes.request(link)).arrayBuffer())),
      );
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
});

surfaceContract("Telegram", async () => {
  const telegram = await FakeTelegram.start({ limits: { chatBurst: 100 } });
  const data = temporaryFolder();
  const database = await openDatabase(join(data, "reelay.db"));
  const files = await openMediaFiles(join(data, "media"));
  const host: SurfaceHost = {
    config: readConfig({
      REELAY_DATA: data,
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.url,
    }),
    log: makeLogger({ level: "silent" }),
    memory: (surface) => memory(database, surface),
    bell: NO_BELL,
    hold: () => {},
    role: ownRole,
    sealed: (surface) => memory(database, `${surface}-sealed`),
    files,
    scratch: join(data, "scratch"),
    links: openLinks(files, memory(database, "links")),
    routes: createServer(async () => []).routes,
    leaving: new AbortController().signal,
    sandbox: true,
  };
  const surface = createTelegramSurface(host, {
    burst: 1,
    perChatMs: 0,
    perSecond: 1_000,
    perMinuteInGroup: 20,
  });
  const ann = telegram.person({ name: "Ann" });
  const { id: photo, media } = ann.sendsDocument(pictureBytes, { fileName: "picture.jpg" });
  return {
    surface,
    address: { chat: ann.user.id, replyTo: photo, locale: "en" },
    picture: { surface: "telegram", id: media?.fileId ?? "" },
    pictureBytes,
    gone: { surface: "telegram", id: "no-such-file" },
    async filesOf() {
      const shown = ann.chat().filter(({ from }) => from === "bot");
      return shown.flatMap((message) => (message.media ? [message.media.bytes] : []));
    },
    async [Symbol.asyncDispose]() {
      await surface.stop();
      await database.close();
      await telegram.stop();
    },
  };
});

surfaceContract("the platform in memory that the core's tests use", async () => {
  const surface = new MemorySurface();
  return {
    surface,
    address: { to: "ann" },
    picture: { surface: "web", id: await pictureFile() },
    pictureBytes,
    gone: { surface: "web", id: join(temporaryFolder(), "gone.jpg") },
    filesOf: async () => surface.messages.flatMap(({ files }) => files),
    [Symbol.asyncDispose]: async () => {},
  };
});
