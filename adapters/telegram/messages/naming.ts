import type { Fact, NoticeView } from "../../../src/seam/views.ts";
import type { ChatId } from "../../../src/seam/values.ts";
import { partsOf } from "../../kit/results/file-by-file.ts";
import { meaningOf } from "../api/errors.ts";
import { chatOf } from "../context/chat-context.ts";
import type { Services } from "../context/context.ts";
import { deliveriesIn } from "./results-memory.ts";

/** How the ids of supergroups begin, whose messages have addresses. */
const SUPERGROUP = /^-100(?=\d)/;

/** A notice about a result of a group with the names of the group and of people, and the address of the result's message. */
export async function withNames(services: Services, view: NoticeView): Promise<NoticeView> {
  if (!view.facts) return view;
  const { place = "" } = view.facts.find(({ value }) => value.key === "fact.place")?.value.params ?? {};
  const group = chatOf(`telegram:${String(place).slice("telegram:".length)}`);
  if (!Number.isSafeInteger(group)) return view;
  return { ...view, facts: await Promise.all(view.facts.map((fact) => named(services, group, fact))) };
}

async function named(services: Services, group: number, fact: Fact): Promise<Fact> {
  const { key, params = {} } = fact.value;
  if (key === "fact.place") {
    const place = [await titleOf(services, group), await linkTo(services, group, String(params["job"]))];
    const text = place.filter((part) => part !== undefined).join(", ");
    return text === "" ? fact : { ...fact, value: { key, params: { ...params, place: text } } };
  }
  if (key !== "fact.person") return fact;
  const person = await nameOf(services, group, chatOf(`telegram:${idIn(params["person"])}`));
  return person === undefined ? fact : { ...fact, value: { key, params: { person } } };
}

const idIn = (person: unknown) => String(person).replace(/^telegram:/, "");

/** What a group, or somebody who wrote to the bot, is called; undefined where Telegram does not say. */
async function titleOf({ sender }: Pick<Services, "sender">, id: number): Promise<string | undefined> {
  const chat = await told(sender.call("getChat", { chat_id: id }));
  if (!chat) return undefined;
  return "title" in chat ? chat.title : fullName(chat);
}

/** The same of a chat or a topic of it, whose name no method tells: its address stands there. */
export async function placeNamed(
  services: Pick<Services, "sender">,
  place: ChatId,
): Promise<string | undefined> {
  const chat = chatOf(place);
  const [, topic] = place.split("/");
  const title = await titleOf(services, chat);
  if (title === undefined || topic === undefined || !SUPERGROUP.test(String(chat))) return title;
  return `${title}, ${addressIn(chat, topic)}`;
}

const addressIn = (group: number, message: number | string) =>
  `https://t.me/c/${String(group).replace(SUPERGROUP, "")}/${message}`;

/** Without a way to call them: nobody is called by a notice. */
async function nameOf(
  { sender }: Pick<Services, "sender">,
  group: number,
  user: number,
): Promise<string | undefined> {
  if (!Number.isSafeInteger(user)) return undefined;
  const member = await told(sender.call("getChatMember", { chat_id: group, user_id: user }));
  return member && fullName(member.user);
}

const fullName = ({ first_name: first, last_name: last }: { first_name: string; last_name?: string }) =>
  [first, last].filter(Boolean).join(" ");

async function linkTo(
  { memory }: Pick<Services, "memory">,
  group: number,
  job: string,
): Promise<string | undefined> {
  const delivery = await deliveriesIn(memory).find(job);
  const [shown] = delivery ? partsOf(delivery) : [];
  if (!shown || !SUPERGROUP.test(String(group))) return undefined;
  return addressIn(group, shown.message);
}

/** Undefined where Telegram refuses to say it. */
async function told<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning !== "refused" && meaning !== "unreachable") throw error;
    return undefined;
  }
}
