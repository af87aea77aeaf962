import de from "../../locales/de.json" with { type: "json" };
import en from "../../locales/en.json" with { type: "json" };
import pl from "../../locales/pl.json" with { type: "json" };

/** What every language says. The page is built without: it loads the one that is read. */
export const SENTENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = { en, de, pl };
