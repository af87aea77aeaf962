import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { Conversations } from "../../adapters/web/conversations.ts";
import { NO_BELL } from "../../src/common/bell.ts";
import { mediaNeeds } from "../../src/app/media-needs.ts";
import { openMediaFiles } from "../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../src/infrastructure/media/files/links.ts";
import { openDatabase } from "../../src/infrastructure/storage/database.ts";
import { memory } from "../../src/infrastructure/storage/key-value.ts";
import { forgetFiles, keepFile } from "../../src/seam/surface/kept-files.ts";
import type { UserId } from "../../src/seam/values.ts";
import { temporaryFolder } from "../support/sandbox.ts";

const picture = () => Readable.from([Buffer.from("the same picture")]);

async function harness() {
  const folder = temporaryFolder();
  const database = await openDatabase(join(folder, "reelay.db"));
  const files = await openMediaFiles(join(folder, "media"), mediaNeeds(database));
  const host = {
    bell: NO_BELL,
    files,
    memory: (surface: string, owner?: string) =>
      memory(database, owner === undefined ? surface : `${surface}/${owner}`),
  };
  const conversations = new Conversations(host);
  const links = openLinks(files, memory(database, "links"));
  return {
    links,
    isThere: async (id: string) => (await files.stat(id).catch(() => undefined)) !== undefined,
    async keptInChat(owner: UserId) {
      const kept = memory(database, owner.split(":")[0] ?? "");
      const { id } = await keepFile({ host, memory: kept }, owner, picture(), 100);
      return { id, forget: () => forgetFiles(kept, files, owner) };
    },
    async keptOnPage(user: UserId) {
      const { id } = await files.put(picture(), 100);
      await (await conversations.of(user)).addMedia(id, "image/jpeg");
      return { id, forget: () => conversations.forget(user) };
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

it("lets a picture go from one platform, and stay on every other one that has the same", async () => {
  await using at = await harness();
  const places = [
    await at.keptOnPage("telegram:5"),
    await at.keptInChat("telegram:5"),
    await at.keptInChat("discord:6"),
    await at.keptOnPage("web:me"),
  ];
  const { id } = places[0] ?? { id: "" };
  const link = await at.links.make({ id, name: "a.jpg", type: "image/jpeg" }, 60_000);
  for (const place of places) {
    expect(place.id).toBe(id);
    await place.forget();
    expect(await at.isThere(id)).toBe(true);
  }
  await at.links.revoke(link);
  expect(await at.isThere(id)).toBe(false);
});

it("ends a link and leaves the picture to whoever has it in a chat", async () => {
  await using at = await harness();
  const kept = await at.keptInChat("discord:6");
  await at.links.revoke(await at.links.make({ id: kept.id, name: "a.jpg", type: "image/jpeg" }, 60_000));
  expect(await at.isThere(kept.id)).toBe(true);
  await kept.forget();
  expect(await at.isThere(kept.id)).toBe(false);
});
