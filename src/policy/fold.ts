import { lookOf } from "./lookalikes.ts";

/** What nobody sees: joiners, soft hyphens, variation selectors, tags, directions, control characters. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;

/** What most texts are: every character is what it looks like. */
const PLAIN = /^[\n\x20-\x7E]*$/;

/** What is no capital: those are not told from small ones before they are taken apart. */
const SMALL = /[^\p{ASCII}\p{Sc}\p{Lu}\p{Nl}]/gu;

/** Arabic phrases in one character, which would each become up to eighteen. */
const PHRASES = /[\uFDF0-\uFDFD]/g;

/**
 * A text as a reader sees it: small letters without accents, each the Latin one that it looks like; nothing
 * invisible. Signs and spaces stay. Revealing twice changes nothing more.
 */
export function reveal(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  let seen = text;
  // A look-alike may have one itself; the longest way there is three steps.
  for (let before = ""; before !== seen;) {
    before = seen;
    const bare = seen
      .replaceAll(PHRASES, " ")
      // Some lose their look when they are taken apart, as the lunate sigma does.
      .replaceAll(SMALL, letterOf)
      .normalize("NFKD")
      .replaceAll(INVISIBLE, "");
    // Capitals first: a capital Eta looks like H, a small one like n.
    seen = looks(looks(bare).toLowerCase()).replaceAll("ß", "ss");
  }
  return seen;
}

/** The one Latin letter that a character looks like, if it does. */
function letterOf(character: string): string {
  const look = lookOf(character);
  return /^[a-z]$/.test(look) ? look : character;
}

/** {@link reveal}, with letters and digits only and one space between words. */
export function fold(text: string): string {
  return separate(reveal(text));
}

/** Letters and digits only, one space between words. */
function separate(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** Currency signs stay: after a number they are no letters. */
function looks(text: string): string {
  return text.replaceAll(/[^\p{ASCII}\p{Sc}]/gu, lookOf);
}
