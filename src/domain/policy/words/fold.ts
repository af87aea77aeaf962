import { lookOf } from "./lookalikes.ts";

/**
 * What nobody sees: joiners, soft hyphens, variation selectors, tags, directions, control characters; the dot below,
 * which many leave out; and accents, but for those that are vowels or voices of the scripts below.
 */
const HIDDEN =
  /[\p{Cf}\p{Default_Ignorable_Code_Point}\u093C]|(?!\s)\p{Cc}|(?![\u0900-\u0DFF\u0E00-\u0FFF\u1000-\u109F\u1780-\u17FF\u3099\u309A])\p{M}/u;

/** Marks that would become a space and a voice, and the one that is written for another. */
const ALONE: ReadonlyMap<string, string> = new Map([
  ["\u309B", "\u3099"],
  ["\u309C", "\u309A"],
  ["\u0901", "\u0902"],
]);

/** What most texts are: every character is what it looks like. */
const PLAIN = /^[\n\x20-\x7E]*$/;

/** Chinese characters, which are most of all and look like nothing else; what are forms of others stands elsewhere. */
const isHan = (code: number) =>
  (code >= 0x3400 && code < 0x4dc0) ||
  (code >= 0x4e00 && code < 0xa000) ||
  (code >= 0x2_0000 && code < 0x2_f800) ||
  (code >= 0x3_0000 && code < 0x3_4000);

/** A letter that is neither small nor capital, as most of the world's. */
const OWN = /(?!\p{Default_Ignorable_Code_Point})\p{Lo}/u;

/** What is no capital: those are not told from small ones before they are taken apart. */
const SMALL = /[^\p{ASCII}\p{Sc}\p{Lu}\p{Nl}]/u;

/**
 * Arabic phrases in one character, which would each become up to eighteen, and Japanese names of units, months, hours and
 * days, up to six.
 */
const PHRASE = /[\uFDF0-\uFDFD\u32C0-\u32CB\u3300-\u3370\u33E0-\u33FE]/;

/** What a letter or a number in brackets, or one with a full stop, is taken apart into. */
const ENCLOSED = /^\((.+)\)$|^(\d+)\.$/;

/** Numbers in Arabic and Devanagari digits; beside letters of other scripts some are letters by their look. */
const NUMBERS =
  /(?<![^\P{L}\p{sc=Arabic}\p{sc=Devanagari}]|[\p{M}\p{N}])[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]+(?![^\P{L}\p{sc=Arabic}\p{sc=Devanagari}]|\p{N})/gu;

/** A Cyrillic capital that is a digit by its look, beside others; elsewhere it is a letter. */
const ZE_IN_NUMBER = /(?<=\d)З|З(?=\d)/g;

const HAS_NUMBERS = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/;

/** Kana that were taken apart. */
const VOICED = /[\u3040-\u30FF][\u3099\u309A]/g;

/** How many characters are remembered by what they look like. */
const MOST_REMEMBERED = 20_000;

/** By code point. */
const remembered = new Map<number, Look>();

/** What a character looks like, whether that is itself, and whether marks are in it. */
interface Look {
  readonly signs: string;
  readonly isItself: boolean;
  readonly isMarked: boolean;
}

/**
 * A text as a reader sees it: small letters without accents, each the Latin one that it looks like; nothing
 * invisible. Signs and spaces stay, and so do the vowels of Indian scripts and the voices of Japanese ones. Revealing
 * twice changes nothing more. Each character is looked at by itself, so time and length grow with the text's length.
 */
export function reveal(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const counted = HAS_NUMBERS.test(text) ? text.replaceAll(NUMBERS, inDigits) : text;
  const line = counted.replaceAll(ZE_IN_NUMBER, "3");
  let seen = "";
  let copied = 0;
  let last = 0;
  for (let at = 0, behind = 0; at < line.length; at = behind) {
    const code = line.codePointAt(at) ?? 0;
    behind = at + (code > 0xffff ? 2 : 1);
    if (isHan(code)) {
      last = code;
      continue;
    }
    const { signs, isItself, isMarked } = seenAs(code);
    if (isItself && !isMarked) {
      last = line.charCodeAt(behind - 1);
      continue;
    }
    seen += line.slice(copied, at);
    copied = behind;
    if (isMarked)
      for (const sign of signs) {
        // A mark that stands behind a character of another script is an accent.
        if (MARK.test(sign) && sign.charCodeAt(0) >> 8 !== last >> 8) continue;
        seen += sign;
        last = sign.charCodeAt(sign.length - 1);
      }
    else if (signs !== "") {
      seen += signs;
      last = signs.charCodeAt(signs.length - 1);
    }
  }
  seen += line.slice(copied);
  return /[\u3099\u309A]/.test(seen) ? seen.replaceAll(VOICED, (kana) => kana.normalize("NFC")) : seen;
}

/** What one character is seen as. */
function seenAs(code: number): Look {
  const known = remembered.get(code);
  if (known) return known;
  const character = String.fromCodePoint(code);
  const look = lookOnce(character);
  // A look-alike may have one itself; the longest way there is three steps.
  const signs =
    look === character ? look : Array.from(look, (sign) => seenAs(sign.codePointAt(0) ?? 0).signs).join("");
  const seen = { signs, isItself: signs === character, isMarked: MARK.test(signs) };
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(code, seen);
  return seen;
}

/** What a character looks like, or is put together of. */
function lookOnce(character: string): string {
  if (character >= " " && character <= "\u007E") return character.toLowerCase();
  const look = lookOf(character);
  const apart = ALONE.get(character) ?? character.normalize("NFKD");
  if (look === character && apart === character && OWN.test(character)) return character;
  if (PHRASE.test(character)) return " ";
  // Some lose their look when they are taken apart, as the lunate sigma does.
  if (/^[a-z]$/.test(look) && SMALL.test(character)) return look;
  if (apart !== character) return apart.replace(ENCLOSED, "$1$2");
  if (HIDDEN.test(character)) return "";
  // Capitals first: a capital Eta looks like H, a small one like n.
  return inDigits(looks(looks(character).toLowerCase()).replaceAll("ß", "ss"));
}

const MARK = /\p{M}/u;

/** The same in the digits that everybody has. */
const inDigits = (digits: string) =>
  digits.replaceAll(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (code < 0x6f0 ? 0x660 : code < 0x966 ? 0x6f0 : 0x966));
  });

/** {@link reveal}, with letters and digits only and one space between words. */
export function fold(text: string): string {
  return separate(reveal(text));
}

/** Letters and digits only, one space between words. */
function separate(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
}

/** Currency signs stay: after a number they are no letters. Chinese and Japanese characters look like each other only. */
function looks(text: string): string {
  return text.replaceAll(/[^\p{ASCII}\p{Sc}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{M}]/gu, lookOf);
}
