import { createRequire } from "node:module";

/**
 * What Unicode's list leaves beside Latin letters: small capitals, and Greek, Cyrillic and phonetic letters that it
 * groups with each other only.
 */
const ALSO: Readonly<Record<string, string>> = {
  ...pairs("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"),
  ...pairs("ʍĸᴎ", "mkn"),
  ...pairs("βεηκμντωχ", "benkuvtwx"),
  ...pairs("бзипцшщэя", "bennuwwer"),
  ...pairs("ꞓɜəǝɔ", "eeeec"),
  // Capitals look like what their small letters do, or words in capitals were others.
  ...pairs("ГЗЛПЫЬыьЮ", "rзлnыbыbю"),
};

/** A to Z in a shape of their own: in circles, in squares, of flags. */
const SHAPED = [0x1_f150, 0x1_f170, 0x1_f1e6].flatMap((first) =>
  Array.from(
    { length: 26 },
    (_, index) => [String.fromCodePoint(first + index), String.fromCodePoint(0x61 + index)] as const,
  ),
);

/**
 * The letters that a character looks like: `а` (Cyrillic) is `a`, `ł` is `l` with a stroke.
 * @param character none of ASCII: UTS 39 compares those with each other, too (`m` and `rn`)
 */
export function lookOf(character: string): string {
  const look = warmUpLooks().get(character) ?? character;
  // A capital I of any alphabet is listed as a small l; its small form is listed as i.
  return look === "l" && character !== character.toLowerCase() ? character : look;
}

/** Whether a character looks like a capital I, which looks like a small l. */
export const isCapitalI = (character: string) => {
  const plain = character.normalize("NFKD");
  return plain === "I" || (warmUpLooks().get(plain) === "l" && plain !== plain.toLowerCase());
};

let list: ReadonlyMap<string, string> | undefined;

/** Reads the list once, at the latest for the first word that is not in plain letters: most commands of the command line have none. */
export const warmUpLooks = () => (list ??= readLooks());

function readLooks(): ReadonlyMap<string, string> {
  const confusables: Readonly<Record<string, string>> = createRequire(import.meta.url)(
    "unhomoglyph/data.json",
  );
  return new Map([...Object.entries(confusables), ...Object.entries(ALSO), ...SHAPED]);
}

function pairs(characters: string, letters: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character, index) => [character, letters[index] ?? ""]));
}
