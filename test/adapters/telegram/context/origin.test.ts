import type { Update } from "telegraf/types";
import { describe, expect, it } from "vitest";
import { originOf } from "../../../../adapters/telegram/context/origin.ts";
import type { Intake } from "../../../../src/seam/surface/surface.ts";
import { intake as anyIntake } from "../transport-harness.ts";

const ann = { id: 5, is_bot: false, first_name: "Ann", language_code: "pl-PL" };
const privately = { id: 5, type: "private", first_name: "Ann" };
const forum = { id: -1001, type: "supergroup", title: "Forum", is_forum: true };

/** Updates as they are on the wire: more than telegraf's types know. */
const origin = (update: object, intake: Intake = anyIntake) =>
  originOf({ update_id: 77, ...update } as Update, intake);

const message = (more: object) => ({ message: { message_id: 9, date: 1, from: ann, text: "hi", ...more } });

const press = (shown: object) => ({ callback_query: { id: "1", from: ann, data: "x", message: shown } });

describe("where an update comes from", () => {
  it("is a person's own chat, in their language", async () => {
    expect(await origin(message({ chat: privately }))).toEqual({
      platform: "telegram",
      user: "telegram:5",
      request: "telegram:77",
      locale: "pl-PL",
      audience: "private",
      address: { chat: 5, replyTo: 9, locale: "pl" },
    });
  });

  it("is spoken to in the language that the person chose", async () => {
    const german: Intake = {
      ...anyIntake,
      preferences: async () => ({ locale: "de", spendBelow: null, stated: [] }),
    };
    const { address } = (await origin(message({ chat: privately }), german)) ?? {};
    expect(address).toMatchObject({ locale: "de" });
  });

  it("is a group's topic, where the answer stays; a thread of replies is no topic", async () => {
    const topic = { chat: forum, message_thread_id: 3 };
    const inTopic = await origin(message({ ...topic, is_topic_message: true }));
    expect(inTopic).toMatchObject({ audience: "group", chat: "telegram:-1001" });
    expect(inTopic?.address).toEqual({ chat: -1001, topic: 3, user: 5, replyTo: 9, locale: "pl" });
    expect((await origin(message(topic)))?.address).not.toHaveProperty("topic");
  });

  it("is a press, which goes on answering what the pressed message answers", async () => {
    const photo = { message_id: 4, date: 1, chat: privately };
    const pressed = { message_id: 9, date: 1, chat: privately, reply_to_message: photo };
    expect((await origin(press(pressed)))?.address).toMatchObject({ chat: 5, replyTo: 4 });
    const opening = { ...pressed, reply_to_message: { ...photo, forum_topic_created: {} } };
    expect((await origin(press(opening)))?.address).not.toHaveProperty("replyTo");
  });

  it("is private for a search, and for a press on what was shared somewhere", async () => {
    const shared = { callback_query: { id: "1", from: ann, data: "x", inline_message_id: "77" } };
    for (const update of [shared, { inline_query: { id: "1", from: ann, query: "", offset: "" } }]) {
      const { audience, address } = (await origin(update)) ?? {};
      expect([audience, address]).toEqual(["private", { chat: 5, locale: "pl" }]);
    }
  });

  it("is nobody's for channels, other bots and those who hide behind a group", async () => {
    const channel = { id: -7, type: "channel", title: "News" };
    const hidden = {
      chat: forum,
      sender_chat: forum,
      from: { id: 1_087_968_824, is_bot: true, first_name: "Group" },
    };
    const behindChannel = { chat: forum, sender_chat: channel, from: { ...ann, id: 136_817_688 } };
    const member = { chat: channel, from: ann, date: 1 };
    for (const update of [
      { channel_post: { message_id: 9, date: 1, chat: channel, text: "hi" } },
      message(hidden),
      message(behindChannel),
      message({ chat: privately, from: { ...ann, is_bot: true } }),
      { my_chat_member: member },
      { poll: { id: "1" } },
    ])
      expect(await origin(update)).toBeUndefined();
  });
});
