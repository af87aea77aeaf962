import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readInitData, telegramKey } from "../../../../adapters/web/init-data.ts";
import { signInitData } from "../../../support/telegram/init-data.ts";

const TOKEN = "12345:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const ann = { id: 111, first_name: "Ann\nB=C&d" };
const at = 1_700_000_000_000;
const telegram = generateKeyPairSync("ed25519");
const key = hexOf(telegram.publicKey);

function hexOf(publicKey: KeyObject): KeyObject {
  const { x = "" } = publicKey.export({ format: "jwk" });
  return telegramKey(Buffer.from(x, "base64url").toString("hex"));
}

const initData = signInitData({ user: ann, at }, { token: TOKEN, key: telegram.privateKey });

describe.each([
  ["the bot's token", { token: TOKEN }],
  ["Telegram's public key and the bot's id", { bot: 12345, key }],
])("with %s", (_, by) => {
  it("reads who opened the Mini App, and when", () => {
    expect(readInitData(initData, by)).toMatchObject({ user: "telegram:111", at });
  });

  it("tells one opening from another of the same person at the same time", () => {
    const other = signInitData({ user: ann, at }, { token: TOKEN, key: telegram.privateKey });
    expect(readInitData(other, by)?.id).not.toBe(readInitData(initData, by)?.id);
    expect(readInitData(initData, by)?.id).toBe(readInitData(initData, by)?.id);
  });

  it("takes nothing that somebody changed", () => {
    const changes = (name: string, value: string) => {
      const fields = new URLSearchParams(initData);
      fields.set(name, value);
      return fields.toString();
    };
    const forged = [
      changes("user", JSON.stringify({ ...ann, id: 222 })),
      changes("auth_date", String(at / 1000 + 1)),
      changes("more", "1"),
      `${initData}&user=${encodeURIComponent(JSON.stringify({ id: 222 }))}`,
      `user=${encodeURIComponent(JSON.stringify({ id: 222 }))}&${initData}`,
      initData.replace("auth_date=", "auth_data="),
      "",
      "user",
      `user=${encodeURIComponent(JSON.stringify(ann))}&auth_date=${at / 1000}`,
      `user=${encodeURIComponent(JSON.stringify(ann))}&auth_date=${at / 1000}&hash=&signature=`,
    ];
    for (const one of forged) expect(readInitData(one, by), one).toBeUndefined();
  });

  it("takes nothing that was signed for another bot, or by another than Telegram", () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const others = [
      signInitData(
        { user: ann, at },
        { token: "999:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", key: telegram.privateKey },
      ),
      signInitData({ user: ann, at }, { token: "12345:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", key: privateKey }),
    ];
    for (const one of others) expect(readInitData(one, by)).toBeUndefined();
  });

  it.each([
    { user: "{" },
    { user: "null" },
    { user: '{"id":"111"}' },
    { user: '{"id":-5}' },
    { auth_date: "soon" },
  ])("takes nobody from %j, whoever signed it", (more) => {
    const odd = signInitData({ user: ann, at, more }, { token: TOKEN, key: telegram.privateKey });
    expect(readInitData(odd, by)).toBeUndefined();
  });
});

it("takes nothing but Telegram's own key for Telegram, and what is signed for its test servers least of all", () => {
  const published = telegramKey().export({ format: "jwk" });
  expect(Buffer.from(published.x ?? "", "base64url").toString("hex")).toBe(
    "e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d",
  );
  expect(readInitData(initData, { bot: 12345, key: telegramKey() })).toBeUndefined();
});
