import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TELEGRAM } from "../../../../adapters/telegram/api/limits.ts";
import type { Sender } from "../../../../adapters/telegram/api/telegraf-sender.ts";
import { uploadLimit, whileUploading } from "../../../../adapters/telegram/media/upload.ts";
import { readConfig } from "../../../../src/app/config.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { sleep } from "../../../../src/common/time.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Whoever uploads, at a Telegram that answers like this. */
function uploader(answer: () => Promise<never>) {
  const calls: unknown[] = [];
  const sender: Sender = {
    call(method, parameters) {
      calls.push([method, parameters]);
      return answer();
    },
    raw: answer,
  };
  return { calls, services: { sender, host: { log: makeLogger({ level: "silent" }) } } };
}

const broken = () => Promise.reject(new Error("broken"));

const limit = (env: Readonly<Record<string, string>>) =>
  uploadLimit({ host: { config: readConfig({ TELEGRAM_BOT_TOKEN: "1:AAFake-token_for-tests", ...env }) } });

it("shows that a file is on its way until it is there, in the topic where it goes", async () => {
  const { services, calls } = uploader(() => new Promise(() => {}));
  const address = { chat: -5, topic: 7, locale: "en" } as const;
  const uploading = whileUploading(services, address, "upload_video", () => sleep(10_000));
  await vi.advanceTimersByTimeAsync(10_000);
  await uploading;
  const shown = ["sendChatAction", { chat_id: -5, message_thread_id: 7, action: "upload_video" }];
  expect(calls).toEqual([shown, shown, shown]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toHaveLength(3);
});

it("does not mind when nobody can be shown, and stops when the file fails", async () => {
  const { services, calls } = uploader(() => Promise.reject(new Error("no")));
  const address = { chat: 5, locale: "en" } as const;
  await expect(whileUploading(services, address, "upload_photo", broken)).rejects.toThrow("broken");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toHaveLength(1);
});

it("knows how much Telegram's own server takes, and a local one", () => {
  expect(limit({})).toBe(TELEGRAM.upload);
  expect(limit({ TELEGRAM_API_ROOT: "http://localhost:8081" })).toBe(TELEGRAM.local);
});
