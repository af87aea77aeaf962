import { signInLinks, studioAddress } from "../../../src/seam/surface/sign-in.ts";
import type { ChatContext } from "../pipeline/context.ts";

interface WayToStudio {
  /** The page, for platforms that say themselves who opens it. */
  readonly address: string;
  /** A link that signs this one person in, once. */
  readonly link: string;
}

/** What leads whoever asks there in a chat that has no buttons for links. @param why what is said of it */
export async function studioWords(
  context: ChatContext,
  why: "chat.studio" | "chat.connect.page",
): Promise<string> {
  const way = await wayToStudio(context);
  return way ? `${context.say(why)}\n${way.link}` : context.say("chat.studio.off");
}

/** The way for whoever asks; undefined where there is no such page. Only they may be shown it. */
export async function wayToStudio({ host, origin }: ChatContext): Promise<WayToStudio | undefined> {
  const address = studioAddress(host.config);
  if (address === undefined) return undefined;
  return { address, link: await signInLinks(host).make(address, origin.user) };
}
