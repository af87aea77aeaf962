import de from "../../locales/de.json" with { type: "json" };
import en from "../../locales/en.json" with { type: "json" };
import es from "../../locales/es.json" with { type: "json" };
import fr from "../../locales/fr.json" with { type: "json" };
import pl from "../../locales/pl.json" with { type: "json" };
import ptBR from "../../locales/pt-BR.json" with { type: "json" };
import tr from "../../locales/tr.json" with { type: "json" };
import uk from "../../locales/uk.json" with { type: "json" };

/** What every language says. The page is built without: it loads the one that is read. */
export const SENTENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en,
  de,
  es,
  fr,
  pl,
  "pt-BR": ptBR,
  tr,
  uk,
};
