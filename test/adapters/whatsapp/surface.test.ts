import { join } from "node:path";
import { createWhatsAppSurface } from "../../../adapters/whatsapp/surface.ts";
import { readConfig } from "../../../src/app/config.ts";
import { createServer } from "../../../src/app/server.ts";
import { NO_BELL } from "../../../src/common/bell.ts";
import { ownRole } from "../../../src/common/role.ts";
import { openMediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../../src/infrastructure/media/files/links.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { surfaceContract } from "../../contract/surface.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { FakeWhatsapp } from "../../support/whatsapp/fake-whatsapp.ts";
import { photo } from "./harness.ts";

const DAY_MS = 24 * 3_600_000;

surfaceContract("WhatsApp", async () => {
  const whatsapp = await FakeWhatsapp.start();
  const data = temporaryFolder();
  const database = await openDatabase(join(data, "reelay.db"));
  const files = await openMediaFiles(join(data, "media"));
  const kept = memory(database, "whatsapp");
  const host = {
    config: readConfig({
      REELAY_DATA: data,
      REELAY_PUBLIC_URL: "https://studio.example.com",
      ...whatsapp.settings,
    }),
    log: makeLogger({ level: "silent" }),
    memory: () => kept,
    bell: NO_BELL,
    role: ownRole,
    sealed: () => memory(database, "whatsapp-sealed"),
    files,
    scratch: join(data, "scratch"),
    links: openLinks(files, memory(database, "links")),
    routes: createServer(async () => []).routes,
    leaving: new AbortController().signal,
    hold: () => {},
    sandbox: true,
  };
  const surface = createWhatsAppSurface(host);
  const ann = whatsapp.person({ name: "Ann" });
  const { id: replyTo, file } = ann.sendsPhoto(photo);
  return {
    surface,
    address: { chat: ann.waId, locale: "en", replyTo, until: Date.now() + DAY_MS },
    picture: { surface: "whatsapp", id: file?.id ?? "" },
    pictureBytes: photo,
    gone: { surface: "whatsapp", id: "1" },
    filesOf: async () =>
      ann.chat().flatMap(({ from, file: got }) => (from === "bot" && got ? [got.bytes] : [])),
    async [Symbol.asyncDispose]() {
      await surface.stop();
      await database.close();
      await whatsapp.stop();
    },
  };
});
