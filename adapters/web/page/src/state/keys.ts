import { IS_STUDIO, type OperatorLinkKey, type SignInKey } from "./api.ts";

/**
 * What somebody comes in with, from the fragment of the address, which browsers never send, or from what Discord led them
 * back with: it leaves the address bar before anything else happens.
 */
export function takeKey(): SignInKey | OperatorLinkKey | { readonly token: string } | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const initData = fragment.get("tgWebAppData");
  const ticket = fragment.get("in");
  const token = fragment.get("login");
  const [join, enter] = [fragment.get("join"), fragment.get("enter")];
  const link = join ?? enter;
  const isFromDiscord = new URLSearchParams(location.search).has("state");
  const query = isFromDiscord ? { query: location.search } : undefined;
  const given = initData ? { initData } : ticket ? { ticket } : query;
  const own = link ? { link, isNew: join !== null } : token ? { token } : undefined;
  const key = IS_STUDIO ? given : own;
  if (key) history.replaceState(null, "", location.pathname);
  return key;
}

/** Whether Telegram shows this page: an app of its own says so to the page, and no other site may show it inside of itself. */
export const isInTelegram = () => "TelegramWebviewProxy" in window || window.parent !== window;
