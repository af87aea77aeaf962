import { useChat } from "../../state/context.ts";
import type { Look } from "../../state/preferences.ts";
import { CommandMenu } from "./CommandMenu.tsx";
import { Icon } from "../base/Icon.tsx";
import { LookTools } from "../base/LookTools.tsx";
import logo from "../../../icon.svg";

/** The bar on top. */
export function Header(props: { look: Look; balance: number | null; connected: boolean }) {
  const { say, session } = useChat();
  return (
    <header class="top">
      <h1 class="brand">
        <img src={logo} alt="" width="32" height="32" />
        Reelay
      </h1>
      {session.sandbox && <p class="sandbox">{say("page.sandbox")}</p>}
      {!props.connected && (
        <p class="offline" role="status">
          {say("page.reconnecting")}
        </p>
      )}
      <div class="top-tools">
        {props.balance !== null && (
          <p class="balance">
            <Icon name="coin" />
            <span>{say("page.tokens", { count: props.balance, tokens: props.balance })}</span>
          </p>
        )}
        <LookTools say={say} look={props.look} />
        <CommandMenu />
      </div>
    </header>
  );
}
