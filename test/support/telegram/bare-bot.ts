import sharp from "sharp";
import { FakeTelegram } from "./fake-telegram.ts";
import type { InlineKeyboardMarkup, Update } from "./wire.ts";
import type { WorldOptions } from "./world.ts";

/** As much of the API's answer as tests look at. */
export interface Answer<R = { readonly message_id: number; readonly file_path: string }> {
  readonly ok: boolean;
  readonly result: R;
  readonly error_code?: number;
  readonly description?: string;
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
}

/** A bot that is nothing but calls: for what a library would hide. */
export function bareBot({ url, token }: { readonly url: string; readonly token: string }) {
  return async <R = Answer["result"]>(method: string, params: object | FormData = {}): Promise<Answer<R>> => {
    const isForm = params instanceof FormData;
    const response = await fetch(`${url}/bot${token}/${method}`, {
      method: "POST",
      ...(!isForm && { headers: { "content-type": "application/json" } }),
      body: isForm ? params : JSON.stringify(params),
    });
    return (await response.json()) as Answer<R>;
  };
}

/** A multipart form: buffers become files. */
export function form(fields: Readonly<Record<string, string | Buffer>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") data.set(name, value);
    else data.set(name, new Blob([new Uint8Array(value)], { type: "image/jpeg" }), `${name}.jpg`);
  }
  return data;
}

/** A plain JPEG. */
export const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();

/** A keyboard with one button, "Go". */
export const button = (callback_data: string): InlineKeyboardMarkup => ({
  inline_keyboard: [[{ text: "Go", callback_data }]],
});

/** A fake, a bot, and Ann, who has said hello. */
export async function met(options: WorldOptions = { limits: { chatBurst: 100 } }) {
  const telegram = await FakeTelegram.start(options);
  const bot = bareBot(telegram);
  const ann = telegram.person({ name: "Ann", language_code: "de" });
  ann.says("hello");
  return {
    telegram,
    bot,
    ann,
    toAnn: { chat_id: ann.user.id },
    updates: async (params: object = {}) => (await bot<readonly Update[]>("getUpdates", params)).result,
    [Symbol.asyncDispose]: () => telegram.stop(),
  };
}
