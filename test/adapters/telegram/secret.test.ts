import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { harness } from "./words-harness.ts";

it("a key that was sent to the bot is in no file of the data folder, not even in the message it came in", async () => {
  await using at = await harness({ paid: false });
  const key = at.sandbox.keys.pro;
  const ann = at.telegram.person({ name: "Ann" });
  ann.says(`/connect ${key}`);
  await ann.sees("Your key works");
  const names = await readdir(at.data, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect((await readFile(file)).includes(key), file).toBe(false);
  expect(
    ann
      .chat()
      .map(({ text }) => text)
      .join("\n"),
  ).not.toContain(key);
});
