import { badRequest } from "../refusal.ts";
import type { World } from "../world.ts";

/** API, ReactionTypeEmoji `emoji`: "it can be one of". */
const EMOJI = new Set(
  (
    "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 " +
    "🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 " +
    "🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"
  ).split(" "),
);

interface Reaction {
  readonly type: string;
  readonly emoji?: string;
}

/** API, setMessageReaction: one reaction of a bot's on a message, of those that its chat allows. */
function setMessageReaction(
  world: World,
  params: {
    readonly chat_id: number | string;
    readonly message_id: number;
    readonly reaction?: readonly Reaction[];
  },
): true {
  const room = world.room(params.chat_id);
  const post = room.posts.get(params.message_id);
  if (!post) throw badRequest("message to react not found");
  const { reaction = [] } = params;
  if (reaction.length > 1) throw badRequest("REACTIONS_TOO_MANY");
  for (const { type, emoji = "" } of reaction) {
    const isAllowed = room.reactions?.includes(emoji) ?? true;
    if (type !== "emoji" || !EMOJI.has(emoji) || !isAllowed) throw badRequest("REACTION_INVALID");
  }
  world.react(room, post, reaction[0]?.emoji);
  return true;
}

export const reacting = { setMessageReaction };
