import { LOCALES, type Locale, type Translate } from "../../../../../../src/common/i18n.ts";
import { type Look, THEMES, type Theme } from "../../state/preferences.ts";
import { Icon, type IconName } from "./Icon.tsx";

const THEME_ICONS: Record<Theme, IconName> = { system: "contrast", light: "sun", dark: "moon" };

/** Chooses language and colours. */
export function LookTools({ say, look }: { say: Translate; look: Look }) {
  const { locale, setLocale, theme, setTheme } = look;
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <>
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
    </>
  );
}
