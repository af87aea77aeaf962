import { badRequest } from "../refusal.ts";
import { type Right, RIGHTS } from "../room.ts";
import type { ChatMember } from "../wire.ts";
import type { World } from "../world.ts";

interface ChatParams {
  readonly chat_id: number | string;
}

const rightsBut = (denied: ReadonlySet<Right>) =>
  Object.fromEntries(RIGHTS.map((right) => [right, !denied.has(right)]));

function getChat(world: World, params: ChatParams): object {
  const { chat, reactions, denied } = world.room(params.chat_id);
  const allowed = reactions?.map((emoji) => ({ type: "emoji", emoji }));
  return {
    ...chat,
    accent_color_id: 0,
    max_reaction_count: 11,
    ...(chat.type !== "private" && { permissions: rightsBut(denied) }),
    ...(allowed && { available_reactions: allowed }),
  };
}

function getChatMember(world: World, params: ChatParams & { readonly user_id: number }): ChatMember {
  const room = world.room(params.chat_id);
  if (params.user_id === world.bot.id) {
    const { admin, restricted } = room;
    if (!admin && restricted.size > 0)
      return { user: world.bot, status: "restricted", is_member: true, ...rightsBut(restricted) };
    return { user: world.bot, status: admin ? "administrator" : "member" };
  }
  const user = room.members.get(params.user_id);
  if (!user) throw badRequest("PARTICIPANT_ID_INVALID");
  // Who came first founded the group.
  const [founder] = room.members.keys();
  return { user, status: room.chat.type !== "private" && founder === user.id ? "creator" : "member" };
}

/** Those who appear as the group are among them. */
function getChatAdministrators(world: World, params: ChatParams): readonly ChatMember[] {
  const room = world.room(params.chat_id);
  if (room.chat.type === "private") throw badRequest("there are no administrators in the private chat");
  const members = [...room.members.values()].filter(({ id }) => room.managers.has(id));
  return members.map((user) => ({ user, status: "administrator" }));
}

function leaveChat(world: World, params: ChatParams): true {
  const room = world.room(params.chat_id);
  if (room.chat.type === "private") throw badRequest("chat member status can't be changed in private chats");
  room.barrier = "left";
  return true;
}

export const chats = {
  getChat,
  getChatMember,
  getChatAdministrators,
  leaveChat,
  getFile: (world: World, params: { readonly file_id: string }) => world.files.link(params.file_id),
};
