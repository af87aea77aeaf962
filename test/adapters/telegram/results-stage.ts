import { execFileSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { TelegramError } from "telegraf";
import type { TelegramAddress } from "../../../adapters/telegram/address.ts";
import type { Office } from "../../../adapters/telegram/desk.ts";
import type { Sender } from "../../../adapters/telegram/sender.ts";
import { action } from "../../../src/chat/actions.ts";
import type { ResultView } from "../../../src/chat/views.ts";
import { temporaryFolder, testFfmpeg } from "../../support/sandbox.ts";
import { transport } from "./transport-stage.ts";

export const JOB = "0mwprskck334cb5f05e";

/** A clip of three seconds, without sound. */
export const clip = join(temporaryFolder(), "clip.mp4");
const source = ["-f", "lavfi", "-i", "testsrc2=size=320x568:rate=24:duration=3"];
const video = ["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "3M", "-pix_fmt", "yuv420p"];
execFileSync(testFfmpeg(), ["-loglevel", "error", ...source, ...video, clip]);

export const picture = join(temporaryFolder(), "picture.png");
await sharp({ create: { width: 900, height: 600, channels: 3, background: "teal" } }).toFile(picture);

/** A finished job with this file. */
export function result(kind: "video" | "image", path = kind === "video" ? clip : picture): ResultView {
  const type = kind === "video" ? "video/mp4" : "image/png";
  return {
    kind: "result",
    job: { id: JOB, operation: kind, values: {}, createdAt: 1 },
    media: [{ kind, name: "made", open: async () => ({ stream: createReadStream(path), type }) }],
    cost: 2.7,
    balance: 97.3,
    tookMs: 9_000,
    actions: [
      action("again", JOB, "action.again", "primary"),
      action("delete", JOB, "action.delete", "danger"),
    ],
  };
}

/** Ann has sent a photo; where she is answered. `await using` stops it. */
export async function stage(options: Parameters<typeof transport>[0] = {}) {
  const carried = await transport(options);
  const ann = carried.telegram.person({ name: "Ann", language_code: "en" });
  const photo = await ann.sendsPhoto(await readFile(picture));
  const address: TelegramAddress = { chat: photo.chatId, replyTo: photo.id, locale: "en" };
  const answers = () => ann.chat().filter(({ from }) => from === "bot");
  return {
    ...carried,
    ann,
    photo,
    address,
    /** What the bot has said, and what of it has files. */
    answers,
    files: () => answers().filter(({ media }) => media !== undefined),
  };
}

/** The same office, at a Telegram that refuses some methods with these words. */
export function refusing(office: Office, methods: readonly string[], description: string): Office {
  const { sender } = office;
  const call: Sender["call"] = async (method, parameters, options) => {
    if (methods.includes(method)) throw new TelegramError({ error_code: 400, description });
    return sender.call(method, parameters, options);
  };
  return { ...office, sender: { call, raw: sender.raw.bind(sender) } };
}
