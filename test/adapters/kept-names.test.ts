import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { attached } from "../../adapters/discord/media/media.ts";
import { IncomingFiles } from "../../adapters/http/body/incoming-files.ts";
import { pictureIn as telegramPicture } from "../../adapters/telegram/media/files.ts";
import { pictureIn as whatsappPicture } from "../../adapters/whatsapp/context/media.ts";
import type { HeldFiles } from "../../src/infrastructure/media/files/held-files.ts";

const NAME = `rk_${"9f86d081884c7d659a2f".repeat(2)}.jpg`;
const document = { file_id: "1", file_unique_id: "1", file_name: NAME, mime_type: "image/jpeg" };

it("a name that may hold a key is left with its end alone, wherever a file comes in", async () => {
  const message = { message_id: 1, date: 0, chat: { id: 1 }, document };
  expect(telegramPicture(message as Parameters<typeof telegramPicture>[0])?.name).toBe("file.jpg");
  expect(attached({ url: "https://cdn.discordapp.com/1", filename: NAME, size: 1 }).name).toBe("file.jpg");
  const sent = {
    id: "1",
    from: "1",
    type: "document",
    document: { id: "1", mime_type: "image/jpeg", filename: NAME },
  };
  expect(whatsappPicture(sent as unknown as Parameters<typeof whatsappPicture>[0])?.name).toBe("file.jpg");
  const held = { put: async () => ({ id: "1", bytes: 1 }) } as unknown as HeldFiles;
  const files = new IncomingFiles(held, { owner: "a" });
  await files.store("one", Readable.from(["a"]), NAME);
  expect(files.stored.get("one")?.name).toBe("file.jpg");
});
