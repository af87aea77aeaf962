import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { erasedLater } from "../../../../src/infrastructure/media/files/erased-later.ts";
import { type MediaFiles, openMediaFiles } from "../../../../src/infrastructure/media/files/files.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { testDatabase } from "../../../support/database.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

/** A file that is needed until it is forgotten, and what a process does with it. */
async function kept() {
  const needed = new Set<string>();
  const room = await openMediaFiles(temporaryFolder(), async (id) => needed.has(id));
  const { id } = await room.put(Readable.from([Buffer.from("a film")]), 100);
  needed.add(id);
  const notes = memory(await testDatabase(join(temporaryFolder(), "reelay.db")), "to-erase");
  const isThere = () =>
    room.stat(id).then(
      () => true,
      () => false,
    );
  const forget = async () => needed.delete(id);
  return { id, room, notes, isThere, forget, open: (files: MediaFiles = room) => erasedLater(files, notes) };
}

it("what a killed process had forgotten goes with the next sweep", async () => {
  const { id, room, isThere, forget, open } = await kept();
  const killed = new Error("killed");
  const dies = open({ ...room, remove: () => Promise.reject(killed) });
  await expect(dies.remove(id, forget)).rejects.toBe(killed);
  expect(await isThere()).toBe(true);
  await open().sweep();
  expect(await isThere()).toBe(false);
});

it("what could not be forgotten stays, and whoever asked hears of it", async () => {
  const { id, isThere, open } = await kept();
  const away = new Error("away");
  await expect(open().remove(id, () => Promise.reject(away))).rejects.toBe(away);
  await open().sweep();
  expect(await isThere()).toBe(true);
});

it("a sweep leaves alone what is being erased", async () => {
  const { id, notes, isThere, forget, open } = await kept();
  const files = open();
  await files.remove(id, async () => {
    await files.sweep();
    expect(await notes.get(id)).toBeDefined();
    await forget();
  });
  expect(await isThere()).toBe(false);
  expect(await notes.entries()).toEqual([]);
});
