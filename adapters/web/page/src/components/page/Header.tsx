import { LOCALES, type Locale } from "../../../../../../src/common/i18n.ts";
import { useChat } from "../../state/context.ts";
import { type Look, THEMES, type Theme } from "../../state/preferences.ts";
import { CommandMenu } from "./CommandMenu.tsx";
import { Icon, type IconName } from "../base/Icon.tsx";
import logo from "../../../icon.svg";

const THEME_ICONS: Record<Theme, IconName> = { system: "contrast", light: "sun", dark: "moon" };

/** The bar on top. */
export function Header(props: { look: Look; balance: number | null; connected: boolean }) {
  const { say, session } = useChat();
  const { locale, setLocale, theme, setTheme } = props.look;
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
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
        <select
          class="language"
          aria-label={say("page.language")}
          value={locale}
          onChange={(event) => setLocale(event.currentTarget.value as Locale)}
        >
          {/* By their own names, so that everyone finds theirs. */}
          {LOCALES.map((known) => (
            <option key={known} value={known} lang={known}>
              {say(`choice.locale.${known}`)}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="icon-button"
          title={say(`page.theme.${theme}`)}
          aria-label={say(`page.theme.${theme}`)}
          onClick={() => setTheme(next)}
        >
          <Icon name={THEME_ICONS[theme]} />
        </button>
        <CommandMenu />
      </div>
    </header>
  );
}
