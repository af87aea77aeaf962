import { joined } from "./likely-key.ts";
import type { MessageKey } from "./i18n.ts";

/** A sentence of `locales/` that says how a key is wanted. */
type KeyWanted = Extract<MessageKey, `wanted.key_${string}`>;

/** How the sentence goes on that names what follows a key, in the shipped languages. Accents are gone when it is looked for. */
const INTRODUCED =
  /(?:\b(?:api|service|secret|access|zugangs?|dienst)?[ _-]?(?:keys?|token|schlussel|schluessel|klucz(?:a|em)?)(?:[ _-]?(?:api|dostepu|uslugi))?(?:\s+(?:is|was|are|ist|war|lautet|to|jest|brzmi|hier|here|tutaj|tu))*(?=[\s:=])\s*[:=]*|\b(?:connect|verbinden?|verbinde|polacz|podlacz)(?:\s+(?:with|me|my|mich|mit|mnie|z))*|\bbearer\b|\bx-api-key\b\s*[:=]?)\s*["'`«»„“”‘’<({[]*([\x21-\x7e]{8,512})/gi;

/** What no sentence says in so many signs: a digit, a capital inside, a sign between letters, or a great length. */
const UNLIKE_WORDS = /\d|[a-z][A-Z]|[^\W_][_.:~+/=-]+[^\W_].{6,}|^.{24,}$/;

const CLOSING = /["'`>)}\].,;!?]+$/;

/**
 * What somebody says is a key: what follows "my key is", "mein Schlüssel ist", "mój klucz to", `key=`, or a command that was
 * mistyped. It may be shorter and plainer than what is guessed; a word that may just be a word is none.
 */
export function saidKeyIn(text: string): string | undefined {
  const plain = text
    .normalize("NFD")
    .replaceAll(/\p{M}|\p{Cf}/gu, "")
    .replaceAll(/[łŁ]/g, "l");
  for (const [, said = ""] of plain.matchAll(INTRODUCED)) {
    const key = said.replace(CLOSING, "");
    if (isSayable(key)) return key;
  }
  return undefined;
}

/** What stands behind a command that was meant to connect: one word, whatever it looks like. */
export function keyBehind(words: string): string | undefined {
  const key = joined(words) ?? words.trim();
  return /^[\x21-\x7e]{8,512}$/.test(key) ? key : undefined;
}

/** Quotes of any language, around the whole. */
const QUOTED = /^["'`«»„“”‘’‚‹›].*["'`«»„“”‘’‚‹›]$/s;

/**
 * What to give instead of something that was given as a key and cannot be one: a slip that would else be told as a key that the service
 * does not know. Keys are opaque (section 5), and go out in a header.
 * @returns the key of a sentence; undefined where it may be a key
 */
export function insteadOf(given: string): KeyWanted | undefined {
  if (QUOTED.test(given)) return "wanted.key_unquoted";
  if (/\s/.test(given)) return "wanted.key_alone";
  return /^[\x21-\x7e]*$/.test(given) ? undefined : "wanted.key_plain";
}

/** What may be a key where one was named, though there it may be a word, too. */
export function isSayable(key: string): boolean {
  return key.length >= 8 && UNLIKE_WORDS.test(key) && !/^(?:https?:\/\/|#|@)/i.test(key);
}
